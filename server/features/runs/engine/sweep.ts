import type { JobContext } from '../../../context.ts'
import { settleApproval } from '../approvals/decide.ts'
import { listOpenApprovals } from '../approvals/decision-queries.ts'
import { lockRun } from './run-row.ts'

const EVENTS_DAYS = 7
const EXPIRED_MAX = 200
const DELETED_MAX = 20_000

/** Ends approvals that have expired, as denied, and deletes the events of runs that ended a week ago. */
export async function sweepRuns(ctx: JobContext): Promise<void> {
  await expireApprovals(ctx)
  const before = new Date(ctx.now().getTime() - EVENTS_DAYS * 86_400_000)
  await ctx.sql`
    delete from run_events where ctid in (
      select e.ctid from runs r join run_events e on e.org_id = r.org_id and e.run_id = r.id
      where r.finished_at < ${before} and r.agent_id is not null limit ${DELETED_MAX})`
}

async function expireApprovals(ctx: JobContext): Promise<void> {
  const expired = await ctx.sql<{ orgId: string; runId: string; id: string }[]>`
    select org_id as "orgId", run_id as "runId", id from approvals
    where decision is null and expires_at <= ${ctx.now()} order by expires_at limit ${EXPIRED_MAX}`
  for (const { orgId, runId, id } of expired)
    await ctx.transaction(async ({ sql }) => {
      const run = await lockRun(sql, orgId, runId)
      const approval = run && (await listOpenApprovals(sql, run)).find((open) => open.id === id)
      if (approval)
        await settleApproval(sql, run, approval, { decision: 'expired', by: null, note: null }, ctx.now())
    })
}
