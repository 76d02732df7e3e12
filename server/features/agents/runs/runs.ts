import { emptyProject, type Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { budgetsChanged } from '../../billing/budgets/budgets.ts'
import { connectionChanged } from '../../connections/connections/connections.ts'
import { cancelChildren } from './api/control.ts'
import { writeTitle } from './context/title.ts'
import { releaseReserved } from './descriptions/describe-images.ts'
import { emptyRuns } from './empty-queries.ts'
import { createEngine, type EngineOptions } from './engine/create-engine.ts'
import { sweepRuns } from './engine/sweep.ts'
import { startRunWorker } from './engine/worker.ts'
import { callTools, hasPhoneNumber, workflowSteps } from './hooks.ts'
import { runRoutes } from './routes.ts'
import { descriptionAbandoned, parentEnded, sweepJob, titleSession } from './state/jobs.ts'
import { resumeWithConnection } from './state/resume.ts'
import type { RunChannel } from './stream/run-stream.ts'
import { releaseAbandonedSearch, searchAbandoned } from './tools/web/charge-search.ts'
import { resumeAfterChange } from './usage/budget-waits.ts'

export { openApprovalCount } from './api/approval-list-queries.ts'
export { mayApprove, readApprovals } from './api/approvals.ts'
export { requestCancel } from './api/control.ts'
export { liveRunCount, presentAgentRun } from './api/run-queries.ts'
export { decideByMessage, listOpenApprovals } from './approvals/decide.ts'
export { approvalNoticeKey } from './calls/notices.ts'
export { moveChildren } from './children/tree-queries.ts'
export {
  type BlockText,
  findOutsideBlocks,
  findTextOrigins,
  listOutsideBlocks,
  listOutsideTexts,
  listTextOrigins,
  type RecordsRead,
} from './context/outside-texts.ts'
export { startProgramRun } from './engine/program-run.ts'
export { endRun, type StepEnd, wait } from './engine/settle.ts'
export { interruptStep, joinRun } from './engine/steer.ts'
export { dropRunEvents } from './engine/sweep.ts'
export { callTools, hasPhoneNumber, workflowSteps } from './hooks.ts'
export { findLastFailed, findOpenRun, hasRunning, isRunning, postponeDeadlines } from './queries.ts'
export { findResultText, listResultTexts, listSessionResults } from './results/queries.ts'
export { accessLost } from './state/errors.ts'
export {
  approvalsRequested,
  blockRunChanged,
  callRunEnded,
  longRunEnded,
  providerRunEnded,
  workflowEnded,
} from './state/jobs.ts'
export { append, RUN_CHANNEL } from './state/lease.ts'
export { notifyRestoredBlocks } from './state/publish.ts'
export { resume } from './state/resume.ts'
export { findRunCaller } from './state/run-caller.ts'
export type { EngineRun } from './state/run-row.ts'
export { lockRun } from './state/run-row.ts'
export type { RunTool } from './state/run-tool.ts'
export { readChoices, requireRunnableAgent, type WithChoices } from './state/runnable-agent.ts'
export { type NewRun, startAgentRun } from './state/start-run.ts'
export type { EventPage } from './stream/read-events.ts'
export type { RunListener } from './stream/run-listeners.ts'
export { createRunChannel, type RunChannel } from './stream/run-stream.ts'
export { formatUiRefusal, UI_HEADERS } from './stream/ui-format.ts'
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

/** Runs agents step by step, and stores runs that external programs report. */
export function runs(options: RunsOptions): Feature {
  const engine = createEngine(options)
  return {
    routes: runRoutes(engine, options.models, options.channel),
    jobs: [
      onJob(sweepJob, sweepRuns),
      onJob(parentEnded, cancelChildren),
      onJob(descriptionAbandoned, releaseReserved),
      onJob(titleSession, writeTitle(options.models)),
      onJob(budgetsChanged, resumeAfterChange),
      onJob(connectionChanged, resumeWithConnection),
      onJob(searchAbandoned, releaseAbandonedSearch),
    ],
    schedules: [{ job: sweepJob, cron: '* * * * *' }],
    hooks: [callTools, hasPhoneNumber, workflowSteps],
    start: (runtime) => startRunWorker(engine, runtime),
    fills: [
      fill(emptyProject, (ctx, { orgId, id }, limit) =>
        emptyRuns(ctx.sql, orgId, id, { limit, now: ctx.now() }),
      ),
    ],
    metrics: (registry, pool) => engine.metrics.register(registry, pool),
  }
}
