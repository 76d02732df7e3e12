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

/**
 * The viewer's access to the folder of this project: 'edit', 'view' or null. Folders outside of projects are visible to
 * every member, and closed to guests.
 */
export const folderAccess = (sql: Sql, viewer: Viewer, projectId: Fragment): Fragment =>
  viewer.share
    ? projectAccessById(sql, viewer, projectId)
    : sql`case when ${projectId} is null then ${rootAccess(sql, viewer)} else ${projectAccessById(sql, viewer, projectId)} end`

/** The viewer's access to folders outside of projects, which all workspaces share. */
export const rootAccess = (sql: Sql, viewer: Viewer): Fragment =>
  viewer.role === 'member'
    ? sql`case when ${canEditSomewhere(sql, viewer)} then 'edit' else 'view' end`
    : sql`'edit'`

/**
 * Whether `folderAccess` is not null, for lists: an inline lookup for each row, because of `limit 1`. With the set of
 * visible projects, one page would read all projects of a large workspace.
 */
export function isFolderVisible(sql: Sql, viewer: Viewer, projectId: Fragment): Fragment {
  if (viewer.share) return sql`${projectId} = ${viewer.share.projectId}`
  return sql`(${projectId} is null or ${isProjectVisible(sql, viewer, projectId)})`
}

/** The folders that a member sees, trashed ones included. One whose project is in two of their workspaces occurs twice. */
export const visibleFolders = (sql: Sql, viewer: Viewer): Fragment => sql`
  select s.* from folders s where s.org_id = ${viewer.orgId} and s.project_id is null
  union all
  select s.* from (${visibleProjects(sql, viewer)}) v cross join lateral (
    select s.* from folders s where s.org_id = ${viewer.orgId} and s.project_id = v.id offset 0) s`

/** Refuses a folder or file that the caller can see but not edit. */
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
