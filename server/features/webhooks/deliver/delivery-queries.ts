import type { Fragment, Sql } from '../../../database/database.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { TextResponse } from '../../../outbound/outbound.ts'
import { deliveredEvent } from '../event-records.ts'
import type { SealedSecrets } from '../secrets.ts'

/** A leased delivery with everything that one attempt needs. */
export interface ClaimedDelivery extends Omit<SealedSecrets, 'id'> {
  orgId: string
  id: string
  webhookId: string
  url: string
  attempt: number
  trigger: 'scheduled' | 'manual' | 'test' | 'replay'
  failingSince: string | null
  /** Attempts to reach the webhook in a row that timed out before. */
  timeouts: number
  event: {
    id: string
    type: string
    source: string
    payload: unknown
    receivedAt: string
    hops: string | null
  }
  /** The body of a received event, which is sent instead of the payload. */
  body: Uint8Array | null
  /** The trace of the cause of the event. */
  trace: string | null
}

export interface Claim {
  /** How many deliveries of each webhook this process attempts now. */
  running: readonly { orgId: string; webhookId: string; count: number }[]
  /** How many of one webhook it may attempt in parallel: while the endpoint works, and while it fails. */
  perWebhook: { working: number; failing: number }
  /** How many of one organization it may attempt in parallel. */
  perOrganization: number
  limit: number
  now: Date
  /** When other processes may claim the deliveries if this process is killed. */
  leasedUntil: Date
}

/**
 * Leases due deliveries. Organizations take turns: those with the fewest running deliveries come first, then those that
 * wait longest, each with an equal share of the claim; within an organization, webhooks take turns too, and those that
 * fail together get at most half of its places. These limits keep an endpoint that hangs, or a thousand of them, from
 * delaying the deliveries of others. Webhooks with pending deliveries are found by a loose index scan, independent of
 * other rows. A paused webhook gets only its tests. `offset 0` makes PostgreSQL look up each row, also without
 * statistics, instead of joining tables.
 */
