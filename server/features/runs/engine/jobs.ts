import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** Ends approvals that have expired, and deletes the events of runs that ended a week ago. */
export const sweepJob = job('runs.sweep', z.object({}))
