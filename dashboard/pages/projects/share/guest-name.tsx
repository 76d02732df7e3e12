import { useState } from 'react'
import { localStore } from '../../../state/local-storage.ts'

const KEY = 'atrium.guest.name'
/** The limit in the contract. */
const LENGTH_MAX = 60

export const storedGuestName = () => localStore.read(KEY) ?? ''

interface GuestNameProps {
  name: string
  onName: (name: string) => void
}

/** The name that other users see beside a guest's pointer; stored in this browser for the next visit. */
export function GuestName({ name, onName }: GuestNameProps) {
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
      className="ml-auto h-32 w-status min-w-0 shrink rounded-control border border-neutral-7 bg-neutral-1 px-8 text-13 max-sm:text-16 hover:border-neutral-8"
    />
  )
}
