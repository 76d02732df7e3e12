import { z } from 'zod'
import { job } from '../../../../jobs/job.ts'

export const sweepJob = job('runs.sweep', z.object({}))

/** Notifications go out at this minute's end. */
export const approvalsRequested = job(
  'runs.approvals-requested',
  z.object({ orgId: z.uuid(), runId: z.uuid(), minute: z.int() }),
)

/** Its starter may no longer be watching. */
export const longRunEnded = job('runs.long-run-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

export const blockRunChanged = job('runs.block-changed', z.object({ orgId: z.uuid(), runId: z.uuid() }))

/** Cancels the ended run's active children. */
export const parentEnded = job('runs.parent-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

export const workflowEnded = job('runs.workflow-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

/** The answer may go back to the provider. */
export const providerRunEnded = job('runs.provider-run-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))

export const titleSession = job('runs.title-session', z.object({ orgId: z.uuid(), runId: z.uuid() }), {
  maxAttempts: 3,
})

/** Releases a description's reservation if its process ended early. */
export const descriptionAbandoned = job(
  'runs.description-abandoned',
  z.object({ orgId: z.uuid(), claimId: z.uuid() }),
)

/** For phone call and text message sessions. */
export const callRunEnded = job('runs.call-run-ended', z.object({ orgId: z.uuid(), runId: z.uuid() }))
