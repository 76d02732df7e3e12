import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { expireVersions } from './expire.ts'

/** Removes versions of files that were replaced long ago. */
const expireOldVersions = job('files.expire-versions', z.object({}), { lane: 'bulk' })

export const versionJobs = [onJob(expireOldVersions, expireVersions)]
export const versionSchedules = [{ job: expireOldVersions, cron: '23 4 * * *' }]
