import { CirclePause, KeyRound, RotateCw, Send } from 'lucide-react'
import { usePageKeys } from '../../../frame/page-keys.ts'
import type { Webhook } from '../webhooks-queries.ts'
import type { WebhookActions } from './use-webhook-actions.tsx'

/** What is done often, by one key; `meant` says to which webhook, if to any. */
export function useWebhookKeys(actions: WebhookActions, meant: () => Webhook | undefined) {
  const withOne = (act: (webhook: Webhook) => void, isPossible = (_webhook: Webhook) => true) => {
    return () => {
      const webhook = meant()
      if (!webhook || !isPossible(webhook)) return false
      act(webhook)
    }
  }
  const isOn = ({ status }: Webhook) => status !== 'disabled'
  usePageKeys([
    { label: 'Send a test', keys: 't', icon: Send, run: withOne(actions.test, isOn) },
    { label: 'Pause, or resume', keys: 'p', icon: CirclePause, run: withOne(actions.pauseOrResume, isOn) },
    { label: 'Retry what failed', keys: 'r', icon: RotateCw, run: withOne(actions.retry) },
    { label: 'New secret', keys: 'S', icon: KeyRound, run: withOne(actions.rotate) },
  ])
}
