import { SecretDialog } from '../../components/dialogs/secret-dialog.tsx'
import { withNames } from '../../components/name.tsx'
import { Samples } from './samples/samples.tsx'
import type { WebhookWithSecret } from './webhooks-queries.ts'

/** The only time the secret is shown in full. */
export function CopySecretDialog({ webhook, onDone }: { webhook: WebhookWithSecret; onDone: () => void }) {
  const { name, secret, receives } = webhook
  return (
    <SecretDialog
      size="wide"
      title={withNames`Copy the secret of “${name}”`}
      what="secret"
      value={secret}
      about={
        receives
          ? 'The secret is shown only once. Anyone with the secret can send signed requests to this webhook.'
          : 'The secret is shown only once. Your endpoint needs it to verify deliveries.'
      }
      onClose={onDone}
    >
      <Samples webhook={webhook} secret={secret} />
    </SecretDialog>
  )
}
