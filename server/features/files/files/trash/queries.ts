import type { Fragment, Sql } from '../../../../database/database.ts'
import type { Access, Viewer } from '../../../projects/access/access.ts'
import { folderAccess, isPurgeable } from '../access.ts'
import type { Ancestor } from '../queries.ts'
import { type FileRow, selectFile } from '../records.ts'
import type { FolderRow } from '../tree/folder-queries.ts'

/** Also stores the path. False if no longer editable, or already trashed. */
export async function updateDeleted(sql: Sql, viewer: Viewer, id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update files f set deleted_at = ${now}, updated_at = ${now}, version = f.version + 1, trashed_from = coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by step.depth)
      from unnest(p.path) with ordinality step (id, depth)
      join files a on a.org_id = f.org_id and a.id = step.id
    ), '[]')
    from folders p
    where f.org_id = ${viewer.orgId} and f.id = ${id} and f.deleted_at is null and not f.protected
      and p.org_id = f.org_id and p.id = f.parent_id and p.trashed_by is null
      and ${folderAccess(sql, viewer, sql`p.project_id`)} = 'edit'
    returning f.id`
  return rows.length > 0
}

/** A pending upload has nothing to restore. The sweep removes its object. */
export async function deletePending(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from files where org_id = ${orgId} and id = ${id} and status = 'pending' returning id`
  return rows.length > 0
}

export interface TrashStateRow {
  id: string
  parentId: string
  source: 'upload' | 'folder' | 'link'
  name: string
  protected: boolean
  isDeleted: boolean
  isTrashedWithFolder: boolean
  projectId: string | null
  access: Access
  trashedFrom: Ancestor[] | null
}

export async function findIncludingTrashed(sql: Sql, viewer: Viewer, id: string) {
  const [row] = await sql<(Omit<TrashStateRow, 'access'> & { access: Access | null })[]>`
    select f.id, f.parent_id as "parentId", f.source, f.name, f.protected, f.deleted_at is not null as "isDeleted",
      f.deleted_at is null and p.trashed_by is not null as "isTrashedWithFolder", f.trashed_from as "trashedFrom",
      p.project_id as "projectId", ${folderAccess(sql, viewer, sql`p.project_id`)} as access
    from files f
    join folders p on p.org_id = f.org_id and p.id = case when f.source = 'folder' then f.id else f.parent_id end
    where f.org_id = ${viewer.orgId} and f.id = ${id}`
  return row?.access ? { ...row, access: row.access } : null
}

export async function updateRestored(sql: Sql, viewer: Viewer, id: string, parentId: string, now: Date) {
  const [row] = await sql<FileRow[]>`
    with f as (
      update files set deleted_at = null, trashed_from = null, parent_id = ${parentId}, version = version + 1,
        updated_at = ${now}
      where org_id = ${viewer.orgId} and id = ${id}
      returning *
    ) ${selectFile(sql, viewer, sql`f`)}`
  return row!
}

export async function listEditableFolders(sql: Sql, viewer: Viewer, ids: string[]) {
  return sql<{ id: string }[]>`
    select s.id from folders s
    where s.org_id = ${viewer.orgId} and s.id = any(${ids}::uuid[]) and s.trashed_by is null
      and ${folderAccess(sql, viewer, sql`s.project_id`)} = 'edit'`
}

/**
 * Separately trashed records survive the purge: moves them to the root or their project's folder. `trashed_from` keeps
 * their original path.
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

/** Continues `with gone as (delete from files … returning id, key)`. */
export const withVersions = (sql: Sql, orgId: string): Fragment => sql`
  , former as (
    delete from file_versions v using gone where v.org_id = ${orgId} and v.file_id = gone.id returning v.object_key as key
  ) select key from gone union all select key from former`

/** `entries` as listed in the trash, `files` including folder contents, `bytes` including versions. */
export interface Amount {
  entries: number
  files: number
  bytes: number
}

/** Runs the access function once per project, not once per row. */
export async function summarizeTrash(sql: Sql, viewer: Viewer): Promise<Amount & { others: number }> {
  const { orgId } = viewer
  const [row] = await sql<(Amount & { others: number })[]>`
    with trashed as materialized (
      select f.id, f.source, f.size, f.created_by, p.project_id, coalesce(p.project_id, ${orgId}::uuid) as space
      from ${trashedFiles(sql, orgId)}
    ), reachable as materialized (
      select d.space, ${folderAccess(sql, viewer, sql`d.project_id`)} as access
      from (select distinct space, project_id from trashed) d
    ), seen as materialized (
      select f.id, f.source, f.size, r.access = 'edit' and ${isPurgeable(sql, viewer, sql`f.project_id`)} as purgeable
      from trashed f join reachable r on r.space = f.space where r.access is not null
    ), roots as (select id, source, size from seen where purgeable)
    ${selectAmount(sql, orgId)}, (select count(*) from seen where not purgeable)::int as others`
  return row!
}

export async function listPurgeable(
  sql: Sql,
  viewer: Viewer,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select f.id from ${trashedFiles(sql, viewer.orgId)}
      and f.deleted_at < ${before} and ${folderAccess(sql, viewer, sql`p.project_id`)} = 'edit'
      and ${isPurgeable(sql, viewer, sql`p.project_id`)}
    order by f.deleted_at, f.id limit ${limit}`
  return rows.map(({ id }) => id)
}

export const trashedFiles = (sql: Sql, orgId: string): Fragment => sql`
  files f cross join lateral (
    select p.project_id from folders p
    where p.org_id = ${orgId} and p.id = case when f.source = 'folder' then f.id else f.parent_id end limit 1
  ) p
  where f.org_id = ${orgId} and f.deleted_at is not null and not f.protected`

/** Continues `with roots as (select id, source, size …)`, the records to delete. */
export const selectAmount = (sql: Sql, orgId: string): Fragment => sql`
  , gone as materialized (
    select id, source, size from roots
    union all
    select f.id, f.source, f.size from roots r
    join folders s on s.org_id = ${orgId} and s.trashed_by = r.id
    join files f on f.org_id = ${orgId} and f.parent_id = s.id and f.deleted_at is null
    where r.source = 'folder'
  )
  select (select count(*) from roots)::int as entries,
    (select count(*) from gone where source <> 'folder')::int as files,
    (select coalesce(sum(size) filter (where source = 'upload'), 0) from gone)::bigint
      + (select coalesce(sum(v.size), 0) from gone g join file_versions v on v.org_id = ${orgId} and v.file_id = g.id)::bigint
      as bytes`
