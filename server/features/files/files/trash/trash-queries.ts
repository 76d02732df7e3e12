import type { Sql } from '../../../../database/database.ts'
import type { Access, Viewer } from '../../../projects/access/access.ts'
import { folderAccess } from '../access.ts'
import type { Ancestor } from '../queries.ts'
import { type FileRow, selectFile } from '../records.ts'

/** Trashes a record and stores its path. False if the viewer can no longer edit it, or it was trashed before. */
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

/** Deletes a pending upload, which has nothing to restore. The sweep removes its object. */
export async function deletePending(sql: Sql, orgId: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from files where org_id = ${orgId} and id = ${id} and status = 'pending' returning id`
  return rows.length > 0
}

/** A record in any state, and whether it was trashed itself or with a folder. */
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
  /** The folders above it when it was deleted, from the root down. */
  trashedFrom: Ancestor[] | null
}

/** Null if it is in a project that the viewer does not see. */
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

/** The folders with these ids that exist and that the viewer can edit. */
export async function listEditableFolders(sql: Sql, viewer: Viewer, ids: string[]) {
  return sql<{ id: string }[]>`
    select s.id from folders s
    where s.org_id = ${viewer.orgId} and s.id = any(${ids}::uuid[]) and s.trashed_by is null
      and ${folderAccess(sql, viewer, sql`s.project_id`)} = 'edit'`
}
