import { z } from 'zod'
import { job } from '../../jobs/job.ts'
import { onJob } from '../../jobs/job-handler.ts'
import { sweepUploads } from './upload/sweep.ts'

/** Removes objects that no record owns. Idempotent, because keys are never reused. */
export const removeObjects = job('files.remove-objects', z.object({ keys: z.array(z.string()) }), {
  lane: 'bulk',
})

/** Removes presigned uploads that were never sent, and objects that a crash left unfinished. */
const sweepAbandonedUploads = job('files.sweep-uploads', z.object({}), { lane: 'bulk' })

export const fileJobs = [
  onJob(removeObjects, async ({ objects }, { keys }) => {
    for (const key of keys) await objects.remove(key)
  }),
  onJob(sweepAbandonedUploads, sweepUploads),
]
export const fileSchedules = [{ job: sweepAbandonedUploads, cron: '47 * * * *' }]
