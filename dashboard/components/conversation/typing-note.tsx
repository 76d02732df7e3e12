import { useEffect, useState } from 'react'
import type { ConversationState } from './store/conversation-state.ts'

/** The names of the people who are typing. */
export function TypingNote({ typing }: Pick<ConversationState, 'typing'>) {
  const [now, setNow] = useState(() => Date.now())
  const last = Math.max(0, ...[...typing.values()].map(({ until }) => until))
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, last - Date.now()) + 1)
    return () => clearTimeout(timer)
  }, [last])
  const names = [...typing.values()].filter(({ until }) => until > now).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p role="status" className="text-12 text-neutral-11">
      {names.join(', ')} {names.length === 1 ? 'is' : 'are'} typing…
    </p>
  )
}
