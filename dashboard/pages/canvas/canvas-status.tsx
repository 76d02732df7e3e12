import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { PersonFace } from '../../components/faces.tsx'
import { distinctUsers } from '../../live/presence.ts'
import { faceOf, toneOf } from '../../live/tone-of.ts'
import { useCanvas } from './canvas-context.ts'
import { OUTLINE } from './model/tones.ts'

const VISIBLE_MAX = 4

export function Participants() {
  const { participants, ui } = useCanvas()
  const users = distinctUsers(participants.use())
  const following = ui.following.use()
  if (users.length === 0) return null
  const hiddenCount = users.length - VISIBLE_MAX
  return (
    <ul aria-label="Viewing now" className="flex items-center gap-4 px-4">
      {users.slice(0, VISIBLE_MAX).map((participant) => (
        <li key={participant.key} className="flex">
          <button
            type="button"
            aria-pressed={participant.key === following}
            title={
              participant.guest
                ? textWithNames`Follow ${participant.name} (guest)`
                : textWithNames`Follow ${participant.name}`
            }
            aria-label={textWithNames`Follow ${participant.name}`}
            onClick={() => ui.following.set(participant.key === following ? null : participant.key)}
            className={`rounded-round outline-solid outline-offset-1 transition-opacity aria-pressed:outline-2 focus-visible:outline-2 ${participant.key === following ? '' : 'outline-1'} ${OUTLINE[toneOf(participant)]} ${participant.idle ? 'opacity-50' : ''}`}
          >
            <PersonFace person={faceOf(participant)} />
          </button>
        </li>
      ))}
      {hiddenCount > 0 && <li className="pl-4 text-12 text-neutral-11">+{hiddenCount}</li>}
    </ul>
  )
}

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
