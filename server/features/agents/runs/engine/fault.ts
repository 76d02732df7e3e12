import type { JobContext } from '../../../../context.ts'
import { LeaseLost } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { Engine } from './engine.ts'
import { settle } from './settle.ts'

const FAULTS_MAX = 5
const BACKOFF_MS = 2000

/** Repeats the step after a server error, such as a lost connection. Fails the run after five in a row. */
export async function handleFault(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  err: unknown,
): Promise<void> {
  engine.log.error({ err, orgId: run.orgId, runId: run.id }, 'a run step failed')
  try {
    if (run.faults + 1 >= FAULTS_MAX)
      return void (await settle(engine, ctx, run, { status: 'failed', code: 'internal' }))
    const dueAt = new Date(ctx.now().getTime() + BACKOFF_MS * 2 ** run.faults)
    await ctx.sql`
      update runs set faults = faults + 1, due_at = ${dueAt}
      where org_id = ${run.orgId} and id = ${run.id} and lease = ${run.lease} and status = 'running'`
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
  }
}
