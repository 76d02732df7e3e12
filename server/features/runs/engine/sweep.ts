import { EVENT_DAYS } from '../../../../contract/organizations/settings-options.ts'
import type { JobContext } from '../../../context.ts'
import { callsOfRunsDeleted } from '../../connections/connections.ts'
import { settleApproval } from '../approvals/decide.ts'
import { listOpenApprovals } from '../approvals/decision-queries.ts'
import { resumeWithConnection } from '../calls/held-calls.ts'
import { resumeAfterAgentChange } from '../usage/budget-waits.ts'
import { lockRun } from './run-row.ts'

const EXPIRED_MAX = 200
const RUNS_MAX = 500

/** Ends approvals that have expired, as denied, and deletes the events of runs that ended long enough ago, by the settings of their organization. */
export async function sweepRuns(ctx: JobContext): Promise<void> {
  await expireApprovals(ctx)
  await resumeAfterAgentChange(ctx)
  await resumeWithConnection(ctx)
  const before = new Date(ctx.now().getTime() - EVENT_DAYS.min * 86_400_000)
  await ctx.sql`
    with expired as (
      select r.org_id, r.id from runs r left join org_settings o on o.org_id = r.org_id
      where r.agent_id is not null and r.finished_at < ${before} and r.events_deleted_at is null
        and r.finished_at < ${ctx.now()}::timestamptz
          - make_interval(days => coalesce((o.settings ->> 'runEventDays')::int, ${EVENT_DAYS.default}::int))
      order by r.finished_at limit ${RUNS_MAX}
    ), deleted as (
      delete from run_events e using expired x where e.org_id = x.org_id and e.run_id = x.id
    ), deleted_calls as (
      ${callsOfRunsDeleted(ctx.sql, ctx.sql`expired`)}
    )
    update runs r set events_deleted_at = ${ctx.now()} from expired x where r.org_id = x.org_id and r.id = x.id`
}

async function expireApprovals(ctx: JobContext): Promise<void> {
  const expired = await ctx.sql<{ orgId: string; runId: string; id: string }[]>`
    select org_id as "orgId", run_id as "runId", id from approvals
    where decision is null and expires_at <= ${ctx.now()} and org_id <> all(${ctx.suspensions.list()}::uuid[])
    order by expires_at limit ${EXPIRED_MAX}`
  for (const { orgId, runId, id } of expired)
    await ctx.transaction(async ({ sql }) => {
      const run = await lockRun(sql, orgId, runId)
      const approval = run && (await listOpenApprovals(sql, run)).find((open) => open.id === id)
      if (approval)
        await settleApproval(sql, run, approval, { decision: 'expired', by: null, note: null }, ctx.now())
    })
}
