import type { Sql } from '../../../../database/database.ts'
import { wakeWorkers } from '../engine/lease.ts'
import { notifyBlock } from '../engine/publish.ts'
import type { EngineRun } from '../engine/run-row.ts'

/**
 * Makes the next step of a run that waits due. A run that a worker has leased reads its calls again before it waits.
 * The time that people and child runs take does not count against the minutes of the run.
 */
export async function resume(sql: Sql, run: EngineRun, now: Date): Promise<void> {
  await sql`
    update runs set status = 'queued', due_at = ${now}, wait = null,
      deadline_at = deadline_at + greatest(${now}::timestamptz - (wait ->> 'since')::timestamptz, interval '0')
    where org_id = ${run.orgId} and id = ${run.id} and status = 'waiting'`
  await notifyBlock(sql, run)
  wakeWorkers(sql)
}
