import { Shapes } from 'lucide-react'

export function ProjectEmoji({ emoji }: { emoji: string | null }) {
  return (
    <span
      aria-hidden
      className="inline-flex size-24 shrink-0 items-center justify-center overflow-hidden text-16"
    >
      {emoji || <Shapes className="icon text-neutral-10" />}
    </span>
  )
}
