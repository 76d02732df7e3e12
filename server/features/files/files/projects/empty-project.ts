import type { Sql } from '../../../../database/database.ts'
import type { EmptyProject } from '../../../../feature.ts'
import { removeUnownedObjects } from '../objects.ts'
import { withVersions } from '../trash/queries.ts'
import { lockTree } from '../tree/folder-queries.ts'

export const emptyProjectFiles: EmptyProject = async (ctx, { orgId, id }, limit) => {
  await lockTree(ctx.sql, orgId, 'change')
  const records = await deleteRecordsOf(ctx.sql, orgId, id, limit)
  if (records.count === 0) return deleteFoldersOf(ctx.sql, orgId, id, limit)
  await removeUnownedObjects(ctx, orgId, records.keys)
  return records.count
}

/** Deletes the root folder's record last. */
async function deleteRecordsOf(sql: Sql, orgId: string, projectId: string, limit: number) {
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

/** Deepest first: a folder goes after those it contains. */
async function deleteFoldersOf(sql: Sql, orgId: string, projectId: string, limit: number) {
  const { count } = await sql`
    delete from folders where org_id = ${orgId} and id = any(array(
      select s.id from folders s where s.org_id = ${orgId} and s.project_id = ${projectId}
      order by cardinality(s.path) desc limit ${limit}))`
  return count
}
