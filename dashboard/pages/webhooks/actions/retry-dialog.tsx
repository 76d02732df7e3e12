import { useState } from 'react'
import { LOCALE, t } from '../../../../contract/text.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { toast } from '../../../components/toast.tsx'
import { type Webhook, webhookApi } from '../webhooks-queries.ts'
import { useWebhookMutation } from './use-webhook-mutation.ts'

const HOUR_MS = 3_600_000
const PERIODS = [
  { hours: '1', label: t`Last hour` },
  { hours: '24', label: t`Last 24 hours` },
  { hours: '168', label: t`Last 7 days` },
  { hours: 'time', label: t`Custom` },
]

const INACTIVE = {
  paused: t`This webhook is paused. Resume it first.`,
  disabled: t`This webhook is disabled. Enable it first.`,
}

export function RetryDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [period, setPeriod] = useState('24')
  const [time, setTime] = useState('')
  const since = () => (period === 'time' ? new Date(time) : new Date(Date.now() - Number(period) * HOUR_MS))
  const retry = useWebhookMutation(
    () => webhookApi.webhooks.retryFailed({ id: webhook.id, since: since().toISOString() }),
    ({ retried }) => {
      onClose()
      toast(resultText(retried))
    },
  )
  return (
    <FormDialog
      title="Retry failed deliveries"
      action="Retry"
      lead={t`Resends ${webhook.name}’s failed deliveries to its current endpoint URL.`}
      failure={webhook.status === 'active' ? retry.failure : INACTIVE[webhook.status]}
      busy={retry.busy}
      onSubmit={() => webhook.status === 'active' && retry.run()}
      onClose={onClose}
    >
      <Select
        label="Failed in"
        value={period}
        data-autofocus
        onChange={(event) => setPeriod(event.target.value)}
      >
        {PERIODS.map(({ hours, label }) => (
          <option key={hours} value={hours}>
            {label}
          </option>
        ))}
      </Select>
      {period === 'time' && (
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

const resultText = (count: number) =>
  count === 0
    ? t`No failed deliveries in this period`
    : count === 1
      ? t`Retrying 1 delivery`
      : t`Retrying ${count.toLocaleString(LOCALE)} deliveries`
