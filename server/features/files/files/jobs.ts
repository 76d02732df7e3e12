import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { onRemoveObjects } from './objects.ts'
import { sweepUploads } from './upload/sweep.ts'

/** Removes presigned uploads that were never sent, and objects that a crash left unfinished. */
const sweepAbandonedUploads = job('files.sweep-uploads', z.object({}), { lane: 'bulk' })

export const fileJobs = [onRemoveObjects, onJob(sweepAbandonedUploads, sweepUploads)]
export const fileSchedules = [{ job: sweepAbandonedUploads, cron: '47 * * * *' }]
