import type { Sql } from '../../../database/database.ts'
import { notifyDispatchers } from '../../../events/publish.ts'
import { isInHand } from './leases.ts'

interface Retried {
  exists: boolean
  retried: number
  /** Whether there was something to retry. */
  failed: boolean
}

/** Of one event, all or one; nothing where the webhook is disabled, since its address is given up. */
export async function updateRetried(
  sql: Sql,
  orgId: string,
  { eventId, deliveryId, now }: { eventId: string; deliveryId: string | null; now: Date },
): Promise<Retried> {
  const [row] = await sql<Retried[]>`
    with meant as (
      select d.id, d.status from deliveries d
      where d.org_id = ${orgId} and d.event_id = ${eventId} and (${deliveryId}::uuid is null or d.id = ${deliveryId}::uuid)
      for update
    ), retried as (
      update deliveries d set status = case d.status when 'retrying' then 'retrying' else 'pending' end,
        trigger = case d.status when 'retrying' then d.trigger else 'manual' end,
        url = w.url, next_attempt_at = ${now}, completed_at = null
      from meant, webhooks w
      where d.org_id = ${orgId} and d.id = meant.id
        and (d.status in ('failed', 'canceled') or (d.status = 'retrying' and not (${isInHand(sql)})))
        and w.org_id = d.org_id and w.id = d.webhook_id and w.status = 'active' and w.url is not null
      returning d.id
    )
    select (exists (select from meant) or (${deliveryId}::uuid is null
        and exists (select from events where org_id = ${orgId} and id = ${eventId}))) as exists,
      (select count(*)::int from retried) as retried,
      exists (select from meant where status in ('failed', 'canceled')) as failed`
  if (row!.retried > 0) notifyDispatchers(sql)
  return row!
}

export async function updateFailedSince(
  sql: Sql,
  orgId: string,
  webhookId: string,
  since: Date,
  now: Date,
): Promise<number> {
  const [row] = await sql<{ retried: number }[]>`
    with retried as (
      update deliveries d set status = 'pending', trigger = 'manual', url = w.url, next_attempt_at = ${now},
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
