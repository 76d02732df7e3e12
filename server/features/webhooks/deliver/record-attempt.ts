import type { Fragment, Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { TextResponse } from '../../../outbound/outbound.ts'

export interface AttemptResult {
  id: string
  webhookId: string
  eventId: string
  attempt: number
  succeeded: boolean
  timedOut: boolean
  /** Null after the last attempt. */
  nextAttemptAt: Date | null
  request: { url: string; headers: Record<string, string> }
  response: TextResponse | null
  error: string | null
  durationMs: number
  startedAt: Date
  now: Date
}

/**
 * The first success counts, even if another process has since claimed the delivery. A failure doesn't change a
 * completed, held or canceled delivery. Locks the webhook before the delivery, like pausing, disabling and deleting.
 */
export async function recordAttempt(sql: Sql, orgId: string, result: AttemptResult): Promise<void> {
  const { id, webhookId, eventId, attempt, succeeded, nextAttemptAt, request, response, error, now } = result
  const status = succeeded ? 'succeeded' : nextAttemptAt ? 'retrying' : 'failed'
  const decides = succeeded
    ? sql`d.status <> 'succeeded' and d.attempt >= ${attempt}`
    : sql`d.status in ('pending', 'retrying') and d.attempt = ${attempt}`
  const hasOther = (condition: Fragment) => sql`exists (
    select from deliveries o where o.org_id = ${orgId} and o.event_id = ${eventId} and o.id <> ${id} and ${condition})`
  const [event] = await sql<{ status: string }[]>`
    with w as (
      update webhooks set last_delivery_at = ${now},
        failing_since = case when ${succeeded} then null else coalesce(failing_since, ${now}) end,
        timeouts = case when ${result.timedOut} then timeouts + 1 else 0 end,
        delivery_count = delivery_count + (${succeeded} and exists (
          select from deliveries d where d.org_id = ${orgId} and d.id = ${id} and ${decides}))::int
      where org_id = ${orgId} and id = ${webhookId}
      returning id
    ), d as (
      update deliveries d set status = ${status}, next_attempt_at = ${nextAttemptAt},
        response = ${sql.json(response as never)}, error = ${error}, duration_ms = ${result.durationMs},
        completed_at = ${status === 'retrying' ? null : now}
      from w where d.org_id = ${orgId} and d.id = ${id} and d.webhook_id = w.id and ${decides}
      returning d.trigger
    ), a as (
      insert into delivery_attempts (org_id, delivery_id, attempt, webhook_id, succeeded, started_at, duration_ms, request,
        response, error)
      select ${orgId}, d.id, ${attempt}, d.webhook_id, ${succeeded}, ${result.startedAt}, ${result.durationMs},
        ${sql.json(request)}, ${sql.json(response as never)}, ${error}
      from deliveries d where d.org_id = ${orgId} and d.id = ${id} and exists (select from w)
      on conflict do nothing
    )
    update events e set status = case
      when ${status === 'failed'} or (e.status = 'failed' and (d.trigger <> 'manual' or ${hasOther(sql`o.status = 'failed'`)}))
        then 'failed'
      when ${status === 'retrying'} or (e.status = 'retrying' and ${hasOther(sql`o.status in ('pending', 'retrying')`)})
        then 'retrying'
      else 'delivered' end
    from d where e.org_id = ${orgId} and e.id = ${eventId}
    returning e.status`
  if (succeeded && event?.status === 'retrying') await settleEvent(sql, orgId, eventId)
}

/**
 * Concurrent transactions don't see each other's rows for one event. Each waits for the event's lock, then sees earlier
 * records.
 */
const settleEvent = (sql: Sql, orgId: string, eventId: string): Promise<void> =>
  inTransaction(sql, async (inside) => {
    await inside`select from events where org_id = ${orgId} and id = ${eventId} for update`
    await inside`
      update events e set status = 'delivered'
      where e.org_id = ${orgId} and e.id = ${eventId} and e.status = 'retrying' and not exists (
        select from deliveries d
        where d.org_id = ${orgId} and d.event_id = ${eventId} and d.status in ('pending', 'retrying'))`
  })
