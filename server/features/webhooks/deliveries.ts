import type { z } from 'zod'
import type { Delivery, DeliveryAttempt } from '../../../contract/webhook-records.ts'
import type { Sql } from '../../database/database.ts'

type Presented = z.output<typeof Delivery>
export type DeliveryRow = Omit<Presented, 'retryCount'> & { webhookName: string }

const select = (sql: Sql) => sql`
  select d.id, d.event_id as "eventId", e.type as "eventType", d.webhook_id as "webhookId", w.name as "webhookName", d.url,
    d.status, d.attempt, d.next_attempt_at as "nextAttemptAt", d.trigger, d.response, d.error,
    d.duration_ms as "durationMs", d.created_at as "createdAt", d.completed_at as "completedAt"
  from deliveries d
  join events e on e.org_id = d.org_id and e.id = d.event_id
  join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id`

interface DeliveryList {
  webhookId: string
  status: Presented['status'] | undefined
  before: string | null
  limit: number
}

export const listDeliveries = (
  sql: Sql,
  orgId: string,
  { webhookId, status, before, limit }: DeliveryList,
) => sql<DeliveryRow[]>`
  ${select(sql)}
  where d.org_id = ${orgId} and d.webhook_id = ${webhookId}
    ${status === undefined ? sql`` : sql`and d.status = ${status}`} ${before ? sql`and d.id < ${before}` : sql``}
  order by d.id desc limit ${limit}`

export const listDeliveriesOfEvent = (sql: Sql, orgId: string, eventId: string) => sql<DeliveryRow[]>`
  ${select(sql)} where d.org_id = ${orgId} and d.event_id = ${eventId} order by d.id limit 200`

export type AttemptRow = z.output<typeof DeliveryAttempt> & { deliveryId: string }

export const listAttempts = (sql: Sql, orgId: string, deliveryIds: string[]) => sql<AttemptRow[]>`
  select delivery_id as "deliveryId", attempt, started_at as "startedAt", duration_ms as "durationMs", request, response,
    error
  from delivery_attempts where org_id = ${orgId} and delivery_id = any(${deliveryIds}::uuid[]) order by attempt`

export const presentDelivery = (row: DeliveryRow): Presented => ({
  id: row.id,
  eventId: row.eventId,
  eventType: row.eventType,
  webhookId: row.webhookId,
  url: row.url,
  status: row.status,
  attempt: row.attempt,
  retryCount: Math.max(0, row.attempt - 1),
  nextAttemptAt: row.nextAttemptAt,
  trigger: row.trigger,
  response: row.response,
  error: row.error,
  durationMs: row.durationMs,
  createdAt: row.createdAt,
  completedAt: row.completedAt,
})
