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

/** What a row, a menu, a key or a page can ask for. */
export interface WebhookActions extends Record<keyof typeof DIALOGS, (webhook: Webhook) => void> {
  pauseOrResume: (webhook: Webhook) => void
  enable: (webhook: Webhook) => void
  copyReceivingUrl: (webhook: Webhook) => void
}

/** The actions, and the dialog of the one that asks something first. */
export function useWebhookActions(): { actions: WebhookActions; dialog: ReactNode } {
  const [asking, setAsking] = useState<{ act: keyof typeof DIALOGS; webhook: Webhook }>()
  const ask = (act: keyof typeof DIALOGS) => (webhook: Webhook) => setAsking({ act, webhook })
  const actions: WebhookActions = {
    test: ask('test'),
    retry: ask('retry'),
    rotate: ask('rotate'),
    disable: ask('disable'),
    remove: ask('remove'),
    pauseOrResume: (webhook) => void setStatus(webhook, webhook.status === 'paused' ? 'active' : 'paused'),
    enable: (webhook) => void setStatus(webhook, 'active'),
    copyReceivingUrl: (webhook) => void copyWithToast(webhook.receiveUrl, 'the receive address'),
  }
  const Asked = asking && DIALOGS[asking.act]
  const dialog = Asked && <Asked webhook={asking.webhook} onClose={() => setAsking(undefined)} />
  return { actions, dialog }
}
