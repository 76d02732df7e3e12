import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { deleteOrphanedThreads } from './sweep-queries.ts'

const BATCH_SIZE = 500

const sweepJob = job('comments.sweep', z.object({}))

/** Deletes the comments of blocks that can no longer be restored. */
async function sweep({ sql }: JobContext): Promise<void> {
  let after: Awaited<ReturnType<typeof deleteOrphanedThreads>> = null
  do after = await deleteOrphanedThreads(sql, after, BATCH_SIZE)
  while (after)
}

export const commentJobs = [onJob(sweepJob, sweep)]
export const commentSchedules = [{ job: sweepJob, cron: '20 3 * * *' }]
