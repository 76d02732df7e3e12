import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { useCanvas } from './canvas-context.ts'
import type { Participant } from './live/presence.ts'
import { FILL } from './model/tones.ts'

const VISIBLE_MAX = 4

export function Participants() {
  const { participants, view, store } = useCanvas()
  const users = distinctUsers(participants.use())
  if (users.length === 0) return null
  const hiddenCount = users.length - VISIBLE_MAX
  const goTo = ({ cursor, selection }: Participant) => {
    const block = selection[0] && store.items.blocks.get(selection[0])
    if (cursor) view.centerOn(cursor)
    else if (block) view.flyTo(block)
  }
  return (
    <ul aria-label="Viewing now" className="flex items-center -space-x-4">
      {users.slice(0, VISIBLE_MAX).map((participant) => (
        <li key={participant.key}>
          <button
            type="button"
            title={
              participant.guest
                ? textWithNames`${participant.name} (guest): go to their cursor`
                : textWithNames`${participant.name}: go to their cursor`
            }
            aria-label={textWithNames`Go to ${participant.name}`}
            onClick={() => goTo(participant)}
            className={`flex size-24 items-center justify-center rounded-round border-2 border-card font-strong text-12 text-neutral-1 uppercase transition-opacity ${FILL[participant.tone]} ${participant.idle ? 'opacity-50' : ''}`}
          >
            {participant.name.trim()[0] ?? '?'}
          </button>
        </li>
      ))}
      {hiddenCount > 0 && <li className="pl-8 text-12 text-neutral-11">+{hiddenCount}</li>}
    </ul>
  )
}

/** A user with two windows appears once. */
const distinctUsers = (participants: readonly Participant[]) => [
  ...new Map(
    participants.map((participant) => [participant.userId ?? participant.key, participant]),
  ).values(),
]

const LABELS = { saved: t`Saved`, saving: t`Saving…`, waiting: t`Waiting to save` } as const

export function SavingState() {
  const { store, editable, isGuest, canComment } = useCanvas()
  const saving = store.saving.use()
  const canEdit = editable.use()
  if (!canEdit)
    return (
      <span className="whitespace-nowrap text-12 text-neutral-11">
        {isGuest && canComment ? t`View and comment` : t`View only`}
      </span>
    )
  return (
    <span
      role="status"
      className={`whitespace-nowrap text-12 ${saving === 'waiting' ? 'text-warning-text' : 'text-neutral-11'}`}
    >
      {LABELS[saving]}
    </span>
  )
}
