import type { Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { budgetsChanged } from '../../billing/budgets/budgets.ts'
import { connectionChanged } from '../../connections/connections/connections.ts'
import { resumeWithConnection } from './calls/held-calls.ts'
import { cancelChildren } from './children/cancel-children.ts'
import { writeTitle } from './context/title.ts'
import { emptyRuns } from './empty-queries.ts'
import { createEngine, type EngineOptions } from './engine/create-engine.ts'
import { parentEnded, sweepJob, titleSession } from './engine/jobs.ts'
import { sweepRuns } from './engine/sweep.ts'
import { startRunWorker } from './engine/worker.ts'
import { runRoutes } from './routes.ts'
import type { RunChannel } from './stream/run-stream.ts'
import { resumeAfterChange } from './usage/budget-waits.ts'

export { fence } from '../../../language-models/fence.ts'
export { requestCancel } from './api/control.ts'
export { presentAgentRun } from './api/present.ts'
export { readChoices, requireRunnableAgent, type WithChoices } from './api/runnable-agent.ts'
export { readApprovals } from './approvals/approvals.ts'
export { decideByMessage } from './approvals/decide.ts'
export { listOpenApprovals } from './approvals/decision-queries.ts'
export { moveChildren } from './children/tree-queries.ts'
export {
  type BlockText,
  findOutsideBlocks,
  listOutsideBlocks,
  listOutsideTexts,
  listTextOrigins,
} from './context/outside-texts.ts'
export { postponeDeadlines } from './deadline-queries.ts'
export { accessLost } from './engine/errors.ts'
export {
  approvalsRequested,
  blockRunChanged,
  callRunEnded,
  longRunEnded,
  providerRunEnded,
  workflowEnded,
} from './engine/jobs.ts'
export { append, RUN_CHANNEL } from './engine/lease.ts'
export { notifyRestoredBlocks } from './engine/publish.ts'
export { callerOf } from './engine/run-caller.ts'
export type { EngineRun } from './engine/run-row.ts'
export { endRun, type StepEnd, wait } from './engine/settle.ts'
export { type NewRun, startAgentRun } from './engine/start-run.ts'
export { interruptStep, joinRun } from './engine/steer.ts'
export { dropRunEvents } from './engine/sweep.ts'
export { findLastFailed, findOpenRun, hasRunning, isRunning } from './queries.ts'
export type { EventPage } from './stream/read-events.ts'
export type { RunListener } from './stream/run-listeners.ts'
export { createRunChannel, type RunChannel } from './stream/run-stream.ts'
export { formatUiRefusal, UI_HEADERS } from './stream/ui-format.ts'
export type { RunTool } from './tools/run-tool.ts'
export {
  findLastUndo,
  findUndoable,
  insertUndo,
  listDescendants,
  releaseRuns,
  type UndoableRun,
  updateReleased,
  updateUndone,
} from './undo-queries.ts'

export interface RunsOptions extends EngineOptions {
  channel: RunChannel
}

/** Runs of agents, which this server executes, and runs that external programs report. */
export function runs(options: RunsOptions): Feature {
  const engine = createEngine(options)
  return {
    routes: runRoutes(engine, options.models, options.channel),
    jobs: [
      onJob(sweepJob, sweepRuns),
      onJob(parentEnded, cancelChildren),
      onJob(titleSession, writeTitle(options.models)),
      onJob(budgetsChanged, resumeAfterChange),
      onJob(connectionChanged, resumeWithConnection),
    ],
    schedules: [{ job: sweepJob, cron: '* * * * *' }],
    start: (runtime) => startRunWorker(engine, runtime),
    emptyProject: (ctx, { orgId, id }, limit) => emptyRuns(ctx.sql, orgId, id, { limit, now: ctx.now() }),
    metrics: (registry, pool) => engine.metrics.register(registry, pool),
  }
}
