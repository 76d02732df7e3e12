import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'
import type { Webhook } from '../webhooks-queries.ts'
import { useWebhookMutation } from './use-webhook-mutation.ts'

const HOUR_MS = 3_600_000
const CHOICES = [
  { hours: '1', label: 'In the last hour' },
  { hours: '24', label: 'In the last 24 hours' },
  { hours: '168', label: 'In the last 7 days' },
  { hours: 'time', label: 'Since a time of your choice' },
]

export function RetryDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [choice, setChoice] = useState('24')
  const [time, setTime] = useState('')
  const since = () => (choice === 'time' ? new Date(time) : new Date(Date.now() - Number(choice) * HOUR_MS))
  const retry = useWebhookMutation(
    () => api.webhooks.retryFailed({ id: webhook.id, since: since().toISOString() }),
    ({ retried }) => {
      onClose()
      toast(said(retried))
    },
  )
  return (
    <FormDialog
      title="Retry what failed"
      action="Retry"
      lead={`Every delivery of ${webhook.name} that was given up since then is tried once more, to the address it has now.`}
      failure={webhook.status === 'active' ? retry.failure : `It is ${webhook.status}: make it active first.`}
      busy={retry.busy}
      onSubmit={() => webhook.status === 'active' && retry.run()}
      onClose={onClose}
    >
      <Select
        label="Given up"
        value={choice}
        data-autofocus
        onChange={(event) => setChoice(event.target.value)}
      >
        {CHOICES.map(({ hours, label }) => (
          <option key={hours} value={hours}>
            {label}
          </option>
        ))}
      </Select>
      {choice === 'time' && (
        <TextField
          label="Since"
          type="datetime-local"
          required
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
      )}
    </FormDialog>
  )
}

const said = (count: number) =>
  count === 0
    ? 'Nothing failed since then'
    : `${count.toLocaleString('en')} ${count === 1 ? 'delivery is' : 'deliveries are'} tried again`
