import type { JobContext } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { releaseCall } from '../../../billing/budgets/budgets.ts'
import { wakeWorkers } from '../state/lease.ts'
import type { EngineRun } from '../state/run-row.ts'

/** A finished call frees about what one other needs. The extra allows for cheaper calls. */
const RESUMED_PER_CALL = 3

/** Those that have waited longest. Skips runs another transaction is resuming. */
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

export const resumeAfterChange = (ctx: JobContext, { orgId }: { orgId: string }): Promise<void> =>
  ctx.transaction(({ sql }) => resume(sql, orgId, waitingRuns(sql, orgId), ctx.now()))

/** An agent's settings contain its budget. */
export async function resumeAfterAgentChange(ctx: JobContext): Promise<void> {
  const changed = await ctx.sql<{ orgId: string }[]>`
    select distinct r.org_id as "orgId" from runs r join agents a on a.org_id = r.org_id and a.id = (r.wait -> 'budget' ->> 'id')::uuid
    where r.status = 'waiting' and r.wait ->> 'for' = 'budget' and r.wait -> 'budget' ->> 'period' = 'run'
      and a.updated_at >= (r.wait ->> 'since')::timestamptz`
  for (const { orgId } of changed) await resumeAfterChange(ctx, { orgId })
}

const waitingRuns = (sql: Sql, orgId: string): Fragment => sql`
  select id from runs where org_id = ${orgId} and status = 'waiting' and wait ->> 'for' = 'budget' order by id for update`

/** Extends deadlines by the time waited. */
async function resume(sql: Sql, orgId: string, chosen: Fragment, now: Date): Promise<void> {
  const rows = await sql`
    with chosen as (${chosen})
    update runs r set status = 'queued', due_at = ${now}, wait = null,
      deadline_at = r.deadline_at + greatest(${now}::timestamptz - (r.wait ->> 'since')::timestamptz, interval '0')
    from chosen c where r.org_id = ${orgId} and r.id = c.id returning r.id`
  if (rows.length > 0) wakeWorkers(sql)
}

/** In the transaction that ends the attempt. Waiting runs try again. */
export async function releaseAttempt(
  sql: Sql,
  run: EngineRun,
  step: { n: number; attempt: number },
  now: Date,
): Promise<void> {
  if (await releaseCall(sql, run, step)) await resumeReserved(sql, run.orgId, now)
}
