import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { ReplayDialog } from '../actions/replay-dialog.tsx'
import { eventTypeLabel } from '../webhook-labels.ts'
import type { WebhookEvent } from '../webhooks-queries.ts'

/** Maximum events per replay. */
const SELECTED_MAX = 100

/** Rejected events weren't verified and can't be replayed. */
export const selectColumn = (
  selected: ReadonlySet<string>,
  onToggle: (id: string) => void,
): Column<WebhookEvent> => ({
  header: t`Select`,
  headerHidden: true,
  cell: (event) => (
    <input
      type="checkbox"
      aria-label={t`Select ${eventTypeLabel(event)} ${event.id.slice(0, 8)}`}
      checked={selected.has(event.id)}
      disabled={event.status === 'rejected' || (!selected.has(event.id) && selected.size >= SELECTED_MAX)}
      onChange={() => onToggle(event.id)}
      className="relative z-1 block size-16 accent-accent"
    />
  ),
})

interface SelectionBarProps {
  selected: ReadonlySet<string>
  webhookId?: string | undefined
  onClear: () => void
}

export function SelectionBar({ selected, webhookId, onClear }: SelectionBarProps) {
  const [isReplaying, setReplaying] = useState(false)
  if (selected.size === 0) return null
  return (
    <div className="sticky bottom-16 z-20 mt-16 flex justify-center">
      <div className="flex items-center gap-8 rounded-panel bg-float px-12 py-8 text-13 shadow-float">
        <span className="tabular-nums">{selected.size} selected</span>
        <Button size="small" look="primary" onClick={() => setReplaying(true)}>
          <RotateCw aria-hidden className="icon" />
          Replay…
        </Button>
        <Button size="small" look="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
      {isReplaying && (
        <ReplayDialog
          eventIds={[...selected]}
          webhookId={webhookId}
          onDone={onClear}
          onClose={() => setReplaying(false)}
        />
      )}
    </div>
  )
}
