import { CirclePause, KeyRound, RotateCw, Send } from 'lucide-react'
import { usePageKeys } from '../../../frame/page-keys.ts'
import type { Webhook } from '../webhooks-queries.ts'
import type { WebhookActions } from './use-webhook-actions.tsx'

/** Keyboard shortcuts for the webhook that `target` returns. */
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
    { label: 'Send test event', keys: 't', icon: Send, run: onTarget(actions.test, isEnabled) },
    {
      label: 'Pause or resume',
      keys: 'p',
      icon: CirclePause,
      run: onTarget(actions.pauseOrResume, isEnabled),
    },
    { label: 'Retry failed deliveries', keys: 'r', icon: RotateCw, run: onTarget(actions.retry) },
    { label: 'Rotate secret', keys: 'S', icon: KeyRound, run: onTarget(actions.rotate) },
  ])
}
