import { z } from 'zod'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { applyRetention } from './apply.ts'

/** Deletes what is in the trash, and versions that were replaced, for longer than the organization stores them. */
const deleteOutdated = job('files.apply-retention', z.object({}), { lane: 'bulk' })

export const retentionJobs = [onJob(deleteOutdated, applyRetention)]
export const retentionSchedules = [{ job: deleteOutdated, cron: '23 4 * * *' }]
