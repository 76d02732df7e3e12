import type { Fragment, Sql } from '../../../database/database.ts'
import { deliveredEvent } from '../event-records.ts'
import type { SealedSecrets } from '../secrets.ts'

export interface ClaimedDelivery extends Omit<SealedSecrets, 'id'> {
  orgId: string
  id: string
  webhookId: string
  url: string
  attempt: number
  trigger: 'scheduled' | 'manual' | 'test' | 'replay'
  failingSince: string | null
  timeouts: number
  event: {
    id: string
    type: string
    source: string
    payload: unknown
    receivedAt: string
    hops: string | null
  }
  /** Received events send this instead of the payload. */
  body: Uint8Array | null
  trace: string | null
}

export interface Claim {
  /** In this process. */
  running: readonly { orgId: string; webhookId: string; count: number }[]
  /** Parallel attempts while the endpoint works or fails. */
  perWebhook: { working: number; failing: number }
  perOrganization: number
  limit: number
  now: Date
  /** Then others may claim them if this process is killed. */
  leasedUntil: Date
}

export const deliveriesWaiting = (sql: Sql): Fragment => sql`
  select true from deliveries where status in ('pending', 'retrying') order by org_id, webhook_id limit 1`

/**
 * One statement with six steps. Organizations take turns, and so do their webhooks, so hanging endpoints delay no
 * others. `claimFairly` has no turns within an organization and no smaller share for failing webhooks. `offset 0` makes
 * PostgreSQL look up each row instead of joining tables, even without statistics.
 */
export const claimDeliveries = (sql: Sql, claim: Claim) => sql<ClaimedDelivery[]>`
  with recursive hooks (org_id, webhook_id) as (${webhooksWithPending(sql)}),
  running as materialized (${runningHere(sql, claim)}),
  ready as materialized (${readyWebhooks(sql, claim)}),
  turns as materialized (${organizationTurns(sql, claim)}),
  due as materialized (${dueDeliveries(sql, claim)}),
  leased as (${lease(sql, claim)})
  select t.org_id as "orgId", t.id, t.webhook_id as "webhookId", t.url, t.attempt, t.trigger, w."failingSince", w.timeouts, w."secretSealed",
    w."previousSecretSealed", w."previousSecretUntil", e.*
  from leased t
  cross join lateral (
    select created_by as "createdBy", failing_since as "failingSince", timeouts, secret_sealed as "secretSealed",
      previous_secret_sealed as "previousSecretSealed", previous_secret_until as "previousSecretUntil"
    from webhooks w where w.org_id = t.org_id and w.id = t.webhook_id offset 0
  ) w
  cross join lateral (
    select ${deliveredEvent(sql, sql`w."createdBy"`)} as event, e.body, e.trace from events e
    where e.org_id = t.org_id and e.id = t.event_id offset 0
  ) e`

/** 1. A loose index scan: cost depends on the number of webhooks, not on waiting deliveries. */
const webhooksWithPending = (sql: Sql): Fragment => sql`
  (select org_id, webhook_id from deliveries where status in ('pending', 'retrying') order by org_id, webhook_id limit 1)
  union all
  select next.* from hooks cross join lateral (
    select d.org_id, d.webhook_id from deliveries d
    where d.status in ('pending', 'retrying') and (d.org_id, d.webhook_id) > (hooks.org_id, hooks.webhook_id)
    order by d.org_id, d.webhook_id limit 1
  ) next`

/** 2. Counts against the limits. */
const runningHere = (sql: Sql, { running }: Claim): Fragment => sql`
  select r.*, (
    select failing_since is not null from webhooks w where w.org_id = r.org_id and w.id = r.webhook_id
  ) as is_failing
  from unnest(${running.map(({ orgId }) => orgId)}::uuid[],
    ${running.map(({ webhookId }) => webhookId)}::uuid[], ${running.map(({ count }) => count)}::int[]
  ) as r (org_id, webhook_id, count)`

/**
 * 3. Webhooks with a due delivery and free `capacity`. `until_here` sums it per organization, separately for working
 *    and failing webhooks, in the order step 5 serves them.
 */
const readyWebhooks = (sql: Sql, { perWebhook, now }: Claim): Fragment => sql`
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
  where may.run > coalesce(r.count, 0)`

/**
 * 4. Fewest running deliveries first, then longest waiting, with equal shares. Failing webhooks get at most half an
 *    organization's places.
 */
const organizationTurns = (sql: Sql, { perOrganization, limit }: Claim): Fragment => sql`
  select o.org_id, least(${perOrganization}::int - coalesce(r.count, 0),
    greatest(1, ${limit}::int / count(*) over ())) as share,
    (${perOrganization}::int + 1) / 2 - coalesce(r.failing, 0) as failing_share
  from (select org_id, min(next_attempt_at) as since from ready group by org_id) o
  left join (
    select org_id, sum(count)::int as count, (sum(count) filter (where is_failing))::int as failing
    from running group by org_id
  ) r on r.org_id = o.org_id
  where ${perOrganization} > coalesce(r.count, 0)
  order by coalesce(r.count, 0), o.since limit ${limit}`

/**
 * 5. Working webhooks first, then fewest running deliveries. A paused webhook gets only its tests. Skips rows being
 *    claimed elsewhere.
 */
const dueDeliveries = (sql: Sql, { limit, now }: Claim): Fragment => sql`
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
  limit ${limit}`

/** 6. Counts the attempt and postpones the next until the lease ends, when others may take over. */
const lease = (sql: Sql, { leasedUntil }: Claim): Fragment => sql`
  update deliveries d set attempt = d.attempt + 1, next_attempt_at = ${leasedUntil} from due
  where d.org_id = due.org_id and d.id = due.id
  returning d.org_id, d.id, d.webhook_id, d.event_id, d.url, d.attempt, d.trigger`

/**
 * Call only when the database's sole process starts: every lease then belongs to a killed process. Scheduled retries
 * aren't leased.
 */
export async function releaseOrphanedDeliveries(sql: Sql, now: Date): Promise<void> {
  await sql`
    update deliveries d set next_attempt_at = ${now}
    where d.status in ('pending', 'retrying') and d.next_attempt_at > ${now} and ${isLeased(sql)}`
}

export const isLeased = (sql: Sql): Fragment => sql`d.attempt > 0 and not exists (
  select from delivery_attempts a where a.org_id = d.org_id and a.delivery_id = d.id and a.attempt = d.attempt)`
