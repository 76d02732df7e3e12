import type { Fragment, Sql } from '../../../database/database.ts'
import type { Viewer } from '../../project-access/project-access.ts'
import { folderAccess, hiddenProjectFolders } from '../access.ts'
import { type FileRow, selectFile } from '../records.ts'

export type Order = 'name' | 'newest' | 'largest' | 'deleted'

/** The start of a page: the sort key of the row before it, or an offset. */
export interface Position {
  after: (string | number)[] | null
  offset: number
  limit: number
}

export interface FolderList {
  folderId: string
  source: FileRow['source'] | undefined
  order: Exclude<Order, 'deleted'>
}

/**
 * A page of one folder. Finds the ids by an index-only scan and then reads the rows of the page, so that rows which a
 * deep page skips cost no heap access.
 */
export async function listFolder(sql: Sql, viewer: Viewer, list: FolderList, position: Position) {
  const { orgId } = viewer
  const { folderId, source, order } = list
  return sql<FileRow[]>`
    ${selectFile(sql, viewer)}
    where f.org_id = ${orgId} and f.id = any(array(
      select f.id from files f
      where f.org_id = ${orgId} and f.parent_id = ${folderId} and f.deleted_at is null and f.status = 'ready'
        and exists (
          select from folders s where s.org_id = ${orgId} and s.id = ${folderId} and s.trashed_by is null
            and ${folderAccess(sql, viewer, sql`s.project_id`)} is not null)
        ${folderId === orgId ? sql`and f.id not in (${hiddenProjectFolders(sql, viewer)})` : sql``}
        ${sourceCondition(sql, source)} ${afterCondition(sql, order, position.after)}
      order by ${orderBy(sql, order)} limit ${position.limit} offset ${position.offset}
    ))
    order by ${orderBy(sql, order)}`
}

export async function listByIds(sql: Sql, viewer: Viewer, ids: string[], order: Order) {
  return sql<FileRow[]>`
    ${selectFile(sql, viewer)}
    where f.org_id = ${viewer.orgId} and f.id = any(${ids}::uuid[]) order by ${orderBy(sql, order)}`
}

/** Phrased so that the planner can use the partial index of folders and links for any parameter. */
export function sourceCondition(
  sql: Sql,
  source: FileRow['source'] | undefined,
  f: Fragment = sql`f`,
): Fragment {
  if (source === undefined) return sql``
  if (source === 'upload') return sql`and ${f}.source = 'upload' and ${f}.rank = 1`
  return sql`and ${f}.source <> 'upload' and ${f}.source = ${source} and ${f}.rank = ${source === 'folder' ? 0 : 1}`
}

export function orderBy(sql: Sql, order: Order): Fragment {
  if (order === 'name') return sql`f.rank, f.sort_key, f.id`
  if (order === 'newest') return sql`f.updated_at desc, f.id desc`
  if (order === 'largest') return sql`f.size desc, f.id desc`
  return sql`f.deleted_at desc, f.id desc`
}

/** The columns that an order sorts by, besides the id. */
export function orderColumns(sql: Sql, order: Order): Fragment {
  if (order === 'name') return sql`f.rank, f.sort_key`
  if (order === 'newest') return sql`f.updated_at`
  return order === 'largest' ? sql`f.size` : sql`f.deleted_at`
}

export function afterCondition(sql: Sql, order: Order, position: (string | number)[] | null): Fragment {
  if (!position) return sql``
  const [first, second, third] = position as [string, string, string]
  if (order === 'name')
    return sql`and (f.rank, f.sort_key, f.id) > (${first}::int2, ${second}, ${third}::uuid)`
  if (order === 'newest') return sql`and (f.updated_at, f.id) < (${first}::timestamptz, ${second}::uuid)`
  if (order === 'largest') return sql`and (f.size, f.id) < (${first}::bigint, ${second}::uuid)`
  return sql`and (f.deleted_at, f.id) < (${first}::timestamptz, ${second}::uuid)`
}

/** The position of a row as `afterCondition` takes it. */
export function cursorPositionOf(row: FileRow, order: Order): (string | number)[] {
  if (order === 'name') return [row.source === 'folder' ? 0 : 1, row.sortKey, row.id]
  if (order === 'newest') return [row.updatedAt, row.id]
  if (order === 'largest') return [row.size, row.id]
  return [row.deletedAt!, row.id]
}
