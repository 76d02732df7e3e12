import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** Ends approvals that have expired, and deletes the events of runs that ended a week ago. */
export const sweepJob = job('runs.sweep', z.object({}))

/** The state of a run of an agent block changed: the block follows. */
export const blockRunChanged = job('runs.block-changed', z.object({ orgId: z.uuid(), runId: z.uuid() }))
