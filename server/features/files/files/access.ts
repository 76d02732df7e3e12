import type { Fragment, Sql } from '../../../database/database.ts'
import { rootViewOnly, viewOnly } from '../../../errors.ts'
import { canEditSomewhere } from '../../organizations/membership/membership.ts'
import {
  type Access,
  isProjectCreator,
  isProjectVisible,
  projectAccessById,
  type Viewer,
  visibleProjects,
} from '../../projects/access/access.ts'

/** Folders outside projects are visible to every member and closed to guests. */
export const folderAccess = (sql: Sql, viewer: Viewer, projectId: Fragment): Fragment =>
  viewer.share
    ? projectAccessById(sql, viewer, projectId)
    : sql`case when ${projectId} is null then ${rootAccess(sql, viewer)} else ${projectAccessById(sql, viewer, projectId)} end`

/** All workspaces share the folders outside projects. */
export const rootAccess = (sql: Sql, viewer: Viewer): Fragment =>
  viewer.role === 'member'
    ? sql`case when ${canEditSomewhere(sql, viewer)} then 'edit' else 'view' end`
    : sql`'edit'`

/**
 * `limit 1` makes it an inline lookup per row. With the set of visible projects, one page would read a large
 * workspace's projects.
 */
export function isFolderVisible(sql: Sql, viewer: Viewer, projectId: Fragment): Fragment {
  if (viewer.share) return sql`${projectId} = ${viewer.share.projectId}`
  return sql`(${projectId} is null or ${isProjectVisible(sql, viewer, projectId)})`
}

/** Includes trashed folders. Projects in two of the member's workspaces occur twice. */
export const visibleFolders = (sql: Sql, viewer: Viewer): Fragment => sql`
  select s.* from folders s where s.org_id = ${viewer.orgId} and s.project_id is null
  union all
  select s.* from (${visibleProjects(sql, viewer)}) v cross join lateral (
    select s.* from folders s where s.org_id = ${viewer.orgId} and s.project_id = v.id offset 0) s`

export function requireEdit({
  access,
  projectId,
}: {
  access: Access | null
  projectId: string | null
}): void {
  if (access === 'view') throw projectId === null ? rootViewOnly() : viewOnly()
}

/**
 * For rows the viewer can edit. Purging can't be undone, so members purge only files they created and their own
 * projects' contents.
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
