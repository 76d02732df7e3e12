import type { Logger } from 'pino'
import type { EndpointName } from '../../../contract/index.ts'
import type { Pool } from '../../database/database.ts'
import type { Call, Result } from '../../endpoint/call.ts'
import type { Feature } from '../../feature.ts'
import { onJob } from '../../jobs/job-handler.ts'
import type { Models } from '../../models/models.ts'
import type { Streams } from '../../streams/streams.ts'
import { createEngine } from './engine/create-engine.ts'
import { sweepJob } from './engine/jobs.ts'
import { sweepRuns } from './engine/sweep.ts'
import { startRunWorker } from './engine/worker.ts'
import { runRoutes } from './routes.ts'
import { createRunChannel } from './stream/run-stream.ts'

export { requestCancel } from './api/control.ts'
export { presentAgentRun } from './api/present.ts'
export { answerQuestion } from './approvals/decide.ts'
export { interruptStep } from './engine/interrupt.ts'
export { startAgentRun } from './engine/start-run.ts'
export { findLastFailed, hasRunning, isRunning, listEditedSince, updateRestored } from './queries.ts'

export interface RunsOptions {
  pool: Pool
  streams: Streams
  models: Models
  invoke: (name: EndpointName, call: Call) => Promise<Result>
  log: Logger
}

/** Runs of agents, which this server executes, and runs that programs outside report. */
export function runs(options: RunsOptions): Feature {
  const engine = createEngine(options)
  return {
    routes: runRoutes(createRunChannel(options.pool, options.streams)),
    jobs: [onJob(sweepJob, sweepRuns)],
    schedules: [{ job: sweepJob, cron: '* * * * *' }],
    start: (runtime) => startRunWorker(engine, runtime),
  }
}
