import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { addTimePartitions } from '../../../database/time-partitions.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { deleteExpiredTokens } from '../../../one-time-tokens/one-time-tokens.ts'
import { deleteExpiredSessions, LINK_VISITOR_DAYS } from '../../accounts/accounts/accounts.ts'
import { deleteLoginsExpiredBefore } from '../../accounts/device-login/device-login.ts'
import { dropRunEvents } from '../../agents/runs/runs.ts'
import { sweepEvents } from '../../webhooks/webhooks.ts'

const HOUR_MS = 3_600_000
const IDEMPOTENCY_HOURS = 24
const RATE_LIMIT_HOURS = 24
const SENT_MAIL_HOURS = 24 * 30
/** Polling an expired login gets `expired_token` during this time, then `invalid_grant`. */
const EXPIRED_LOGIN_HOURS = 1

const applyRetention = job('operations.retention', z.object({}), {
  lane: 'bulk',
  retiredNames: ['operations.upkeep'],
})

/** Also prepares the tables for the next weeks. */
async function deleteExpired({ sql, now, objects }: JobContext<'objects'>) {
  const hoursAgo = (hours: number) => new Date(now().getTime() - hours * HOUR_MS)
  await deleteExpiredSessions(sql, now())
  await deleteExpiredTokens(sql, now())
  await deleteLoginsExpiredBefore(sql, hoursAgo(EXPIRED_LOGIN_HOURS))
  await sql`delete from idempotent_answers where created_at < ${hoursAgo(IDEMPOTENCY_HOURS)}`
  await sql`delete from rate_limits where updated_at < ${hoursAgo(RATE_LIMIT_HOURS)}`
  await sql`delete from link_visitors where opened_at < ${hoursAgo(LINK_VISITOR_DAYS * 24)}`
  await sql`delete from mails where sent_at < ${hoursAgo(SENT_MAIL_HOURS)}`
  await sql`delete from setup_links where expires_at < ${now()}`
  await sql`delete from invites where expires_at < ${now()}`
  await addTimePartitions(sql, now())
  await sweepEvents(sql, now())
  await dropRunEvents({ sql, now })
  // Last, because the bucket may fail.
  await objects.removePartialWrites(now())
}

export const operationJobs = [onJob(applyRetention, deleteExpired)]
export const operationSchedules = [{ job: applyRetention, cron: '17 * * * *' }]
