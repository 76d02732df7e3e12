import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { webhookApi } from '../webhooks-api.ts'
import type { Webhook } from '../webhooks-queries.ts'

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id, name, receives } = webhook
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      title="Delete webhook"
      phrase={name}
      action="Delete webhook"
      mutate={() => webhookApi.webhooks.remove({ id })}
      onSuccess={() => navigate({ to: '/webhooks' })}
      invalidates={[['webhooks']]}
      success={withNames`Deleted ${name}`}
      onClose={onClose}
    >
      <p>
        {receives
          ? 'Its receiving URL will return 404. Its secret and all its deliveries, including pending ones, are deleted. Received events stay in the event log.'
          : 'Its secret and all its deliveries, including pending ones, are deleted.'}
      </p>
      <p>This can’t be undone. To stop deliveries temporarily, pause the webhook instead.</p>
    </ConfirmDialog>
  )
}
