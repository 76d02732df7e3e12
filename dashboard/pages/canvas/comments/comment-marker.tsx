import { MessageSquare } from 'lucide-react'
import { useCanvas } from '../canvas-context.ts'

/** Shows the number of open threads of a block, and opens them. */
export function CommentMarker({ id }: { id: string }) {
  const { ui } = useCanvas()
  const count = ui.commentCounts.useSelect((counts) => counts.get(id) ?? 0)
  if (count === 0) return null
  const label = `${count} open ${count === 1 ? 'thread' : 'threads'}`
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => ui.commenting.set({ blockId: id })}
      className="canvas-control nodrag nopan absolute -top-12 -left-12 z-10 flex h-24 items-center gap-4 rounded-round bg-accent px-8 text-12 text-on-accent tabular-nums shadow-float hover:bg-accent-strong"
    >
      <MessageSquare aria-hidden className="size-12" />
      {count}
    </button>
  )
}
