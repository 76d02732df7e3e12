import type { Sql } from '../../../../database/database.ts'
import { withVersions } from '../trash/purge-queries.ts'

/** Deletes records in the folders of a project, and finally that of its root folder. Returns the object keys. */
export async function deleteRecordsOf(sql: Sql, orgId: string, projectId: string, limit: number) {
  const rows = await sql<{ key: string | null }[]>`
    with gone as (delete from files where org_id = ${orgId} and id = any(array(
      (select f.id from folders s join files f on f.org_id = s.org_id and f.parent_id = s.id
        where s.org_id = ${orgId} and s.project_id = ${projectId} limit ${limit})
      union all
      (select f.id from folders s join files f on f.org_id = s.org_id and f.id = s.id
        where s.org_id = ${orgId} and s.project_id = ${projectId} and cardinality(s.path) = 2)
      limit ${limit}))
    returning id, case when status = 'ready' then object_key end as key) ${withVersions(sql, orgId)}`
  return { count: rows.length, keys: rows.flatMap(({ key }) => key ?? []) }
}

/** The deepest folders first: a folder is deleted after those that it contains. */
export async function deleteFoldersOf(sql: Sql, orgId: string, projectId: string, limit: number) {
  const { count } = await sql`
    delete from folders where org_id = ${orgId} and id = any(array(
      select s.id from folders s where s.org_id = ${orgId} and s.project_id = ${projectId}
      order by cardinality(s.path) desc limit ${limit}))`
  return count
}
