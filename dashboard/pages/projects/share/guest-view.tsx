import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { buttonClass } from '../../../components/button.tsx'
import { Logo } from '../../../components/layout/logo.tsx'
import { Name } from '../../../components/name.tsx'
import { localStore } from '../../../state/store.ts'
import type { OpenShare } from './use-share.ts'

const GuestCanvas = lazy(async () => ({
  default: (await import('../../canvas/canvas-routes.tsx')).GuestCanvas,
}))

interface GuestViewProps {
  share: OpenShare
  /** The server closed the guest's connection: the link may be revoked or expired. */
  onEnded: () => void
}

const ACCESS = { view: t`Can view`, comment: t`Can comment`, edit: t`Can edit` }

export function GuestView({ share, onEnded }: GuestViewProps) {
  const { project, access } = share
  const [name, setName] = useState(storedGuestName)
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex h-48 shrink-0 items-center gap-12 border-neutral-6 border-b px-16">
        <Logo size={24} />
        <h1 className="min-w-0 truncate font-strong" title={project.description ?? undefined}>
          {project.emoji && <span aria-hidden>{project.emoji} </span>}
          <Name>{project.name}</Name>
        </h1>
        <span className="whitespace-nowrap text-13 text-neutral-11 max-sm:hidden">
          Shared with you · {ACCESS[access]}
        </span>
        <GuestName name={name} onName={setName} />
        <Link
          to="/projects/$ref"
          params={{ ref: project.id }}
          className={`max-sm:hidden ${buttonClass('quiet')}`}
          title="Requires an account"
        >
          Open in Atrium
        </Link>
      </header>
      <main className="flex min-h-0 flex-1">
        <Suspense>
          <GuestCanvas share={share} name={name} onEnded={onEnded} />
        </Suspense>
      </main>
    </div>
  )
}

const KEY = 'atrium.guest.name'
/** The contract's limit. */
const LENGTH_MAX = 60

const storedGuestName = () => localStore.read(KEY) ?? ''

interface GuestNameProps {
  name: string
  onName: (name: string) => void
}

/** Stored in this browser for the next visit. */
function GuestName({ name, onName }: GuestNameProps) {
  const [draft, setDraft] = useState(name)
  const save = () => {
    const next = draft.trim()
    setDraft(next)
    if (next === name) return
    localStore.write(KEY, next)
    onName(next)
  }
  return (
    <input
      aria-label="Your name, visible to others"
      title="Your name, visible to others"
      placeholder="Your name"
      autoComplete="nickname"
      maxLength={LENGTH_MAX}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
      className="ml-auto h-32 w-status min-w-0 shrink rounded-control border border-neutral-7 bg-card px-8 text-13 max-sm:text-16 hover:border-neutral-8"
    />
  )
}
