import { z } from 'zod'
import type { Feature } from '../../../feature.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { releaseExpired, releaseRunsOf } from './release.ts'
import { runChangeRoutes } from './routes.ts'

/** Deletes the records for the undo of runs, 30 days after they ended. */
const releaseJob = job('run-changes.release', z.object({}), { lane: 'bulk' })

/** The changes of runs on canvases and in files, and their undo. */
export const runChanges: Feature = {
  routes: runChangeRoutes,
  jobs: [onJob(releaseJob, releaseExpired)],
  schedules: [{ job: releaseJob, cron: '23 * * * *' }],
  emptyProject: releaseRunsOf,
}
