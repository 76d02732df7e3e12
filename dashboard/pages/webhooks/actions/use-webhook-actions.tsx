import { useNavigate } from '@tanstack/react-router'
import { CirclePause, KeyRound, RotateCw, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { copyWithToast } from '../../../components/copy.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { type Webhook, webhookApi } from '../webhooks-queries.ts'
import { RetryDialog } from './retry-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { setStatus } from './use-webhook-mutation.ts'

const DIALOGS = {
  test: TestDialog,
  retry: RetryDialog,
  rotate: RotateDialog,
  disable: DisableDialog,
  remove: DeleteDialog,
}

/** Shared by rows, menus, shortcuts and pages. */
export interface WebhookActions extends Record<keyof typeof DIALOGS, (webhook: Webhook) => void> {
  pauseOrResume: (webhook: Webhook) => void
  enable: (webhook: Webhook) => void
  copyReceivingUrl: (webhook: Webhook) => void
}

export function useWebhookActions(): { actions: WebhookActions; dialog: ReactNode } {
  const [open, setOpen] = useState<{ action: keyof typeof DIALOGS; webhook: Webhook }>()
  const openDialog = (action: keyof typeof DIALOGS) => (webhook: Webhook) => setOpen({ action, webhook })
  const actions: WebhookActions = {
    test: openDialog('test'),
    retry: openDialog('retry'),
    rotate: openDialog('rotate'),
    disable: openDialog('disable'),
    remove: openDialog('remove'),
    pauseOrResume: (webhook) => void setStatus(webhook, webhook.status === 'paused' ? 'active' : 'paused'),
    enable: (webhook) => void setStatus(webhook, 'active'),
    copyReceivingUrl: (webhook) => void copyWithToast(webhook.receiveUrl, t`receiving URL`),
  }
  const OpenDialog = open && DIALOGS[open.action]
  const dialog = OpenDialog && <OpenDialog webhook={open.webhook} onClose={() => setOpen(undefined)} />
  return { actions, dialog }
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
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
          ? t`Its receiving URL will return 404. Its secret and all deliveries, including pending ones, are deleted. Received events stay in the event log.`
          : t`Its secret and all deliveries, including pending ones, are deleted.`}
      </p>
      <p>This can’t be undone. To stop deliveries temporarily, pause the webhook instead.</p>
    </ConfirmDialog>
  )
}

function DisableDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
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

export function useWebhookKeys(actions: WebhookActions, target: () => Webhook | undefined) {
  const onTarget = (action: (webhook: Webhook) => void, isAllowed = (_webhook: Webhook) => true) => {
    return () => {
      const webhook = target()
      if (!webhook || !isAllowed(webhook)) return false
      action(webhook)
    }
  }
  const isEnabled = ({ status }: Webhook) => status !== 'disabled'
  usePageKeys([
    { label: t`Send test event`, keys: 't', icon: Send, run: onTarget(actions.test, isEnabled) },
    {
      label: t`Pause or resume`,
      keys: 'p',
      icon: CirclePause,
      run: onTarget(actions.pauseOrResume, isEnabled),
    },
    { label: t`Retry failed deliveries`, keys: 'r', icon: RotateCw, run: onTarget(actions.retry) },
    { label: t`Rotate secret`, keys: 'S', icon: KeyRound, run: onTarget(actions.rotate) },
  ])
}
