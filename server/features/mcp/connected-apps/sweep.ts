import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { deleteUnusedClients } from './clients/client-queries.ts'
import { deleteEndedGrants, deleteExpiredTokens, forgetSuccessors } from './sweep-queries.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const UNUSED_CLIENT_DAYS = 30
/** Until then, a secret that is used again is recognized as such. */
const ENDED_GRANT_DAYS = 30

const sweepApps = job('connected-apps.sweep', z.object({}), { lane: 'bulk' })

async function sweep({ sql, now: clock }: JobContext) {
  const now = clock()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await forgetSuccessors(sql, before(MINUTE_MS))
  await deleteExpiredTokens(sql, now)
  await deleteEndedGrants(sql, before(ENDED_GRANT_DAYS * DAY_MS))
  await deleteUnusedClients(sql, before(UNUSED_CLIENT_DAYS * DAY_MS), now)
}

export const sweepJobs = [onJob(sweepApps, sweep)]
export const sweepSchedules = [{ job: sweepApps, cron: '*/10 * * * *' }]
