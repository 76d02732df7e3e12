import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { withNames } from '../../../components/name.tsx'
import { CopySecretDialog } from '../samples/samples.tsx'
import { type Webhook, type WebhookWithSecret, webhookApi } from '../webhooks-queries.ts'
import { useWebhookMutation } from './use-webhook-mutation.ts'

const GRACE_PERIODS = [
  { seconds: 86_400, label: t`In 24 hours` },
  { seconds: 3600, label: t`In an hour` },
  { seconds: 604_800, label: t`In 7 days` },
  { seconds: 0, label: t`Immediately` },
]

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [rotatedWebhook, setRotatedWebhook] = useState<WebhookWithSecret>()
  if (rotatedWebhook) return <CopySecretDialog webhook={rotatedWebhook} onDone={onClose} />
  return <Form webhook={webhook} onRotated={setRotatedWebhook} onClose={onClose} />
}

interface FormProps {
  webhook: Webhook
  onRotated: (webhook: WebhookWithSecret) => void
  onClose: () => void
}

function Form({ webhook: { id, name }, onRotated, onClose }: FormProps) {
  const [grace, setGrace] = useState(GRACE_PERIODS[0]!.seconds)
  const [secret, setSecret] = useState('')
  const rotate = useWebhookMutation(
    () => webhookApi.webhooks.rotate({ id, gracePeriodSeconds: grace, secret: secret || undefined }),
    onRotated,
  )
  return (
    <FormDialog
      title={withNames`Rotate secret for ${name}`}
      size="normal"
      action="Rotate secret"
      failure={rotate.failure}
      busy={rotate.busy}
      onSubmit={rotate.run}
      onClose={onClose}
    >
      <Select
        label="Current secret expires"
        hint={
          grace === 0
            ? t`Requests signed with the current secret are rejected from now on. Choose this if it leaked.`
            : t`Until then, both secrets work and deliveries are signed with both.`
        }
        value={String(grace)}
        data-autofocus
        onChange={(event) => setGrace(Number(event.target.value))}
      >
        {GRACE_PERIODS.map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
      </Select>
      <TextField
        label="New secret (optional)"
        hint="Paste your provider’s secret, or leave empty to generate one."
        autoComplete="off"
        spellCheck={false}
        minLength={16}
        limit={256}
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
      />
    </FormDialog>
  )
}
