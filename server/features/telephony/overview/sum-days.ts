import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../jobs/job.ts'
import { deleteHours, listOrganizations, storeDays } from './day-queries.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const HOURS_KEPT_DAYS = 2

/** Stores the sums of the previous day every morning, so that a summary of a month reads few rows. */
export const sumDaysJob = job('telephony.sum-days', z.object({}), { lane: 'bulk' })

export async function sumDays({ sql, now }: JobContext): Promise<void> {
  const keptSince = new Date(now().getTime() - HOURS_KEPT_DAYS * DAY_MS)
  for (const orgId of await listOrganizations(sql)) {
    await storeDays(sql, orgId, firstDay(now()), dayOf(now()))
    await deleteHours(sql, orgId, keptSince)
  }
}

/** The first of the days that a summary shows, in UTC. */
export const firstDay = (now: Date): string => dayOf(new Date(now.getTime() - (DAYS - 1) * DAY_MS))

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
