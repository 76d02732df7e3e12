import type { Sql } from '../../../database/database.ts'
import { notifyDispatchers } from '../../../events/publish.ts'
import { isLeased } from './leases.ts'

interface RetryResult {
  exists: boolean
  retried: number
  /** Whether there were failed or canceled deliveries. */
  failed: boolean
}

/** Retries all deliveries of an event, or one of them; none of a webhook that is paused or disabled. */
export async function retryDeliveries(
  sql: Sql,
  orgId: string,
  { eventId, deliveryId, now }: { eventId: string; deliveryId: string | null; now: Date },
): Promise<RetryResult> {
  const [row] = await sql<RetryResult[]>`
    with selected as (
      select d.id, d.status from deliveries d
      where d.org_id = ${orgId} and d.event_id = ${eventId} and (${deliveryId}::uuid is null or d.id = ${deliveryId}::uuid)
      for update
    ), retried as (
      update deliveries d set status = case d.status when 'retrying' then 'retrying' else 'pending' end,
        trigger = case when d.status = 'retrying' or d.trigger = 'replay' then d.trigger else 'manual' end,
        url = w.url, next_attempt_at = ${now}, completed_at = null
      from selected, webhooks w
      where d.org_id = ${orgId} and d.id = selected.id
        and (d.status in ('failed', 'canceled') or (d.status = 'retrying' and not (${isLeased(sql)})))
        and w.org_id = d.org_id and w.id = d.webhook_id and w.status = 'active' and w.url is not null
      returning d.id
    )
    select (exists (select from selected) or (${deliveryId}::uuid is null
        and exists (select from events where org_id = ${orgId} and id = ${eventId}))) as exists,
      (select count(*)::int from retried) as retried,
      exists (select from selected where status in ('failed', 'canceled')) as failed`
  if (row!.retried > 0) notifyDispatchers(sql)
  return row!
}

export async function retryFailedSince(
  sql: Sql,
  orgId: string,
  webhookId: string,
  since: Date,
  now: Date,
): Promise<number> {
  const [row] = await sql<{ retried: number }[]>`
    with retried as (
      update deliveries d set status = 'pending',
        trigger = case d.trigger when 'replay' then 'replay' else 'manual' end, url = w.url, next_attempt_at = ${now},
        completed_at = null
      from webhooks w
      where d.org_id = ${orgId} and d.webhook_id = ${webhookId} and d.status = 'failed' and d.completed_at >= ${since}
        and w.org_id = d.org_id and w.id = d.webhook_id and w.status = 'active' and w.url is not null
      returning d.id
    )
    select count(*)::int as retried from retried`
  if (row!.retried > 0) notifyDispatchers(sql)
  return row!.retried
}
