import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'
import { webhookApi, webhooksQuery } from '../webhooks-queries.ts'
import { useWebhookMutation } from './use-webhook-mutation.ts'

interface ReplayDialogProps {
  eventIds: readonly string[]
  /** Preselected. */
  webhookId?: string | undefined
  onDone?: () => void
  onClose: () => void
}

export function ReplayDialog({ eventIds, webhookId, onDone, onClose }: ReplayDialogProps) {
  const webhooks = useQuery(webhooksQuery).data?.items ?? []
  const targets = webhooks.filter((webhook) => webhook.status === 'active' && webhook.forwards)
  const [selectedId, setSelectedId] = useState(webhookId)
  const target = targets.find(({ id }) => id === selectedId) ?? targets[0]
  const count = eventIds.length === 1 ? t`1 event` : t`${eventIds.length} events`
  const replay = useWebhookMutation(
    () => webhookApi.webhooks.replay({ webhookId: target?.id ?? '', eventIds: [...eventIds] }),
    () => {
      toast(t`Replaying ${count}`)
      onDone?.()
      onClose()
    },
  )
  return (
    <FormDialog
      title={t`Replay ${count}`}
      action="Replay"
      lead="Sends the same event IDs again as new deliveries, ignoring the webhook’s event filter. Receivers can recognize them by the webhook-replay header; those that skip repeated IDs do nothing."
      failure={
        replay.failure ?? (targets.length === 0 ? t`No active webhook forwards events to a URL.` : undefined)
      }
      busy={replay.busy}
      onSubmit={() => target && replay.run()}
      onClose={onClose}
    >
      <Select
        label="Webhook"
        hint={target?.url}
        value={target?.id ?? ''}
        data-autofocus
        onChange={(event) => setSelectedId(event.target.value)}
      >
        {targets.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </FormDialog>
  )
}
