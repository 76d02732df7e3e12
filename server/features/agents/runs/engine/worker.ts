import type { JobContext } from '../../../../context.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { LEASE_MS, LeaseLost, STEP_CHANNEL } from '../state/lease.ts'
import { claimRuns, type EngineRun } from '../state/run-row.ts'
import type { Engine } from './engine.ts'
import { claimSpan } from './run-spans.ts'
import { settle } from './settle.ts'
import { runSteps } from './step.ts'

/** Steps mostly wait for models and need little CPU, so a process can run many of them at the same time. */
const CONCURRENCY_MAX = 50
const PER_ORGANIZATION_MAX = 10
const CLAIM_MAX = 20
/** The time that a stopping process gives its model calls to end before another process repeats them. */
const HAND_OVER_MS = 2000

/** Runs the steps of agents as soon as they are due. */
export const startRunWorker = (engine: Engine, runtime: WorkerRuntime) =>
  startOrganizationLoop<EngineRun>(runtime, {
    name: 'runs',
    channel: STEP_CHANNEL,
    handOverMs: HAND_OVER_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CLAIM_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    spanOf: claimSpan,
    claim: (request) => claimRuns(runtime.pool, request),
    run: (run, slot) => runSteps(engine, runtime.context(), run, slot),
  })

const FAULTS_MAX = 5
const BACKOFF_MS = 2000

/**
 * An error of the server itself, such as a lost connection: the step is repeated, and after five in a row the run
 * fails.
 */
export async function handleFault(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  err: unknown,
): Promise<void> {
  engine.log.error({ err, orgId: run.orgId, runId: run.id }, 'a step of a run failed')
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
