import { useCanvas } from './canvas-context.ts'

const LABELS = { saved: 'Saved', saving: 'Saving…', waiting: 'Waiting to save' } as const

export function SavingState() {
  const { store, editable, isGuest, canComment } = useCanvas()
  const saving = store.saving.use()
  const canEdit = editable.use()
  if (!canEdit)
    return (
      <span className="whitespace-nowrap text-12 text-neutral-11">
        {isGuest && canComment ? 'View and comment' : 'View only'}
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
