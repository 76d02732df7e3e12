import type { Fragment, Sql } from '../../../../database/database.ts'
import type { FolderRow } from '../tree/folder-queries.ts'

/**
 * Records that were trashed separately survive the purge of the folder around them: moves them to the root folder, or to
 * the folder of their project. `trashed_from` still has their original path.
 */
export async function updateSeparatelyTrashed(
  sql: Sql,
  orgId: string,
  folderId: string,
  topmost: Pick<FolderRow, 'id' | 'path' | 'projectId'>,
): Promise<void> {
  await sql`
    update folders s set
      path = ${topmost.path}::uuid[] || s.path[cardinality(top.path):],
      project_id = ${topmost.projectId},
      parent_id = case when s.id = top.id then ${topmost.id} else s.parent_id end
    from folders top
    join folders around on around.org_id = top.org_id and around.id = top.parent_id
    where top.org_id = ${orgId} and top.path @> ${[folderId]}::uuid[] and top.trashed_by = top.id
      and around.trashed_by = ${folderId}
      and s.org_id = ${orgId} and s.path @> array[top.id]`
  await sql`
    update files set parent_id = ${topmost.id}
    where org_id = ${orgId} and deleted_at is not null and parent_id in (
      select id from folders where org_id = ${orgId} and trashed_by = ${folderId})`
}

/** Deletes everything that was trashed with this folder. Returns the keys of the objects. */
export async function deleteContents(sql: Sql, orgId: string, folderId: string): Promise<string[]> {
  const rows = await sql<{ key: string | null }[]>`
    with gone as (
      delete from files where org_id = ${orgId} and parent_id in (
        select id from folders where org_id = ${orgId} and trashed_by = ${folderId})
      returning id, case when status = 'ready' then object_key end as key
    ) ${withVersions(sql, orgId)}`
  await sql`delete from folders where org_id = ${orgId} and trashed_by = ${folderId}`
  return rows.flatMap(({ key }) => key ?? [])
}

export async function deleteRecord(sql: Sql, orgId: string, id: string): Promise<string[]> {
  const rows = await sql<{ key: string | null }[]>`
    with gone as (delete from files where org_id = ${orgId} and id = ${id} returning id, object_key as key)
    ${withVersions(sql, orgId)}`
  return rows.flatMap(({ key }) => key ?? [])
}

/** Continues `with gone as (delete from files … returning id, key)`: deletes their versions, and selects all keys. */
export const withVersions = (sql: Sql, orgId: string): Fragment => sql`
  , former as (
    delete from file_versions v using gone where v.org_id = ${orgId} and v.file_id = gone.id returning v.object_key as key
  ) select key from gone union all select key from former`

/**
 * Deletes those of the objects that no record owns, and returns their keys. Locks the rows first and looks for records
 * in a separate statement, so that the later of two concurrent purges sees the deletes of the other.
 */
export async function deleteUnowned(sql: Sql, orgId: string, keys: string[]): Promise<string[]> {
  await sql`select from objects where org_id = ${orgId} and key = any(${keys}) order by key for update`
  const rows = await sql<{ key: string }[]>`
    delete from objects o where o.org_id = ${orgId} and o.key = any(${keys})
      and not exists (select from files f where f.org_id = o.org_id and f.object_key = o.key)
      and not exists (select from file_versions v where v.org_id = o.org_id and v.object_key = o.key)
    returning o.key`
  return rows.map(({ key }) => key)
}
