import type { WorkerRuntime } from '../../../feature.ts'
import { startLeaseLoop } from '../../../jobs/lease-loop.ts'
import type { Engine } from './engine.ts'
import { STEP_CHANNEL } from './lease.ts'
import { claimRuns, type EngineRun } from './run-row.ts'
import { runStep } from './step.ts'

/** Steps wait for models rather than compute, so a process can have many of them open. */
const CONCURRENCY_MAX = 50
const PER_ORGANIZATION_MAX = 10
const CLAIM_MAX = 20
const POLL_MS = 1000

/** Runs the steps of agents as soon as they are due. */
export const startRunWorker = (engine: Engine, { pool, context, log }: WorkerRuntime) =>
  startLeaseLoop<EngineRun>({
    name: 'runs',
    pool,
    log,
    channel: STEP_CHANNEL,
    pollMs: POLL_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CLAIM_MAX,
    keyOf: ({ orgId }) => orgId,
    claim: ({ running, limit }) =>
      claimRuns(pool, {
        running: [...running].map(([orgId, count]) => ({ orgId, count })),
        perOrganization: PER_ORGANIZATION_MAX,
        limit,
        now: context().now(),
      }),
    run: (run) => runStep(engine, context(), run),
  })
