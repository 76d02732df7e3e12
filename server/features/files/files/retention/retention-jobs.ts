import { z } from 'zod'
import { job } from '../../../../jobs/job.ts'
import { onJob } from '../../../../jobs/job-handler.ts'
import { applyRetention } from './apply.ts'

/** Deletes files in the trash and replaced versions whose retention has ended. */
const deleteOutdated = job('files.apply-retention', z.object({}), { lane: 'bulk' })

export const retentionJobs = [onJob(deleteOutdated, applyRetention)]
export const retentionSchedules = [{ job: deleteOutdated, cron: '23 4 * * *' }]
