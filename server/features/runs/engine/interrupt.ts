import type { Context } from '../../../context.ts'
import { announce } from './lease.ts'
import { lockRun } from './run-row.ts'

/**
 * Ends the current step of a run, so that a message joins it at once: the worker loses its lease with its next write, and
 * the run is due again.
 */
export async function interruptStep(ctx: Context, orgId: string, runId: string): Promise<void> {
  const run = await lockRun(ctx.sql, orgId, runId)
  if (run?.status !== 'running') return
  await ctx.sql`
    update runs set lease = lease + 1, due_at = ${ctx.now()} where org_id = ${orgId} and id = ${runId}`
  announce(ctx.sql, run)
}
