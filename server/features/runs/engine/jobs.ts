import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** Ends approvals that have expired, and deletes the events of runs that ended a week ago. */
export const sweepJob = job('runs.sweep', z.object({}))

/** A run asks for approvals. `minute` is the number of the minute at whose end people are notified. */
export const approvalsRequested = job(
  'runs.approvals-requested',
  z.object({ orgId: z.uuid(), runId: z.uuid(), minute: z.int() }),
)

/** A run ended that took so long that people may not have waited for it. */
export const longRunEnded = job('runs.long-run-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

/** The state of a run of an agent block changed: the block follows. */
export const blockRunChanged = job('runs.block-changed', z.object({ orgId: z.uuid(), runId: z.uuid() }))
