import type { WebhookActions } from '../actions/use-webhook-actions.tsx'
import type { Webhook } from '../webhooks-queries.ts'

export interface TabProps {
  webhook: Webhook
  actions: WebhookActions
}
