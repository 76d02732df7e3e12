import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import type { WorkerRuntime } from '../../../feature.ts'
import { startPoller } from '../../../jobs/poller.ts'
import { pauseFailing } from './auto-disable.ts'
import { deliveriesWaiting } from './claim.ts'

interface BacklogLimits {
  /** Unfinished, since the webhook was last resumed. */
  perWebhook: number
  /** Pending and retrying deliveries. */
  perOrganization: number
}

const LIMITS: BacklogLimits = { perWebhook: 5000, perOrganization: 20_000 }
const SWEEP_MS = 2000

/** Keeps undeliverable events from piling up. */
export const startBacklogSweep = ({ pool, context, log }: WorkerRuntime) =>
  startPoller({
    name: 'webhook backlogs',
    pool,
    log,
    pollMs: SWEEP_MS,
    waiting: (sql) => sql`
      (${deliveriesWaiting(sql)})
      union all
      select true from webhooks where status = 'paused' and paused_reason is distinct from 'backlog' and url is not null
      limit 1`,
    async poll() {
      await pauseBacklogged(context(), LIMITS)
      return false
    },
  })

export async function pauseBacklogged(
  ctx: JobContext<'mail' | 'vault'>,
  limits: BacklogLimits,
): Promise<void> {
  const backlogs = await listBacklogs(ctx.sql, limits.perWebhook)
  for (const [orgId, hooks] of Map.groupBy(backlogs, (hook) => hook.orgId)) {
    let waiting = hooks.reduce((sum, { due }) => sum + due, 0)
    for (const { id, due, unfinished } of hooks) {
      if (unfinished < limits.perWebhook && waiting < limits.perOrganization) continue
      await pauseFailing(ctx, orgId, id, 'backlog')
      waiting -= due
    }
  }
}

interface Backlog {
  orgId: string
  id: string
  due: number
  /** Includes held ones, since the webhook was last resumed. */
  unfinished: number
}

/**
 * Failing webhooks first, then the longest backlogs. Counts only up to the limit, so cost doesn't grow with the
 * backlog. Loose index scan, as in a claim.
 */
const listBacklogs = (sql: Sql, limit: number) => sql<Backlog[]>`
  with recursive hooks (org_id, webhook_id) as (
    (select org_id, webhook_id from deliveries where status in ('pending', 'retrying') order by org_id, webhook_id limit 1)
    union all
    select next.* from hooks cross join lateral (
      select d.org_id, d.webhook_id from deliveries d
      where d.status in ('pending', 'retrying') and (d.org_id, d.webhook_id) > (hooks.org_id, hooks.webhook_id)
      order by d.org_id, d.webhook_id limit 1
    ) next
  ), candidates as (
    select org_id, webhook_id from hooks
    union
    select org_id, id from webhooks where status = 'paused' and paused_reason is distinct from 'backlog' and url is not null
  )
  select c.org_id as "orgId", w.id, due.count as due, due.since + held.since as unfinished
  from candidates c
  cross join lateral (
    select id, failing_since, coalesce(resumed_at, '-infinity') as resumed_at from webhooks
    where org_id = c.org_id and id = c.webhook_id and paused_reason is distinct from 'backlog' offset 0
  ) w
  cross join lateral (
    select count(*)::int as count, (count(*) filter (where created_at > w.resumed_at))::int as since from (
      select d.created_at from deliveries d
      where d.org_id = c.org_id and d.webhook_id = w.id and d.status in ('pending', 'retrying') and d.trigger <> 'test'
      order by d.id desc limit ${limit}
    ) d
  ) due
  cross join lateral (
    select count(*)::int as since from (
      select from deliveries d
      where d.org_id = c.org_id and d.webhook_id = w.id and d.status = 'held' and d.created_at > w.resumed_at
      limit ${limit}
    ) d
  ) held
  order by w.failing_since is null, due.count desc, w.id`
