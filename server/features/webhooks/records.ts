import type { z } from 'zod'
import type { Webhook } from '../../../contract/webhooks/webhook-records.ts'
import type { Origin } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'

type WebhookOutput = z.output<typeof Webhook>

export interface WebhookRow
  extends Omit<WebhookOutput, 'url' | 'forwards' | 'enabled' | 'receiveUrl' | 'health'> {
  url: string | null
  version: number
  succeeded: number[]
  failed: number[]
}

export const columns = (sql: Sql): Fragment => sql`
  w.id, w.name, w.url, w.receives, w.source, w.scheme, w.dedup_window_seconds as "dedupWindowSeconds", w.description, w.events, w.status, w.disabled_reason as "disabledReason",
  w.paused_reason as "pausedReason", w.paused_at as "pausedAt",
  w.delivery_count as "deliveryCount", w.last_delivery_at as "lastDeliveryAt", w.version,
  w.created_at as "createdAt", w.updated_at as "updatedAt"`

export const buildReceiveUrl = ({ baseUrl }: Pick<Origin, 'baseUrl'>, id: string) =>
  `${baseUrl}/api/v1/webhooks/receive/${id}`

export function present(row: WebhookRow, origin: Pick<Origin, 'baseUrl'>): WebhookOutput {
  const receiveUrl = buildReceiveUrl(origin, row.id)
  return {
    id: row.id,
    name: row.name,
    url: row.url ?? receiveUrl,
    forwards: row.url !== null,
    receives: row.receives,
    source: row.source,
    scheme: row.scheme,
    dedupWindowSeconds: row.dedupWindowSeconds,
    description: row.description,
    events: row.events,
    status: row.status,
    enabled: row.status === 'active',
    disabledReason: row.disabledReason,
    pausedReason: row.pausedReason,
    pausedAt: row.pausedAt,
    deliveryCount: row.deliveryCount,
    lastDeliveryAt: row.lastDeliveryAt,
    health: { succeeded: row.succeeded, failed: row.failed },
    previousSecretUntil: row.previousSecretUntil,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    receiveUrl,
  }
}
