import type { z } from 'zod'
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryAttempt,
} from '../../../../contract/webhooks/webhook-records.ts'
import type { Sql } from '../../../database/database.ts'

type DeliveryRecord = z.output<typeof Delivery>
export type DeliveryRow = Omit<DeliveryRecord, 'retryCount'> & { webhookName: string }

/** `limit 1` looks up events by primary key, even without planner statistics. */
const select = (sql: Sql) => sql`
  select d.id, d.event_id as "eventId", e.type as "eventType",
    d.event_direction as "eventDirection", d.webhook_id as "webhookId", d.url,
    (select w.name from webhooks w where w.org_id = d.org_id and w.id = d.webhook_id) as "webhookName", d.status, d.attempt, d.next_attempt_at as "nextAttemptAt", d.trigger, d.response, d.error,
    d.duration_ms as "durationMs", d.created_at as "createdAt", d.completed_at as "completedAt"
  from deliveries d
  cross join lateral (
    select e.type from events e where e.org_id = d.org_id and e.id = d.event_id limit 1
  ) e`

interface DeliveryList {
  webhookId: string
  status: DeliveryRecord['status'] | undefined
  before: string | null
  limit: number
}

/** Reads each status's newest from one index, then merges. */
export const listDeliveries = (
  sql: Sql,
  orgId: string,
  { webhookId, status, before, limit }: DeliveryList,
) => sql<DeliveryRow[]>`
  ${select(sql)}
  where d.org_id = ${orgId} and d.id = any(array(
    select newest.id from unnest(${status ? [status] : DELIVERY_STATUSES}::text[]) as of (status) cross join lateral (
      select d.id from deliveries d
      where d.org_id = ${orgId} and d.webhook_id = ${webhookId} and d.status = of.status
        ${before ? sql`and d.id < ${before}` : sql``}
      order by d.id desc limit ${limit}
    ) newest order by newest.id desc limit ${limit}))
  order by d.id desc`

export const listDeliveriesOfEvent = (sql: Sql, orgId: string, eventId: string) => sql<DeliveryRow[]>`
  ${select(sql)} where d.org_id = ${orgId} and d.event_id = ${eventId} order by d.id limit 200`

export type AttemptRow = z.output<typeof DeliveryAttempt> & { deliveryId: string }

export const listAttempts = (sql: Sql, orgId: string, deliveryIds: string[]) => sql<AttemptRow[]>`
  select delivery_id as "deliveryId", attempt, started_at as "startedAt", duration_ms as "durationMs", request, response,
    error
  from delivery_attempts where org_id = ${orgId} and delivery_id = any(${deliveryIds}::uuid[]) order by attempt`

export const presentDelivery = (row: DeliveryRow): DeliveryRecord => ({
  id: row.id,
  eventId: row.eventId,
  eventType: row.eventType,
  eventDirection: row.eventDirection,
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
