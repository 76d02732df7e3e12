import { Bot } from 'lucide-react'

/** The emoji of an agent, or a default icon. */
export function AgentEmoji({ emoji }: { emoji: string | null }) {
  return (
    <span
      aria-hidden
      className="inline-flex size-24 shrink-0 items-center justify-center overflow-hidden text-16"
    >
      {emoji || <Bot className="icon text-neutral-10" />}
    </span>
  )
}
