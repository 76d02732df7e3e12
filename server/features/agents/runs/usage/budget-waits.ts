import type { JobContext } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { releaseCall } from '../../../billing/budgets/budgets.ts'
import { wakeWorkers } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'

/**
 * The end of a call releases about the amount that another call needs. Resuming a few more runs allows for cheaper
 * calls.
 */
const RESUMED_PER_CALL = 3

/**
 * Resumes the runs that have waited longest for the reservations of other runs. Skips runs that another transaction
 * resumes.
 */
export const resumeReserved = (sql: Sql, orgId: string, now: Date) =>
  resume(
    sql,
    orgId,
    sql`
      select id from runs where org_id = ${orgId} and status = 'waiting' and wait ->> 'for' = 'budget'
        and wait -> 'budget' ->> 'reason' = 'reserved'
      order by wait ->> 'since', id limit ${RESUMED_PER_CALL} for update skip locked`,
    now,
  )

/** Resumes every run that waits for a budget, after a change of a budget. */
export const resumeAfterChange = (ctx: JobContext, { orgId }: { orgId: string }): Promise<void> =>
  ctx.transaction(({ sql }) => resume(sql, orgId, waitingRuns(sql, orgId), ctx.now()))

/** Resumes runs after a change of their agent, whose settings contain its budget. */
export async function resumeAfterAgentChange(ctx: JobContext): Promise<void> {
  const changed = await ctx.sql<{ orgId: string }[]>`
    select distinct r.org_id as "orgId" from runs r join agents a on a.org_id = r.org_id and a.id = (r.wait -> 'budget' ->> 'id')::uuid
    where r.status = 'waiting' and r.wait ->> 'for' = 'budget' and r.wait -> 'budget' ->> 'period' = 'run'
      and a.updated_at >= (r.wait ->> 'since')::timestamptz`
  for (const { orgId } of changed) await resumeAfterChange(ctx, { orgId })
}

const waitingRuns = (sql: Sql, orgId: string): Fragment => sql`
  select id from runs where org_id = ${orgId} and status = 'waiting' and wait ->> 'for' = 'budget' order by id for update`

/** Resumes runs, and extends their deadlines by the time that they have waited. */
async function resume(sql: Sql, orgId: string, chosen: Fragment, now: Date): Promise<void> {
  const rows = await sql`
    with chosen as (${chosen})
    update runs r set status = 'queued', due_at = ${now}, wait = null,
      deadline_at = r.deadline_at + greatest(${now}::timestamptz - (r.wait ->> 'since')::timestamptz, interval '0')
    from chosen c where r.org_id = ${orgId} and r.id = c.id returning r.id`
  if (rows.length > 0) wakeWorkers(sql)
}

/** Releases the reservations of an attempt, on the transaction that ends it; runs that wait for it try again. */
export async function releaseAttempt(
  sql: Sql,
  run: EngineRun,
  step: { n: number; attempt: number },
  now: Date,
): Promise<void> {
  if (await releaseCall(sql, run, step)) await resumeReserved(sql, run.orgId, now)
}
