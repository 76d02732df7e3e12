import type { Sql } from '../../../database/database.ts'
import type { FolderRow } from '../tree/folder-queries.ts'

/**
 * What was put into the trash by itself stays there when the folder around it is purged: it hangs from the topmost
 * folder, in its project if it is in one, until somebody restores it, and still knows where it was.
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

/** Everything that went to the trash with this folder. Returns the objects that held its bytes. */
export async function deleteContents(sql: Sql, orgId: string, folderId: string): Promise<string[]> {
  const rows = await sql<{ key: string | null }[]>`
    delete from files where org_id = ${orgId} and parent_id in (
      select id from folders where org_id = ${orgId} and trashed_by = ${folderId})
    returning case when status = 'ready' then object_key end as key`
  await sql`delete from folders where org_id = ${orgId} and trashed_by = ${folderId}`
  return rows.flatMap(({ key }) => key ?? [])
}

export async function deleteRecord(sql: Sql, orgId: string, id: string): Promise<string[]> {
  const rows = await sql<{ key: string | null }[]>`
    delete from files where org_id = ${orgId} and id = ${id} returning object_key as key`
  return rows.flatMap(({ key }) => key ?? [])
}

/**
 * Of these objects the ones that no record owns any more. The rows are locked first and the records counted by a
 * statement of its own, so that of two purges at once the later one sees what the other has left.
 */
export async function deleteUnowned(sql: Sql, orgId: string, keys: string[]): Promise<string[]> {
  await sql`select from objects where org_id = ${orgId} and key = any(${keys}) order by key for update`
  const rows = await sql<{ key: string }[]>`
    delete from objects o where o.org_id = ${orgId} and o.key = any(${keys})
      and not exists (select from files f where f.org_id = o.org_id and f.object_key = o.key)
    returning o.key`
  return rows.map(({ key }) => key)
}
