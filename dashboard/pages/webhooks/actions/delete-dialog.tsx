import { useNavigate } from '@tanstack/react-router'
import { api } from '../../../api/client.ts'
import { ConfirmTyped } from '../../../components/dialogs/confirm-typed.tsx'
import { toast } from '../../../components/toast.tsx'
import type { Webhook } from '../webhooks-queries.ts'
import { refreshWebhooks } from './set-status.ts'

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <ConfirmTyped
      title="Delete this webhook"
      word={webhook.name}
      action="Delete webhook"
      onConfirm={async () => {
        await api.webhooks.remove({ id: webhook.id })
        await navigate({ to: '/webhooks' })
        void refreshWebhooks()
        toast(`Deleted ${webhook.name}`)
      }}
      onClose={onClose}
    >
      <p>
        Its address answers 404 from now on, its secret is gone, and so are its deliveries, also those still
        to be made. The events it received stay in the log.
      </p>
      <p>This cannot be undone. To stop it for a while, pause it instead.</p>
    </ConfirmTyped>
  )
}
