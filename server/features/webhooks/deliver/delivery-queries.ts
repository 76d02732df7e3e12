import type { Sql } from '../../../database/database.ts'
import type { TextResponse } from '../../../outbound/outbound.ts'
import { toSend } from '../log/event-records.ts'
import type { SealedSecrets } from '../secrets.ts'

/** A delivery in hand, with all that one attempt needs to know. */
export interface Claimed extends Omit<SealedSecrets, 'id'> {
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
  /** How many of each webhook are in hand here already. */
  busy: { ids: string[]; counts: number[] }
  /** How many of one webhook may be in hand here: while it works, and while nothing gets through. */
  perWebhook: { working: number; failing: number }
  limit: number
  now: Date
  /** When others may take them up, should this process die. */
  until: Date
}

/**
 * Takes due deliveries in hand, so many of each webhook at most: one whose address hangs keeps nobody waiting but its
 * own, and where hands are short, the webhook with the fewest in hand comes first, then the one that waits longest. The
 * webhooks with something to do are found by hopping along the index, whatever else is stored. Of one that was just
 * paused only tests go out. `offset 0` has each delivery's event looked up, rather than all events joined with all.
 */
export async function claimDeliveries(sql: Sql, { busy, perWebhook, limit, now, until }: Claim) {
  return sql<Claimed[]>`
    with recursive hooks (webhook_id) as (
      (select webhook_id from deliveries where status in ('pending', 'retrying') order by webhook_id limit 1)
      union all
      select (
        select d.webhook_id from deliveries d
        where d.status in ('pending', 'retrying') and d.webhook_id > hooks.webhook_id order by d.webhook_id limit 1
      ) from hooks where hooks.webhook_id is not null
    ), ready as materialized (
      select w.id, w.status, may.have - coalesce(b.count, 0) as room
      from hooks
      cross join lateral (
        select d.next_attempt_at from deliveries d
        where d.webhook_id = hooks.webhook_id and d.status in ('pending', 'retrying') and d.next_attempt_at <= ${now}
        order by d.next_attempt_at limit 1
      ) first
      cross join lateral (select id, status, failing_since from webhooks where id = hooks.webhook_id offset 0) w
      left join unnest(${busy.ids}::uuid[], ${busy.counts}::int[]) as b (id, count) on b.id = w.id
      cross join lateral (
        select case when w.failing_since is null then ${perWebhook.working}::int else ${perWebhook.failing} end as have
      ) may
      where may.have > coalesce(b.count, 0)
      order by coalesce(b.count, 0), first.next_attempt_at limit ${limit}
    ), due as materialized (
      select d.org_id, d.id from ready
      cross join lateral (
        select org_id, id from deliveries d
        where d.webhook_id = ready.id and d.status in ('pending', 'retrying') and d.next_attempt_at <= ${now}
          and (ready.status = 'active' or d.trigger = 'test')
        order by d.next_attempt_at limit ready.room
        for update skip locked
      ) d
      limit ${limit}
    ), taken as (
      update deliveries d set attempt = d.attempt + 1, next_attempt_at = ${until} from due
      where d.org_id = due.org_id and d.id = due.id
      returning d.org_id, d.id, d.webhook_id, d.event_id, d.url, d.attempt, d.trigger
    )
    select t.org_id as "orgId", t.id, t.webhook_id as "webhookId", t.url, t.attempt, t.trigger, w.*, e.*
    from taken t
    cross join lateral (
      select failing_since as "failingSince", secret_sealed as "secretSealed",
        previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil"
      from webhooks w where w.org_id = t.org_id and w.id = t.webhook_id offset 0
    ) w
    cross join lateral (
      select ${toSend(sql)} as event from events e where e.org_id = t.org_id and e.id = t.event_id offset 0
    ) e`
}

export interface Attempted {
  id: string
  webhookId: string
  eventId: string
  attempt: number
  succeeded: boolean
  /** When to try again; null once it is decided. */
  nextAttemptAt: Date | null
  request: { url: string; headers: Record<string, string> }
  response: TextResponse | null
  error: string | null
  durationMs: number
  startedAt: Date
  now: Date
}

/**
 * What became of an attempt: the attempt itself, the webhook it counts for, the delivery and the event. The first
 * success counts, whoever else has taken the delivery up meanwhile; a failure overwrites nothing that was decided, held
 * or called off. The webhook is locked before the delivery, as whoever pauses, disables or deletes it does.
 */
export async function updateAttempted(sql: Sql, orgId: string, done: Attempted): Promise<void> {
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
