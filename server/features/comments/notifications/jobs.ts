import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { sendDigests } from './digest.ts'
import { deleteBeyond, deleteOld } from './sweep-queries.ts'

const BATCH_SIZE = 1000
/** The sweep checks people with notifications of this period: twice the interval of the job. */
const SINCE_MS = 2 * 3_600_000

export const digestJob = job('notifications.digest', z.object({}))
export const sweepJob = job('notifications.sweep', z.object({}))

async function sweep({ sql, now }: JobContext): Promise<void> {
  await deleteBeyond(sql, new Date(now().getTime() - SINCE_MS))
  while ((await deleteOld(sql, now(), BATCH_SIZE)) === BATCH_SIZE);
}

export const notificationJobs = [onJob(digestJob, sendDigests), onJob(sweepJob, sweep)]
export const notificationSchedules = [
  { job: digestJob, cron: '*/5 * * * *' },
  { job: sweepJob, cron: '40 * * * *' },
]
