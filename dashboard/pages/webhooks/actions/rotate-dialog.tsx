import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { CopySecretDialog } from '../copy-secret-dialog.tsx'
import type { Webhook, WebhookWithSecret } from '../webhooks-queries.ts'
import { useWebhookMutation } from './use-webhook-mutation.ts'

const GRACES = [
  { seconds: 86_400, label: 'In 24 hours' },
  { seconds: 3600, label: 'In an hour' },
  { seconds: 604_800, label: 'In 7 days' },
  { seconds: 0, label: 'At once' },
]

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [made, setMade] = useState<WebhookWithSecret>()
  if (made) return <CopySecretDialog webhook={made} onDone={onClose} />
  return <Form webhook={webhook} onMade={setMade} onClose={onClose} />
}

interface FormProps {
  webhook: Webhook
  onMade: (made: WebhookWithSecret) => void
  onClose: () => void
}

function Form({ webhook: { id, name }, onMade, onClose }: FormProps) {
  const [grace, setGrace] = useState(GRACES[0]!.seconds)
  const [secret, setSecret] = useState('')
  const rotate = useWebhookMutation(
    () => api.webhooks.rotate({ id, gracePeriodSeconds: grace, secret: secret || undefined }),
    onMade,
  )
  return (
    <FormDialog
      title={`New secret for ${name}`}
      size="normal"
      action="Make a new secret"
      failure={rotate.failure}
      busy={rotate.busy}
      onSubmit={rotate.run}
      onClose={onClose}
    >
      <Select
        label="The old secret stops working"
        hint={
          grace === 0
            ? 'Whoever still uses the old one is refused from now on. Choose this if it leaked.'
            : 'Until then both are accepted, and what is sent carries both signatures: put the new one in place without losing anything.'
        }
        value={String(grace)}
        data-autofocus
        onChange={(event) => setGrace(Number(event.target.value))}
      >
        {GRACES.map(({ seconds, label }) => (
          <option key={seconds} value={seconds}>
            {label}
          </option>
        ))}
      </Select>
      <TextField
        label="A secret of your own (optional)"
        hint="For providers that make the secret themselves. Without one, a good one is made for you."
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
