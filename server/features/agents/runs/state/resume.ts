import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { wakeWorkers } from './lease.ts'
import { notifyBlock } from './publish.ts'
import { type EngineRun, lockRun } from './run-row.ts'

/**
 * A leased run reads its calls again before it waits. Waiting for members and child runs doesn't count toward the run's
 * minutes.
 */
export async function resume(sql: Sql, run: EngineRun, now: Date): Promise<void> {
  await sql`
    update runs set status = 'queued', due_at = ${now}, wait = null,
      deadline_at = deadline_at + greatest(${now}::timestamptz - (wait ->> 'since')::timestamptz, interval '0')
    where org_id = ${run.orgId} and id = ${run.id} and status = 'waiting'`
  await notifyBlock(sql, run)
  wakeWorkers(sql)
}

const RUNS_MAX = 200

/**
 * The connection works again, or was revoked and the call fails. Also runs every minute, in case the change committed
 * while a run started to wait.
 */
export async function resumeWithConnection(ctx: JobContext): Promise<void> {
  const runs = await ctx.sql<{ orgId: string; id: string }[]>`
    select distinct r.org_id as "orgId", r.id from runs r
    join run_calls c on c.org_id = r.org_id and c.run_id = r.id and c.state = 'waiting' and c.child_run_id is null
      and c.output is not null
    left join connections n on n.org_id = r.org_id and n.id = (c.output ->> 'connectionId')::uuid
      and n.status = 'expired' and n.deleted_at is null
    where r.status = 'waiting' and n.id is null limit ${RUNS_MAX}`
  for (const { orgId, id } of runs)
    await ctx.transaction(async ({ sql }) => {
      const run = await lockRun(sql, orgId, id)
      if (run?.status === 'waiting') await resume(sql, run, ctx.now())
    })
}
