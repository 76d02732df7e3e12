import { useStore, ViewportPortal } from '@xyflow/react'
import { FILL, OUTLINE, TEXT } from '../blocks/tones.ts'
import { useBlock, useCanvas } from '../canvas-context.ts'
import type { Other } from '../live/presence.ts'
import { LINES_Z } from './nodes.ts'

/** Above every block. */
const TOP = { zIndex: 2 * LINES_Z + 2 }

/** Where the others are and what they have chosen. Seen, not heard: a screen reader is told who is here elsewhere. */
export function OthersLayer() {
  const { others } = useCanvas()
  const all = others.use()
  if (all.length === 0) return null
  return (
    <ViewportPortal>
      <div aria-hidden className="pointer-events-none absolute" style={TOP}>
        {all.flatMap((other) =>
          other.selection.map((id) => <Chosen key={`${other.key} ${id}`} id={id} other={other} />),
        )}
        {all.map((other) => (
          <Cursor key={other.key} other={other} />
        ))}
      </div>
    </ViewportPortal>
  )
}

function Chosen({ id, other }: { id: string; other: Other }) {
  const block = useBlock(id)
  if (!block) return null
  const { x, y, width, height } = block
  return (
    <div
      data-chosen-by={other.name}
      className={`absolute top-0 left-0 rounded-panel outline-2 outline-offset-2 outline-solid ${OUTLINE[other.tone]} ${other.idle ? 'opacity-50' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
    />
  )
}

function Cursor({ other }: { other: Other }) {
  const zoom = useStore(({ transform }) => transform[2])
  if (!other.cursor) return null
  const { x, y } = other.cursor
  return (
    <div
      data-cursor={other.name}
      // As large on every zoom, and smooth between two words of where it is.
      className={`absolute top-0 left-0 origin-top-left transition-[transform,opacity] motion-reduce:transition-none ${TEXT[other.tone]} ${other.idle ? 'opacity-30' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px) scale(${1 / zoom})` }}
    >
      <svg aria-hidden viewBox="0 0 16 16" className="icon">
        <path d="M1 1 L6 15 L8.5 9 L15 6.5 Z" fill="currentColor" stroke="var(--neutral-1)" strokeWidth="1" />
      </svg>
      <span
        className={`absolute top-16 left-12 max-w-filter truncate rounded-control px-8 font-medium text-12 text-neutral-1 ${FILL[other.tone]}`}
      >
        {other.name}
      </span>
    </div>
  )
}
