import { X } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../../components/button.tsx'
import { PersonFace } from '../../../components/faces.tsx'
import { Name } from '../../../components/name.tsx'
import { faceOf, toneOf } from '../../../live/tone-of.ts'
import { useCanvas } from '../canvas-context.ts'
import { OUTLINE } from '../model/tones.ts'

/** The view keeps a participant's cursor in sight, or the selected block of one without a cursor, as on a phone. */
export function Following() {
  const { ui, view, store } = useCanvas()
  const followed = useFollowed()
  const hasLeft = ui.following.use() !== null && !followed
  useEffect(() => {
    if (hasLeft) ui.following.set(null)
  }, [hasLeft, ui])
  useEffect(() => {
    const block = followed?.selection[0] && store.items.blocks.get(followed.selection[0])
    if (followed?.cursor) view.follow(followed.cursor)
    else if (block) view.follow({ x: block.x + block.width / 2, y: block.y + block.height / 2 })
  }, [followed, view, store])
  if (!followed) return null
  return (
    <div className="flex h-row items-center gap-8 rounded-round bg-float pr-8 pl-12 text-13 shadow-float">
      <PersonFace person={faceOf(followed)} />
      <p role="status">
        Following <Name>{followed.name}</Name>
      </p>
      <Button
        look="quiet"
        size="small-icon"
        aria-label="Stop following"
        title="Stop following (Esc)"
        onClick={() => ui.following.set(null)}
      >
        <X aria-hidden className="icon" />
      </Button>
    </div>
  )
}

/** The canvas wears the participant's color meanwhile. */
export function FollowingFrame() {
  const followed = useFollowed()
  if (!followed) return null
  return (
    <div
      aria-hidden
      className={`canvas-control pointer-events-none absolute inset-0 z-10 -outline-offset-2 outline-2 outline-solid ${OUTLINE[toneOf(followed)]}`}
    />
  )
}

function useFollowed() {
  const { ui, participants } = useCanvas()
  const key = ui.following.use()
  return participants.useSelect((all) => all.find((participant) => participant.key === key))
}
