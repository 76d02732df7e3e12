import type { Sql } from '../../../database/database.ts'
import type { TextResponse } from '../../../outbound/outbound.ts'
import { toSend } from '../log/event-records.ts'
import type { SealedSecrets } from '../secrets.ts'

/** A leased delivery with everything that one attempt needs. */
export interface ClaimedDelivery extends Omit<SealedSecrets, 'id'> {
  orgId: string
  id: string
  webhookId: string
  url: string
  attempt: number
  trigger: 'scheduled' | 'manual' | 'test'
  failingSince: string | null
  event: {
    id: string
    type: string
    source: string
    payload: unknown
    receivedAt: string
    hops: string | null
  }
}

export interface Claim {
  /** How many deliveries of each webhook this process attempts now. */
  running: ReadonlyMap<string, number>
  /** How many of one webhook it may attempt at once: while the endpoint works, and while it fails. */
  perWebhook: { working: number; failing: number }
  limit: number
  now: Date
  /** When other processes may claim them, should this one be killed. */
  leasedUntil: Date
}

/**
 * Leases due deliveries, up to a limit per webhook, so that an endpoint that hangs delays its own deliveries alone. When
 * capacity is short, webhooks with the fewest running deliveries come first, then those that wait longest. Webhooks with
 * pending deliveries are found by a loose index scan, whatever else is stored. A paused webhook gets only its tests.
 * `offset 0` makes PostgreSQL look up the event of each delivery instead of joining all events.
 */
export async function claimDeliveries(sql: Sql, { running, perWebhook, limit, now, leasedUntil }: Claim) {
  return sql<ClaimedDelivery[]>`
    with recursive hooks (webhook_id) as (
      (select webhook_id from deliveries where status in ('pending', 'retrying') order by webhook_id limit 1)
      union all
      select (
        select d.webhook_id from deliveries d
        where d.status in ('pending', 'retrying') and d.webhook_id > hooks.webhook_id order by d.webhook_id limit 1
      ) from hooks where hooks.webhook_id is not null
    ), ready as materialized (
      select w.id, w.status, may.run - coalesce(r.count, 0) as capacity
      from hooks
      cross join lateral (
        select d.next_attempt_at from deliveries d
        where d.webhook_id = hooks.webhook_id and d.status in ('pending', 'retrying') and d.next_attempt_at <= ${now}
        order by d.next_attempt_at limit 1
      ) first
      cross join lateral (select id, status, failing_since from webhooks where id = hooks.webhook_id offset 0) w
      left join unnest(${[...running.keys()]}::uuid[], ${[...running.values()]}::int[]) as r (id, count) on r.id = w.id
      cross join lateral (
        select case when w.failing_since is null then ${perWebhook.working}::int else ${perWebhook.failing} end as run
      ) may
      where may.run > coalesce(r.count, 0)
      order by coalesce(r.count, 0), first.next_attempt_at limit ${limit}
    ), due as materialized (
      select d.org_id, d.id from ready
      cross join lateral (
        select org_id, id from deliveries d
        where d.webhook_id = ready.id and d.status in ('pending', 'retrying') and d.next_attempt_at <= ${now}
          and (ready.status = 'active' or d.trigger = 'test')
        order by d.next_attempt_at limit ready.capacity
        for update skip locked
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
      select failing_since as "failingSince", secret_sealed as "secretSealed",
        previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil"
      from webhooks w where w.org_id = t.org_id and w.id = t.webhook_id offset 0
    ) w
    cross join lateral (
      select ${toSend(sql)} as event from events e where e.org_id = t.org_id and e.id = t.event_id offset 0
    ) e`
}

export interface AttemptResult {
  id: string
  webhookId: string
  eventId: string
  attempt: number
  succeeded: boolean
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
 * canceled. The webhook is locked before the delivery, in the order of pausing, disabling and deleting it.
 */
export async function recordAttempt(sql: Sql, orgId: string, done: AttemptResult): Promise<void> {
  const { id, webhookId, eventId, attempt, succeeded, nextAttemptAt, request, response, error, now } = done
  const status = succeeded ? 'succeeded' : nextAttemptAt ? 'retrying' : 'failed'
  const decides = succeeded
    ? sql`d.status <> 'succeeded' and d.attempt >= ${attempt}`
    : sql`d.status in ('pending', 'retrying') and d.attempt = ${attempt}`
  await sql`
    with w as (
      update webhooks set last_delivery_at = ${now},
        failing_since = case when ${succeeded} then null else coalesce(failing_since, ${now}) end,
        delivery_count = delivery_count + (${succeeded} and exists (
          select from deliveries d where d.org_id = ${orgId} and d.id = ${id} and ${decides}))::int
      where org_id = ${orgId} and id = ${webhookId}
      returning id
    ), d as (
      update deliveries d set status = ${status}, next_attempt_at = ${nextAttemptAt},
        response = ${sql.json(response as never)}, error = ${error}, duration_ms = ${done.durationMs},
        completed_at = ${status === 'retrying' ? null : now}
      from w where d.org_id = ${orgId} and d.id = ${id} and d.webhook_id = w.id and ${decides}
      returning d.trigger
    ), a as (
      insert into delivery_attempts (org_id, delivery_id, attempt, webhook_id, succeeded, started_at, duration_ms, request,
        response, error)
      select ${orgId}, d.id, ${attempt}, d.webhook_id, ${succeeded}, ${done.startedAt}, ${done.durationMs},
        ${sql.json(request)}, ${sql.json(response as never)}, ${error}
      from deliveries d where d.org_id = ${orgId} and d.id = ${id} and exists (select from w)
      on conflict do nothing
    )
    update events e set status = case
      when ${!succeeded} or (e.status = 'failed' and (d.trigger <> 'manual' or exists (
        select from deliveries o where o.org_id = ${orgId} and o.event_id = ${eventId} and o.id <> ${id} and o.status = 'failed'
      ))) then 'failed' else 'delivered' end
    from d where e.org_id = ${orgId} and e.id = ${eventId} and ${status !== 'retrying'}`
}
