import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import type { PublicEntry } from '../../../api/files.ts'
import { formatSize } from '../../../components/amounts.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Logo } from '../../../components/layout/logo.tsx'
import { Name } from '../../../components/name.tsx'
import { PublicContent } from './public-content.tsx'
import { PublicFolder } from './public-folder.tsx'
import type { OpenLink } from './use-public-link.ts'

export function PublicView({ link: { guestToken, entry } }: { link: OpenLink }) {
  const { path, show } = useOpenedPath(entry)
  const shownEntry = path.at(-1)!
  const isFolder = shownEntry.source === 'folder'
  return (
    <div className="flex h-dvh flex-col">
      <header className="flex min-h-48 shrink-0 flex-wrap items-center gap-x-12 gap-y-4 border-neutral-6 border-b px-16 py-8">
        <Logo size={24} />
        <nav aria-label="Folders" className="flex min-w-0 flex-1 items-center gap-4">
          {path.slice(0, -1).map((folder, index) => (
            <span key={folder.id} className="flex min-w-0 items-center gap-4">
              <Button look="quiet" size="small" onClick={() => show(path.slice(0, index + 1))}>
                <Name>{folder.name}</Name>
              </Button>
              <span className="text-neutral-11">/</span>
            </span>
          ))}
          <h1 className="min-w-0 truncate font-strong" title={shownEntry.name}>
            <Name>{shownEntry.name}</Name>
          </h1>
          {!isFolder && (
            <span className="whitespace-nowrap text-13 text-neutral-11 max-sm:hidden">
              {formatSize(shownEntry.size)}
            </span>
          )}
        </nav>
        {isFolder ? (
          shownEntry.id === entry.id && (
            <a
              href={`/api/v1/public-links/${guestToken}/archive`}
              download
              className={buttonClass('primary')}
            >
              <Download aria-hidden className="icon" />
              Download all
            </a>
          )
        ) : (
          <a href={contentUrl(guestToken, shownEntry.id)} download className={buttonClass('primary')}>
            <Download aria-hidden className="icon" />
            Download
          </a>
        )}
      </header>
      <main className="flex min-h-0 flex-1 flex-col bg-inset">
        {isFolder ? (
          <PublicFolder
            key={shownEntry.id}
            guestToken={guestToken}
            folder={shownEntry}
            onOpen={(next) => show([...path, next])}
          />
        ) : (
          <PublicContent
            key={shownEntry.id}
            guestToken={guestToken}
            url={contentUrl(guestToken, shownEntry.id, true)}
            entry={shownEntry}
          />
        )}
      </main>
    </div>
  )
}

const contentUrl = (guestToken: string, id: string, inline = false) =>
  `/api/v1/public-links/${guestToken}/files/${id}${inline ? '?inline=true' : ''}`

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Folders the guest opened below the public folder, then the opened file. */
    opened?: PublicEntry[]
  }
}

/** Kept in browser history, so Back works. */
function useOpenedPath(entry: PublicEntry) {
  const opened = useRouterState({ select: ({ location }) => location.state.opened })
  const navigate = useNavigate()
  const path = [entry, ...(opened ?? [])]
  return {
    path,
    /** The path must start with the link's entry. */
    show: (next: readonly PublicEntry[]) =>
      void navigate({ to: '/f', hash: true, state: { opened: next.slice(1) } }),
  }
}
