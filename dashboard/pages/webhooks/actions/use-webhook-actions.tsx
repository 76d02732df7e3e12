import { type ReactNode, useState } from 'react'
import { copyWithToast } from '../../../components/copy-with-toast.ts'
import type { Webhook } from '../webhooks-queries.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { RetryDialog } from './retry-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { setStatus } from './set-status.ts'
import { TestDialog } from './test-dialog.tsx'

const DIALOGS = {
  test: TestDialog,
  retry: RetryDialog,
  rotate: RotateDialog,
  disable: DisableDialog,
  remove: DeleteDialog,
}

/** The actions that rows, menus, shortcuts and pages share. */
export interface WebhookActions extends Record<keyof typeof DIALOGS, (webhook: Webhook) => void> {
  pauseOrResume: (webhook: Webhook) => void
  enable: (webhook: Webhook) => void
  copyReceivingUrl: (webhook: Webhook) => void
}

/** The actions of webhooks, and the open dialog. */
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
    copyReceivingUrl: (webhook) => void copyWithToast(webhook.receiveUrl, 'the receiving URL'),
  }
  const OpenDialog = open && DIALOGS[open.action]
  const dialog = OpenDialog && <OpenDialog webhook={open.webhook} onClose={() => setOpen(undefined)} />
  return { actions, dialog }
}
