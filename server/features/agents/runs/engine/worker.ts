import type { WorkerRuntime } from '../../../../feature.ts'
import { waitingIn } from '../../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { LEASE_MS, STEP_CHANNEL } from '../state/lease.ts'
import { claimRuns, type EngineRun, RUNS_QUEUE } from '../state/run-row.ts'
import type { Engine } from './engine.ts'
import { claimSpan } from './run-spans.ts'
import { runSteps } from './step.ts'

/** Steps mostly wait for models and need little CPU. */
const CONCURRENCY_MAX = 50
const PER_ORGANIZATION_MAX = 10
/** Three remain for chats and everything else that isn't an item of a list. */
const BULK_PER_ORGANIZATION_MAX = 7
const CLAIM_MAX = 20
/** A stopping process gives model calls this long. Then another process repeats them. */
const HAND_OVER_MS = 2000

export const startRunWorker = (engine: Engine, runtime: WorkerRuntime) =>
  startOrganizationLoop<EngineRun>(runtime, {
    name: 'runs',
    channel: STEP_CHANNEL,
    waiting: waitingIn(RUNS_QUEUE),
    handOverMs: HAND_OVER_MS,
    concurrency: CONCURRENCY_MAX,
    claimMax: CLAIM_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    bulk: { is: ({ isBulk }) => isBulk, perOrganization: BULK_PER_ORGANIZATION_MAX },
    leaseMs: LEASE_MS,
    spanOf: claimSpan,
    claim: (request) => claimRuns(runtime.pool, request),
    run: (run, slot) => runSteps(engine, runtime.context(), run, slot),
  })
