import { z } from 'zod'
import { job } from '../../../../jobs/job.ts'

/** Denies approvals that have expired, resumes runs, and deletes the events of runs past their retention. */
export const sweepJob = job('runs.sweep', z.object({}))

/** A run requests approvals. `minute` is the number of the minute at whose end people are notified. */
export const approvalsRequested = job(
  'runs.approvals-requested',
  z.object({ orgId: z.uuid(), runId: z.uuid(), minute: z.int() }),
)

/** A run ended after so long that the person who started it may no longer be watching. */
export const longRunEnded = job('runs.long-run-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

/** The state of a run of an agent block changed: the block is updated. */
export const blockRunChanged = job('runs.block-changed', z.object({ orgId: z.uuid(), runId: z.uuid() }))

/** A run ended: the runs that it started and that have not ended are canceled. */
export const parentEnded = job('runs.parent-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

/** A workflow ended: blocks that have not run show it. */
export const workflowEnded = job('runs.workflow-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

/** A run ended in a session that events of a provider started: its answer may go back to the provider. */
export const providerRunEnded = job('runs.provider-run-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

/** The first run of a conversation succeeded: a model titles the conversation. */
export const titleSession = job('runs.title-session', z.object({ orgId: z.uuid(), runId: z.uuid() }), {
  maxAttempts: 3,
})

/** Like `providerRunEnded`, for a session of a phone call or of text messages. */
export const callRunEnded = job('runs.call-run-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))
