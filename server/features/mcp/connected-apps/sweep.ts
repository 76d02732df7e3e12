import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { deleteUnusedClients } from './clients.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const UNUSED_CLIENT_DAYS = 30
/** Until then, a reused secret is recognized. */
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

/** A client that repeats a refresh gets its token's successor, for only a minute. */
const forgetSuccessors = (sql: Sql, usedBefore: Date) =>
  sql`update app_tokens set successor = null where successor is not null and used_at < ${usedBefore}`

const deleteExpiredTokens = (sql: Sql, now: Date) => sql`delete from app_tokens where expires_at < ${now}`

/** Revoked, expired, unused for the refresh token lifetime, or never completed. */
const deleteEndedGrants = (sql: Sql, endedBefore: Date) => sql`
  delete from app_grants
  where least(revoked_at, expires_at, coalesce(refresh_until, code_expires_at)) < ${endedBefore}`
