import { FILL } from './blocks/tones.ts'
import { useCanvas } from './canvas-context.ts'
import type { Other } from './live/presence.ts'

const SHOWN_MAX = 4

/** Who else has the canvas open. */
export function People() {
  const { others, view, store } = useCanvas()
  const people = distinct(others.use())
  if (people.length === 0) return null
  const more = people.length - SHOWN_MAX
  const goTo = ({ cursor, selection }: Other) => {
    const block = selection[0] && store.items.blocks.get(selection[0])
    if (cursor) view.lookAt(cursor)
    else if (block) view.flyTo(block)
  }
  return (
    <ul aria-label="Also here" className="flex items-center -space-x-4">
      {people.slice(0, SHOWN_MAX).map((other) => (
        <li key={other.key}>
          <button
            type="button"
            title={`${other.name}${other.guest ? ' (guest)' : ''}: go to where they are`}
            aria-label={`Go to where ${other.name} is`}
            onClick={() => goTo(other)}
            className={`flex size-24 items-center justify-center rounded-round border-2 border-neutral-1 font-strong text-12 text-neutral-1 uppercase transition-opacity ${FILL[other.tone]} ${other.idle ? 'opacity-50' : ''}`}
          >
            {other.name.trim()[0] ?? '?'}
          </button>
        </li>
      ))}
      {more > 0 && <li className="pl-8 text-12 text-neutral-11">+{more}</li>}
    </ul>
  )
}

/** Somebody with two windows is one person. */
const distinct = (others: readonly Other[]) => [
  ...new Map(others.map((other) => [other.userId ?? other.key, other])).values(),
]
