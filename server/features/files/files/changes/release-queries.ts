import type { Sql } from '../../../../database/database.ts'

/** Runs of all organizations that ended before this time and have changes of files. */
export const listReleasable = (sql: Sql, before: Date, limit: number) => sql<
  { orgId: string; runId: string }[]
>`
  select distinct c.org_id as "orgId", c.run_id as "runId"
  from file_changes c join runs r on r.org_id = c.org_id and r.id = c.run_id
  where c.created_at < ${before} and r.finished_at < ${before} limit ${limit}`

/** Runs of a project that have changes of files. */
export const listRunsWithChanges = (sql: Sql, orgId: string, projectId: string, limit: number) => sql<
  { runId: string }[]
>`
  select distinct c.run_id as "runId" from runs r join file_changes c on c.org_id = r.org_id and c.run_id = r.id
  where r.org_id = ${orgId} and r.project_id = ${projectId} limit ${limit}`

/** Versions that the run replaced stay until the retention of versions deletes them. */
export async function deleteChanges(sql: Sql, orgId: string, runId: string): Promise<void> {
  await sql`delete from file_changes where org_id = ${orgId} and run_id = ${runId}`
}
