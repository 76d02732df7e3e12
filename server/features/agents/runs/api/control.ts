import type { agentRuns } from '../../../../../contract/agents/agent-runs.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context, JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { listActiveChildren } from '../children/tree-queries.ts'
import { notifyRun, wakeWorkers } from '../state/lease.ts'
import { isEnded, lockRun } from '../state/run-row.ts'
import { findAgentRun, presentAgentRun } from './run-queries.ts'

/**
 * Includes children. A leased run's worker ends it within a second. A waiting or queued run becomes due and ends in its
 * next step.
 */
export const cancelRun = (ctx: Context, { id }: InputOf<typeof agentRuns.cancel>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = await findAgentRun(inside, id, 'edit')
    await requestCancel(inside, orgId, id)
    return presentAgentRun(inside, id)
  })

export const requestCancel = (ctx: Context, orgId: string, runId: string): Promise<void> =>
  cancelOne(ctx.sql, orgId, runId, ctx.caller.userId, ctx.now())

/** `by` is null after the parent run's end. */
export async function cancelOne(
  sql: Sql,
  orgId: string,
  runId: string,
  by: string | null,
  now: Date,
): Promise<void> {
  const run = await lockRun(sql, orgId, runId)
  if (!run || isEnded(run.status) || run.cancelRequestedAt) return
  const isLeased = run.status === 'running'
  await sql`
    update runs set cancel_requested_at = ${now}, canceled_by = ${by}, status = ${isLeased ? sql`status` : 'queued'},
      due_at = ${isLeased ? sql`due_at` : now}
    where org_id = ${orgId} and id = ${runId}`
  notifyRun(sql, run)
  wakeWorkers(sql)
}

/** One transaction per child, which then cancels its own children. */
export async function cancelChildren(
  ctx: JobContext,
  { orgId, runId }: { orgId: string; runId: string },
): Promise<void> {
  for (const id of await listActiveChildren(ctx.sql, orgId, runId))
    await ctx.transaction(({ sql }) => cancelOne(sql, orgId, id, null, ctx.now()))
}
