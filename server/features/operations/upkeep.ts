import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { job, onJob } from '../../jobs/job.ts'
import { deleteExpiredSessions } from '../accounts/accounts.ts'

const HOUR_MS = 3_600_000
const IDEMPOTENCY_HOURS = 24
const BUCKET_HOURS = 24
const SENT_MAIL_HOURS = 24 * 30

const upkeep = job('operations.upkeep', z.object({}))

/** Removes what has served its time. */
async function sweep({ sql, now }: JobContext) {
  const hoursAgo = (hours: number) => new Date(now().getTime() - hours * HOUR_MS)
  await deleteExpiredSessions(sql, now())
  await sql`delete from idempotent_answers where created_at < ${hoursAgo(IDEMPOTENCY_HOURS)}`
  await sql`delete from rate_limits where updated_at < ${hoursAgo(BUCKET_HOURS)}`
  await sql`delete from mails where sent_at < ${hoursAgo(SENT_MAIL_HOURS)}`
  await sql`delete from setup_links where expires_at < ${now()}`
}

export const operationJobs = [onJob(upkeep, sweep)]
export const operationSchedules = [{ job: upkeep, cron: '17 * * * *' }]
