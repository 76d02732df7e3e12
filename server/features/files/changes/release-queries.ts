import type { Sql } from '../../../database/database.ts'

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

export async function deleteChanges(sql: Sql, orgId: string, runId: string) {
  const rows = await sql<{ formerId: string | null; createdAt: string }[]>`
    delete from file_changes where org_id = ${orgId} and run_id = ${runId}
    returning former_id as "formerId", created_at as "createdAt"`
  const at = rows.reduce((last, { createdAt }) => (createdAt > last ? createdAt : last), '')
  return { former: rows.flatMap(({ formerId }) => formerId ?? []), at }
}

/**
 * Deletes the former contents that are in the trash since the run replaced them, and returns the keys of their objects.
 * What a person restored since, and what the changes of another run refer to, stays.
 */
export async function deleteFormer(sql: Sql, orgId: string, ids: string[], at: string): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    delete from files f
    where f.org_id = ${orgId} and f.id = any(${ids}::uuid[]) and f.deleted_at is not null and f.updated_at <= ${at}
      and not exists (select from file_changes c where c.org_id = f.org_id and c.former_id = f.id)
    returning f.object_key as key`
  return rows.map(({ key }) => key)
}
