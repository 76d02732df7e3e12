import { z } from 'zod'
import { job, onJob } from '../../jobs/job.ts'
import { sweepUploads } from './upload/sweep.ts'

/** Objects that no record owns any more. Keys are never used again, so removing them twice does no harm. */
export const removeObjects = job('files.remove-objects', z.object({ keys: z.array(z.string()) }), {
  lane: 'bulk',
})

/** Announced uploads that never came, and whatever a crash left half-written. */
const sweepAbandonedUploads = job('files.sweep-uploads', z.object({}), { lane: 'bulk' })

export const fileJobs = [
  onJob(removeObjects, async ({ objects }, { keys }) => {
    for (const key of keys) await objects.remove(key)
  }),
  onJob(sweepAbandonedUploads, sweepUploads),
]
export const fileSchedules = [{ job: sweepAbandonedUploads, cron: '47 * * * *' }]
