import type { Fragment, Sql } from '../../database/database.ts'
import {
  hiddenProjects,
  projectAccessById,
  type Viewer,
  visibleProjects,
} from '../project-access/project-access.ts'

/**
 * The viewer's access to the folder of this project: 'edit', 'view' or null. Folders outside of projects are visible to
 * every member, and closed to guests.
 */
export const folderAccess = (sql: Sql, viewer: Viewer, projectId: Fragment): Fragment =>
  viewer.share
    ? projectAccessById(sql, viewer, projectId)
    : sql`case when ${projectId} is null then ${rootAccess(sql, viewer)} else ${projectAccessById(sql, viewer, projectId)} end`

/**
 * The viewer's access to folders outside of projects, which all workspaces share. Members edit them only if they can
 * edit in a workspace: an invite link for viewers gives read access alone.
 */
export const rootAccess = (sql: Sql, { orgId, userId, role }: Viewer): Fragment =>
  role === 'member'
    ? sql`case when exists (
        select from workspace_members m
        join workspaces w on w.org_id = m.org_id and w.id = m.workspace_id and w.deleted_at is null
        where m.org_id = ${orgId} and m.user_id = ${userId} and m.role <> 'viewer'
      ) then 'edit' else 'view' end`
    : sql`'edit'`

/** Whether `folderAccess` is not null, for lists: reads the set of projects once instead of the rule for every row. */
export function isFolderVisible(sql: Sql, viewer: Viewer, projectId: Fragment): Fragment {
  if (viewer.share) return sql`${projectId} = ${viewer.share.projectId}`
  return viewer.role === 'member'
    ? sql`(${projectId} is null or ${projectId} in (${visibleProjects(sql, viewer)}))`
    : sql`(${projectId} is null or ${projectId} not in (${hiddenProjects(sql, viewer)}))`
}

/**
 * The project folders that the viewer does not see, all of them children of the root. `offset 0`, here and below, forces
 * index lookups: the planner overestimates how many projects one member sees, and would scan the whole table.
 */
export const hiddenProjectFolders = (sql: Sql, viewer: Viewer): Fragment =>
  viewer.role === 'member'
    ? sql`
      select d.id from folders d
      where d.org_id = ${viewer.orgId} and d.project_id is not null and cardinality(d.path) = 2
        and d.project_id not in (${visibleProjects(sql, viewer)})`
    : sql`
      select d.id from (${hiddenProjects(sql, viewer)}) h cross join lateral (
        select d.id from folders d
        where d.org_id = ${viewer.orgId} and d.project_id = h.id and cardinality(d.path) = 2 offset 0) d`

/** All folders that the viewer sees, trashed ones included. */
export const visibleFolders = (sql: Sql, viewer: Viewer): Fragment =>
  viewer.role === 'member'
    ? sql`
      select s.* from folders s where s.org_id = ${viewer.orgId} and s.project_id is null
      union all
      select s.* from (select distinct id from (${visibleProjects(sql, viewer)}) v) v cross join lateral (
        select s.* from folders s where s.org_id = ${viewer.orgId} and s.project_id = v.id offset 0) s`
    : sql`
      select s.* from folders s where s.org_id = ${viewer.orgId} and ${isFolderVisible(sql, viewer, sql`s.project_id`)}`
