import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

/**
 * Decides who may see and edit a project. No other folder decides it:
 *
 * - owners and admins edit every team project, members those of their workspaces ('view' for workspace viewers);
 * - a private project is open to its creator alone;
 * - a guest has the access of the share link, to its one project.
 *
 * One rule has several forms, because each query plan needs its own: the SQL function `project_access()` for any user,
 * the inline expression `projectAccess` for the caller, `visibleProjects` as a set, `visibleProjectPage` in list order,
 * and `visibleProjectFolders` in the order of the root folder. `access.test.ts` compares the forms.
 */
export {
  isAfter,
  isInVisibleWorkspace,
  type ListPosition,
  NEWEST_FIRST,
  orderOf,
  type PagePosition,
  type ProjectOrder,
  SORT_COLUMNS,
  visibleProjectFolders,
  visibleProjectPage,
  visibleProjects,
  visibleWorkspaces,
} from './visible-projects.ts'
export { visibleRows } from './visible-rows.ts'

export type Access = 'edit' | 'view'

/** The part of a caller that access depends on. */
export type Viewer = Pick<Caller, 'orgId' | 'userId' | 'role' | 'share'>

/**
 * The caller's access to row `p` of `projects`: 'edit', 'view' or null. Deleted projects are for the query to exclude.
 * Inline, because calling `project_access()` for every row takes nine times as long.
 */
export function projectAccess(
  sql: Sql,
  { orgId, userId, role, share, credentialId }: Viewer & Pick<Caller, 'credentialId'>,
): Fragment {
  // Reads the share link again: it may have been revoked while this statement waited for a lock.
  if (share)
    return sql`case when p.id = ${share.projectId} and exists (
      select from project_shares s
      where s.org_id = p.org_id and s.project_id = p.id and s.id = ${credentialId} and s.version = ${share.version}
    ) then ${share.access}::text end`
  if (role !== 'member') return sql`case when p.visibility = 'team' or p.user_id = ${userId} then 'edit' end`
  return sql`case when p.visibility = 'private' then case when p.user_id = ${userId} then 'edit' end else (
    select case when bool_or(m.role <> 'viewer') then 'edit' when count(*) > 0 then 'view' end
    from project_workspaces l
    join workspace_members m on m.org_id = ${orgId} and m.workspace_id = l.workspace_id and m.user_id = ${userId}
    join workspaces w on w.org_id = ${orgId} and w.id = l.workspace_id and w.deleted_at is null
    where l.org_id = ${orgId} and l.project_id = p.id) end`
}

/** The viewer's access to the project with this id, for queries without a row of `projects`. Null if it is deleted. */
export function projectAccessById(
  sql: Sql,
  { orgId, userId, role, share }: Viewer,
  projectId: Fragment,
): Fragment {
  if (share) return sql`case when ${projectId} = ${share.projectId} then ${share.access}::text end`
  return sql`project_files_access(${orgId}, ${projectId}, ${userId}, ${role})`
}

/**
 * Whether the viewer created the project with this id; false without a project. `limit 1` makes it a lookup for each
 * row, the array and the order one by the primary key: without statistics, an index of the organization alone costs the
 * planner the same.
 */
export const isProjectCreator = (
  sql: Sql,
  { orgId, userId }: Viewer,
  projectId: Fragment,
): Fragment => sql`coalesce((
  select own.user_id = ${userId} from projects own where own.org_id = ${orgId} and own.id = any(array[${projectId}]::uuid[])
  order by own.id limit 1), false)`

/**
 * Whether the viewer sees the project with this id, for lists: a lookup for each row, by the primary key as above. With
 * the set of visible projects, one page would read all projects of a large workspace.
 */
export const isProjectVisible = (sql: Sql, viewer: Viewer, projectId: Fragment): Fragment => sql`(
  select ${projectAccess(sql, { ...viewer, credentialId: '' })} is not null from projects p
  where p.org_id = ${viewer.orgId} and p.id = any(array[${projectId}]::uuid[]) and p.deleted_at is null
  order by p.id limit 1)`

/** The project with this id as a table, to be joined laterally: a lookup for each row, by the primary key as above. */
export const projectById = (sql: Sql, orgId: string, projectId: Fragment): Fragment => sql`(
  select p.* from projects p where p.org_id = ${orgId} and p.id = any(array[${projectId}]::uuid[]) order by p.id limit 1)`

/** The access to row `p` of `projects` of a member who is not the caller, such as the creator of a share link. */
export const memberProjectAccess = (sql: Sql, userId: Fragment, role: Fragment): Fragment =>
  sql`project_access(p, ${userId}, ${role})`
