import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import type { Webhook } from '../webhooks-queries.ts'
import { setStatus } from './set-status.ts'

export function DisableDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  return (
    <FormDialog
      title={withNames`Disable ${webhook.name}`}
      action="Disable"
      busy={false}
      onSubmit={() => {
        onClose()
        void setStatus(webhook, 'disabled')
      }}
      onClose={onClose}
    >
      <div className="flex flex-col gap-8 text-neutral-11">
        <p>Incoming requests are rejected and pending deliveries are canceled.</p>
        <p>You can enable it again at any time. To keep receiving events, pause it instead.</p>
      </div>
    </FormDialog>
  )
}
