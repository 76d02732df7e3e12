import type { Sql } from '../../../database/database.ts'
import { addJob } from '../../../jobs/job.ts'
import { approvalsRequested, longRunEnded } from './jobs.ts'
import type { Held } from './lease.ts'

const MINUTE_MS = 60_000
/** People who started a shorter run are likely to have waited for its end. */
const LONG_RUN_MS = 5 * MINUTE_MS

/** One notification per run and minute, at the end of the minute: approvals that were decided until then need none. */
export async function notifyOfApprovals(sql: Sql, { orgId, id }: Held, now: Date): Promise<void> {
  const minute = Math.floor(now.getTime() / MINUTE_MS)
  const runAt = new Date((minute + 1) * MINUTE_MS)
  await sql`select ${addJob(sql, approvalsRequested, { orgId, runId: id, minute }, { runAt })}`
}

export async function notifyOfEnd(sql: Sql, { orgId, id }: Held, now: Date): Promise<void> {
  const startedBefore = new Date(now.getTime() - LONG_RUN_MS)
  await sql`
    select ${addJob(sql, longRunEnded, { orgId, runId: id })} from runs
    where org_id = ${orgId} and id = ${id} and started_at < ${startedBefore}`
}
