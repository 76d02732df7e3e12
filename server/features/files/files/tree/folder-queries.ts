import type { Sql } from '../../../../database/database.ts'
import { toSortKey } from '../../../../database/name-keys.ts'
import type { Access, Viewer } from '../../../projects/access/access.ts'
import { folderAccess } from '../access.ts'

/** The organization's root has a row too. */
export interface FolderRow {
  id: string
  parentId: string | null
  path: string[]
  projectId: string | null
  trashedBy: string | null
}

const columns = (sql: Sql) =>
  sql`s.id, s.parent_id as "parentId", s.path, s.project_id as "projectId", s.trashed_by as "trashedBy"`

/**
 * `change` (exclusive) is for moves and trashing, `add` (shared) for new folders: one added during a move would store
 * an outdated path.
 */
export async function lockTree(sql: Sql, orgId: string, purpose: 'change' | 'add'): Promise<void> {
  const strength = purpose === 'change' ? sql`for no key update` : sql`for share`
  await sql`select from folders where org_id = ${orgId} and id = ${orgId} ${strength}`
}

export async function lockFolder(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<FolderRow[]>`
    select ${columns(sql)} from folders s
    where s.org_id = ${orgId} and s.id = ${id} and s.trashed_by is null for share`
  return row ?? null
}

export async function lockDestination(sql: Sql, viewer: Viewer, id: string) {
  const [row] = await sql<(FolderRow & { access: Access | null })[]>`
    select ${columns(sql)}, ${folderAccess(sql, viewer, sql`s.project_id`)} as access from folders s
    where s.org_id = ${viewer.orgId} and s.id = ${id} and s.trashed_by is null for share`
  return row ?? null
}

export async function findVisibleFolder(sql: Sql, viewer: Viewer, id: string) {
  const [row] = await sql<FolderRow[]>`
    select ${columns(sql)} from folders s
    where s.org_id = ${viewer.orgId} and s.id = ${id} and s.trashed_by is null
      and ${folderAccess(sql, viewer, sql`s.project_id`)} is not null`
  return row ?? null
}

export async function findFolder(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<FolderRow[]>`
    select ${columns(sql)} from folders s where s.org_id = ${orgId} and s.id = ${id}`
  return row ?? null
}

export async function findProjectFolder(sql: Sql, orgId: string, projectId: string) {
  const [row] = await sql<FolderRow[]>`
    select ${columns(sql)} from folders s
    where s.org_id = ${orgId} and s.project_id = ${projectId} and cardinality(s.path) = 2 and s.trashed_by is null`
  return row ?? null
}

export async function findVisibleProjectFolder(sql: Sql, viewer: Viewer, projectId: string) {
  const [row] = await sql<FolderRow[]>`
    select ${columns(sql)} from folders s
    where s.org_id = ${viewer.orgId} and s.project_id = ${projectId} and cardinality(s.path) = 2
      and s.trashed_by is null and ${folderAccess(sql, viewer, sql`s.project_id`)} is not null`
  return row ?? null
}

export async function findFolderNamed(sql: Sql, orgId: string, parentId: string, name: string) {
  const [row] = await sql<{ id: string }[]>`
    select id from files
    where org_id = ${orgId} and parent_id = ${parentId} and rank = 0 and sort_key = ${toSortKey(name)}
      and name = ${name} and deleted_at is null and status = 'ready' and not protected
    order by id limit 1`
  return row ?? null
}

export async function insertFolder(
  sql: Sql,
  orgId: string,
  { id, parent, projectId }: { id: string; parent: Pick<FolderRow, 'id' | 'path'>; projectId: string | null },
): Promise<FolderRow> {
  const [row] = await sql<FolderRow[]>`
    insert into folders as s (org_id, id, parent_id, path, project_id)
    values (${orgId}, ${id}, ${parent.id}, ${[...parent.path, id]}, ${projectId})
    returning ${columns(sql)}`
  return row!
}

export async function findHeight(sql: Sql, orgId: string, { id, path }: FolderRow): Promise<number> {
  const [row] = await sql<{ deepest: number }[]>`
    select max(cardinality(path)) as deepest from folders where org_id = ${orgId} and path @> ${[id]}::uuid[]`
  return row!.deepest - path.length
}

/** Updates one row per folder, however many files they contain. */
export async function updateParent(
  sql: Sql,
  orgId: string,
  { id, path }: Pick<FolderRow, 'id' | 'path'>,
  parent: Pick<FolderRow, 'id' | 'path' | 'projectId'>,
): Promise<void> {
  await sql`
    update folders set
      path = ${parent.path}::uuid[] || path[${path.length}::int:],
      project_id = ${parent.projectId},
      parent_id = case when id = ${id} then ${parent.id} else parent_id end
    where org_id = ${orgId} and path @> ${[id]}::uuid[]`
}

export async function updateTrashed(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`
    update folders set trashed_by = ${id}
    where org_id = ${orgId} and path @> ${[id]}::uuid[] and trashed_by is null`
}

export async function updateUntrashed(sql: Sql, orgId: string, id: string): Promise<void> {
  await sql`update folders set trashed_by = null where org_id = ${orgId} and trashed_by = ${id}`
}

/** Serializes writers per name and folder, so two don't both create it. */
export async function lockName(sql: Sql, orgId: string, parentId: string, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`name ${orgId} ${parentId} ${name}`}, 0))`
}
