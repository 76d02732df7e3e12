import { useState } from 'react'
import { localStore } from '../../state/local-storage.ts'

const KEY = 'atrium.guest.name'
/** As the contract has it. */
const LENGTH_MAX = 60

export const rememberedName = () => localStore.read(KEY) ?? ''

interface GuestNameProps {
  name: string
  onName: (name: string) => void
}

/** What the others see beside the pointer of somebody who has no account; kept in this browser for the next time. */
export function GuestName({ name, onName }: GuestNameProps) {
  const [draft, setDraft] = useState(name)
  const keep = () => {
    const next = draft.trim()
    setDraft(next)
    if (next === name) return
    localStore.write(KEY, next)
    onName(next)
  }
  return (
    <input
      aria-label="Your name, as the others see it"
      title="Your name, as the others see it"
      placeholder="Your name"
      autoComplete="nickname"
      maxLength={LENGTH_MAX}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
      className="ml-auto h-32 w-status min-w-0 shrink rounded-control border border-neutral-7 bg-neutral-1 px-8 text-13 max-sm:text-16 hover:border-neutral-8"
    />
  )
}
