import type { Feature } from '../../feature.ts'
import { onJob } from '../../jobs/job-handler.ts'
import { createEngine, type EngineOptions } from './engine/create-engine.ts'
import { sweepJob } from './engine/jobs.ts'
import { sweepRuns } from './engine/sweep.ts'
import { startRunWorker } from './engine/worker.ts'
import { runRoutes } from './routes.ts'
import type { RunChannel } from './stream/run-stream.ts'

export { requestCancel } from './api/control.ts'
export { presentAgentRun } from './api/present.ts'
export { runnableAgent } from './api/runnable-agent.ts'
export { readApprovals } from './approvals/approvals.ts'
export { answerQuestion } from './approvals/decide.ts'
export { listOpenApprovals } from './approvals/decision-queries.ts'
export { fence } from './context/fence.ts'
export { type BlockText, listOutsideTexts } from './context/outside-texts.ts'
export { approvalsRequested, blockRunChanged, longRunEnded } from './engine/jobs.ts'
export { RUN_CHANNEL } from './engine/lease.ts'
export { notifyRestoredBlocks } from './engine/publish.ts'
export { startAgentRun } from './engine/start-run.ts'
export { interruptStep, joinRun } from './engine/steer.ts'
export { findLastFailed, hasRunning, isRunning } from './queries.ts'
export { createRunChannel, type RunChannel } from './stream/run-stream.ts'
export { formatUiRefusal, UI_HEADERS } from './stream/ui-format.ts'
export {
  findLastUndo,
  findUndoable,
  insertUndo,
  type UndoableRun,
  updateReleased,
  updateUndone,
} from './undo-queries.ts'

export interface RunsOptions extends EngineOptions {
  channel: RunChannel
}

/** Runs of agents, which this server executes, and runs that programs outside report. */
export function runs(options: RunsOptions): Feature {
  const engine = createEngine(options)
  return {
    routes: runRoutes(engine, options.models, options.channel),
    jobs: [onJob(sweepJob, sweepRuns)],
    schedules: [{ job: sweepJob, cron: '* * * * *' }],
    start: (runtime) => startRunWorker(engine, runtime),
    metrics: (registry, pool) => engine.metrics.register(registry, pool),
  }
}
