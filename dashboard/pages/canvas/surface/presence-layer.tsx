import { useStore, ViewportPortal } from '@xyflow/react'
import { Name } from '../../../components/name.tsx'
import type { Participant } from '../../../live/presence.ts'
import { FILL, toneOf } from '../../../live/tone-of.ts'
import { useBlock, useCanvas } from '../canvas-context.ts'
import { LINES_Z } from '../flow/nodes.ts'
import { OUTLINE, TEXT } from '../model/tones.ts'

/** Above every block. */
const TOP = { zIndex: 2 * LINES_Z + 2 }

/** Hidden from screen readers, which get the participant list. */
export function PresenceLayer() {
  const { participants } = useCanvas()
  const all = participants.use()
  if (all.length === 0) return null
  return (
    <ViewportPortal>
      <div aria-hidden className="canvas-presence pointer-events-none absolute" style={TOP}>
        {all.flatMap((participant) =>
          participant.selection.map((id) => (
            <RemoteSelection key={`${participant.key} ${id}`} id={id} participant={participant} />
          )),
        )}
        {all.map((participant) => (
          <Cursor key={participant.key} participant={participant} />
        ))}
      </div>
    </ViewportPortal>
  )
}

function RemoteSelection({ id, participant }: { id: string; participant: Participant }) {
  const block = useBlock(id)
  if (!block) return null
  const { x, y, width, height } = block
  return (
    <div
      data-selected-by={participant.name}
      className={`absolute top-0 left-0 rounded-panel outline-2 outline-offset-4 outline-solid ${OUTLINE[toneOf(participant)]} ${participant.idle ? 'opacity-50' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
    />
  )
}

function Cursor({ participant }: { participant: Participant }) {
  const zoom = useStore(({ transform }) => transform[2])
  if (!participant.cursor) return null
  const { x, y } = participant.cursor
  return (
    <div
      data-cursor={participant.name}
      // Constant size at every zoom, animated between positions.
      className={`absolute top-0 left-0 origin-top-left transition-[transform,opacity] motion-reduce:transition-none ${TEXT[toneOf(participant)]} ${participant.idle ? 'opacity-30' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px) scale(${1 / zoom})` }}
    >
      <svg aria-hidden viewBox="0 0 16 16" className="icon">
        <path
          d="M1 1 L6 15 L8.5 9 L15 6.5 Z"
          fill="currentColor"
          stroke="var(--color-card)"
          strokeWidth="1"
        />
      </svg>
      <span
        className={`absolute top-16 left-12 max-w-filter truncate rounded-round px-8 font-medium text-12 text-neutral-1 ${FILL[toneOf(participant)]}`}
      >
        <Name>{participant.name}</Name>
      </span>
    </div>
  )
}
