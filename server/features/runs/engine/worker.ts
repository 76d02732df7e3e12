import type { WorkerRuntime } from '../../../feature.ts'
import { startLeaseLoop } from '../../../jobs/lease-loop.ts'
import type { Engine } from './engine.ts'
import { STEP_CHANNEL } from './lease.ts'
import { claimRuns, type EngineRun } from './run-row.ts'
import { runSteps } from './step.ts'

/** Steps wait for models rather than compute, so a process can have many of them open. */
const CONCURRENCY_MAX = 50
const PER_ORGANIZATION_MAX = 10
const CLAIM_MAX = 20
const POLL_MS = 1000
/** A model call may take minutes. One that ends within this time is not made twice. */
const HAND_OVER_MS = 2000

/** Runs the steps of agents as soon as they are due. */
export const startRunWorker = (engine: Engine, { pool, context, log }: WorkerRuntime) =>
  startLeaseLoop<EngineRun>({
    name: 'runs',
    pool,
    log,
    channel: STEP_CHANNEL,
    pollMs: POLL_MS,
    handOverMs: HAND_OVER_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CLAIM_MAX,
    keyOf: ({ orgId }) => orgId,
    perKey: PER_ORGANIZATION_MAX,
    claim: ({ running, limit }) =>
      claimRuns(pool, {
        running: [...running].map(([orgId, count]) => ({ orgId, count })),
        perOrganization: PER_ORGANIZATION_MAX,
        limit,
        now: context().now(),
      }),
    run: (run, slot) => runSteps(engine, context(), run, slot),
  })
