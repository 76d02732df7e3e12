import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import type { EngineRun, RunStatus } from './run-row.ts'

const EVENTS = {
  queued: 'agent.run.queued',
  running: 'agent.run.started',
  waiting: 'agent.run.waiting',
  succeeded: 'agent.run.completed',
  failed: 'agent.run.failed',
  canceled: 'agent.run.canceled',
} as const

/** Publishes a change of the status of a run, on the transaction of the change. */
export const publishRunEvent = (sql: Sql, run: EngineRun, status: RunStatus, now: Date) =>
  publishIn(sql, run.orgId, now, {
    type: EVENTS[status],
    data: {
      projectId: run.projectId,
      runId: run.id,
      sessionId: run.sessionId,
      agentId: run.agentId,
      by: run.createdBy,
      status,
    },
  })
