import type { Fragment, Sql } from '../../../database/database.ts'
import { firstBatch, inBatch } from '../../../database/delete-batch.ts'
import { deleteCallsOfProject } from '../../connections/connections/connections.ts'

/**
 * For a purged project. Deletes at most `limit` rows and returns how many. The runs stay with their cost, without text.
 */
export async function emptyRuns(
  sql: Sql,
  orgId: string,
  projectId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<number> {
  const ofRuns = (table: Fragment) => sql`
    runs r join ${table} t on t.org_id = r.org_id and t.run_id = r.id
    where r.org_id = ${orgId} and r.project_id = ${projectId}`
  const batchOf = (table: Fragment) => inBatch(sql, ofRuns(table), limit)
  const batchOfRuns = (where: Fragment) =>
    inBatch(sql, sql`runs t where t.org_id = ${orgId} and t.project_id = ${projectId} and ${where}`, limit)
  return firstBatch([
    // A worker still executing the run can't write.
    () => sql`
      update runs set status = 'canceled', finished_at = ${now}, due_at = null, lease = lease + 1
      where ${batchOfRuns(sql`status in ('queued', 'running', 'waiting')`)}`,
    () => deleteCallsOfProject(sql, orgId, projectId, limit),
    // By key: a ctid is unique only within one partition.
    () => sql`
      delete from run_events e using (
        select t.run_id, t.seq from ${ofRuns(sql`run_events`)} limit ${limit}
      ) old
      where e.org_id = ${orgId} and e.run_id = old.run_id and e.seq = old.seq`,
    () => sql`delete from approvals where ${batchOf(sql`approvals`)}`,
    () => sql`delete from run_calls where ${batchOf(sql`run_calls`)}`,
    () => sql`delete from guardrail_matches where ${batchOf(sql`guardrail_matches`)}`,
    () => sql`delete from run_steps where ${batchOf(sql`run_steps`)}`,
    () => sql`
      update runs set title = null, error = null, wait = null
      where ${batchOfRuns(sql`(title is not null or error is not null or wait is not null)`)}`,
  ])
}
