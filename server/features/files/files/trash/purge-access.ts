import type { Fragment, Sql } from '../../../../database/database.ts'
import { isProjectCreator, type Viewer } from '../../../projects/access/access.ts'
import { folderAccess } from '../access.ts'
import { orderBy } from '../listing/list-queries.ts'
import { type FileRow, selectFile } from '../records.ts'

/**
 * Whether the viewer, who can edit it, may purge row `f` of `files` in the project with this id. Purging cannot be undone,
 * so members purge only files that they created, and the contents of their projects.
 */
export const isPurgeable = (sql: Sql, viewer: Viewer, projectId: Fragment): Fragment =>
  viewer.role === 'member'
    ? sql`(${isProjectCreator(sql, viewer, projectId)} or (
        f.created_by is not distinct from ${viewer.userId} and not (f.source = 'folder' and exists (
          select from files c
          where c.org_id = ${viewer.orgId} and c.created_by is distinct from ${viewer.userId} and c.deleted_at is null
            and c.parent_id in (
              select d.id from folders d where d.org_id = ${viewer.orgId} and d.trashed_by = f.id)))))`
    : sql`true`

export async function canPurge(sql: Sql, viewer: Viewer, id: string, projectId: string | null) {
  const rows = await sql`
    select from files f where f.org_id = ${viewer.orgId} and f.id = ${id}
      and ${isPurgeable(sql, viewer, sql`${projectId}::uuid`)}`
  return rows.length > 0
}

/** A file in the trash, and the permissions of the viewer. */
export interface TrashedFile extends FileRow {
  canRestore: boolean
  canPurge: boolean
}

/** A page of the trash. The access function runs once for each project of the page instead of once for each row. */
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