export async function claimDeliveries(sql: Sql, claim: Claim) {
  const { running, perWebhook, perOrganization, limit, now, leasedUntil } = claim
  return sql<ClaimedDelivery[]>`
    with recursive hooks (org_id, webhook_id) as (
      (select org_id, webhook_id from deliveries where status in ('pending', 'retrying') order by org_id, webhook_id limit 1)
      union all
      select next.* from hooks cross join lateral (
        select d.org_id, d.webhook_id from deliveries d
        where d.status in ('pending', 'retrying') and (d.org_id, d.webhook_id) > (hooks.org_id, hooks.webhook_id)
        order by d.org_id, d.webhook_id limit 1
      ) next
    ), running as materialized (
      select r.*, (
        select failing_since is not null from webhooks w where w.org_id = r.org_id and w.id = r.webhook_id
      ) as is_failing
      from unnest(${running.map(({ orgId }) => orgId)}::uuid[],
        ${running.map(({ webhookId }) => webhookId)}::uuid[], ${running.map(({ count }) => count)}::int[]
      ) as r (org_id, webhook_id, count)
    ), ready as materialized (
      select hooks.org_id, w.id, w.status, first.next_attempt_at, coalesce(r.count, 0) as running,
        w.failing_since is not null as is_failing, may.run - coalesce(r.count, 0) as capacity,
        sum(may.run - coalesce(r.count, 0)) over (
          partition by hooks.org_id, w.failing_since is not null
          order by coalesce(r.count, 0), first.next_attempt_at, w.id) as until_here
      from hooks
      cross join lateral (
        select d.next_attempt_at from deliveries d
        where d.org_id = hooks.org_id and d.webhook_id = hooks.webhook_id and d.status in ('pending', 'retrying')
          and d.next_attempt_at <= ${now}
        order by d.next_attempt_at limit 1
      ) first
      cross join lateral (
        select id, status, failing_since from webhooks where org_id = hooks.org_id and id = hooks.webhook_id offset 0
      ) w
      left join running r on r.webhook_id = w.id
      cross join lateral (
        select case when w.failing_since is null then ${perWebhook.working}::int else ${perWebhook.failing} end as run
      ) may
      where may.run > coalesce(r.count, 0)
    ), turns as materialized (
      select o.org_id, least(${perOrganization}::int - coalesce(r.count, 0),
        greatest(1, ${limit}::int / count(*) over ())) as share,
        (${perOrganization}::int + 1) / 2 - coalesce(r.failing, 0) as failing_share
      from (select org_id, min(next_attempt_at) as since from ready group by org_id) o
      left join (
        select org_id, sum(count)::int as count, (sum(count) filter (where is_failing))::int as failing
        from running group by org_id
      ) r on r.org_id = o.org_id
      where ${perOrganization} > coalesce(r.count, 0)
      order by coalesce(r.count, 0), o.since limit ${limit}
    ), due as materialized (
      select d.* from turns
      cross join lateral (
        select d.* from (
          select ready.*, case when is_failing
            then least(capacity, turns.failing_share - (until_here - capacity)) else capacity end as places
          from ready where ready.org_id = turns.org_id
            and (not is_failing or until_here - capacity < turns.failing_share)
          order by is_failing, running, next_attempt_at offset 0
        ) ready
        cross join lateral (
          select d.org_id, d.id from deliveries d
          where d.org_id = ready.org_id and d.webhook_id = ready.id and d.status in ('pending', 'retrying')
            and d.next_attempt_at <= ${now} and (ready.status = 'active' or d.trigger = 'test')
          order by d.next_attempt_at limit ready.places
          for update skip locked
        ) d
        limit turns.share
      ) d
      limit ${limit}
    ), leased as (
      update deliveries d set attempt = d.attempt + 1, next_attempt_at = ${leasedUntil} from due
      where d.org_id = due.org_id and d.id = due.id
      returning d.org_id, d.id, d.webhook_id, d.event_id, d.url, d.attempt, d.trigger
    )
    select t.org_id as "orgId", t.id, t.webhook_id as "webhookId", t.url, t.attempt, t.trigger, w.*, e.*
    from leased t
    cross join lateral (
      select failing_since as "failingSince", timeouts, secret_sealed as "secretSealed",
        previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil"
      from webhooks w where w.org_id = t.org_id and w.id = t.webhook_id offset 0
    ) w
    cross join lateral (
      select ${deliveredEvent(sql)} as event, e.body, e.trace from events e
      where e.org_id = t.org_id and e.id = t.event_id offset 0
    ) e`
}

export interface AttemptResult {
  id: string
  webhookId: string
  eventId: string
  attempt: number
  succeeded: boolean
  timedOut: boolean
  /** Null when no further attempt follows. */
  nextAttemptAt: Date | null
  request: { url: string; headers: Record<string, string> }
  response: TextResponse | null
  error: string | null
  durationMs: number
  startedAt: Date
  now: Date
}

/**
 * Records an attempt and its effects on the webhook, the delivery and the event. The first success counts, even if
 * another process has claimed the delivery since; a failure does not change a delivery that is completed, held or
 * canceled. Locks the webhook before the delivery, in the same order as pausing, disabling and deleting a webhook.
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
 * Concurrent transactions that record deliveries of one event do not see each other's rows. Each waits for the lock of
 * the event, and then sees the deliveries that were recorded before.
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

/**
 * Releases all leases when the only process on the database starts: every lease belongs to a killed process.
 * Deliveries that wait for a scheduled retry are not leased, and stay as they are.
 */
export async function releaseOrphanedDeliveries(sql: Sql, now: Date): Promise<void> {
  await sql`
    update deliveries d set next_attempt_at = ${now}
    where d.status in ('pending', 'retrying') and d.next_attempt_at > ${now} and ${isLeased(sql)}`
}

/** Whether the last attempt was begun and has no recorded result. */
export const isLeased = (sql: Sql): Fragment => sql`d.attempt > 0 and not exists (
  select from delivery_attempts a where a.org_id = d.org_id and a.delivery_id = d.id and a.attempt = d.attempt)`
