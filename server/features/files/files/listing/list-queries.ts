import type { Fragment, Sql } from '../../../../database/database.ts'
import { type Viewer, visibleProjectFolders } from '../../../projects/access/access.ts'
import { folderAccess, isPurgeable } from '../access.ts'
import { type FileRow, selectFile } from '../records.ts'

export type Order = 'name' | 'newest' | 'largest' | 'deleted'

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

/** Finds ids with an index-only scan, then reads only the page's rows, so skipped rows cost no heap access. */
export async function listFolder(sql: Sql, viewer: Viewer, list: FolderList, position: Position) {
  const { orgId } = viewer
  const { folderId, order } = list
  const window = sql`limit ${position.limit} offset ${position.offset}`
  const page = { ...position, limit: position.limit + position.offset }
  const projects = folderId === orgId ? projectFolders(sql, viewer, list, page) : null
  const ids = projects
    ? sql`
      select f.id from (
        (select f.id, ${orderColumns(sql, order)} ${filesOf(sql, viewer, list, page)} limit ${page.limit})
        union all (${projects})
      ) f order by ${orderBy(sql, order)} ${window}`
    : sql`select f.id ${filesOf(sql, viewer, list, position)} ${window}`
  return sql<FileRow[]>`
    ${selectFile(sql, viewer)}
    where f.org_id = ${orgId} and f.id = any(array(${ids}))
    order by ${orderBy(sql, order)}`
}

/** Excludes project folders, which only the root contains. */
const filesOf = (
  sql: Sql,
  viewer: Viewer,
  { folderId, source, order }: FolderList,
  { after }: Pick<Position, 'after'>,
): Fragment => sql`
  from files f
  where f.org_id = ${viewer.orgId} and f.parent_id = ${folderId} and f.deleted_at is null and f.status = 'ready'
    and not f.protected
    and exists (
      select from folders s where s.org_id = ${viewer.orgId} and s.id = ${folderId} and s.trashed_by is null
        and ${folderAccess(sql, viewer, sql`s.project_id`)} is not null)
    ${sourceCondition(sql, source)} ${afterCondition(sql, order, after)}
  order by ${orderBy(sql, order)}`

function projectFolders(sql: Sql, viewer: Viewer, { source, order }: FolderList, page: Position) {
  const { after, limit } = page
  const isPast = order === 'name' && after !== null && Number(after[0]) > 0
  if (viewer.share || isPast || (source !== undefined && source !== 'folder')) return null
  const start = after && !(order === 'largest' && Number(after[0]) > 0) ? after : null
  const [id, key] = start ? [...start].reverse().map(String) : []
  const folders = visibleProjectFolders(sql, viewer, {
    order,
    after: id === undefined ? null : { key: key!, id },
    limit,
  })
  const columns = { name: sql`0::smallint, f.sort_key`, newest: sql`f.updated_at`, largest: sql`0::bigint` }
  return sql`select f.id, ${columns[order]} from (${folders}) f`
}

export async function listByIds(sql: Sql, viewer: Viewer, ids: string[], order: Order) {
  return sql<FileRow[]>`
    ${selectFile(sql, viewer)}
    where f.org_id = ${viewer.orgId} and f.id = any(${ids}::uuid[]) order by ${orderBy(sql, order)}`
}

/** Phrased so the planner can use the partial index for any parameter. */
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

export function cursorPosition(row: FileRow, order: Order): (string | number)[] {
  if (order === 'name') return [row.source === 'folder' ? 0 : 1, row.sortKey, row.id]
  if (order === 'newest') return [row.updatedAt, row.id]
  if (order === 'largest') return [row.size, row.id]
  return [row.deletedAt!, row.id]
}

export interface TrashedFile extends FileRow {
  canRestore: boolean
  canPurge: boolean
}

/** Checks access once per project, not per row. */
export async function listTrashed(sql: Sql, viewer: Viewer, ids: string[]) {
  const { orgId } = viewer
  return sql<TrashedFile[]>`
    with page as materialized (
      ${selectFile(sql, viewer)} where f.org_id = ${orgId} and f.id = any(${ids}::uuid[])
    ), reachable as materialized (
      select d."projectId", ${folderAccess(sql, viewer, sql`d."projectId"`)} as access
      from (select distinct "projectId" from page) d
    )
    select page.*, r.access = 'edit' as "canRestore",
      r.access = 'edit' and ${isPurgeable(sql, viewer, sql`page."projectId"`)} as "canPurge"
    from page
    join reachable r on r."projectId" is not distinct from page."projectId"
    cross join lateral (select f.* from files f where f.org_id = ${orgId} and f.id = page.id limit 1) f
    order by ${orderBy(sql, 'deleted')}`
}
