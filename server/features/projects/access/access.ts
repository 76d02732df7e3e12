import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

/**
 * Decides who may see and edit a project. No other folder decides it:
 *
 * - owners and admins edit every team project, members those in their workspaces ('view' for workspace viewers);
 * - a private project is open only to its creator;
 * - a guest has the share link's access to its one project.
 *
 * The rule has several forms, because each query plan needs its own: the SQL function `project_access()` for any user,
 * the inline expression `projectAccess` for the caller, `visibleProjects` as a set, `visibleProjectPage` in list order,
 * and `visibleProjectFolders` in root folder order. `access.test.ts` compares the forms.
 */
export {
  isAfter,
  isInVisibleWorkspace,
  type ListPosition,
  NEWEST_FIRST,
  type PagePosition,
  type ProjectOrder,
  projectOrderColumns,
  SORT_COLUMNS,
  visibleProjectFolders,
  visibleProjectPage,
  visibleProjects,
  visibleWorkspaces,
} from './visible-projects.ts'
export { visibleRows } from './visible-rows.ts'

export type Access = 'edit' | 'view'

export type Viewer = Pick<Caller, 'orgId' | 'userId' | 'role' | 'share'>

/** The query must exclude deleted projects. Inline, because `project_access()` per row takes nine times as long. */
export function projectAccess(
  sql: Sql,
  { orgId, userId, role, share, credentialId }: Viewer & Pick<Caller, 'credentialId'>,
): Fragment {
  // Rereads the share link: it may have been revoked while waiting for a lock.
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

/** For queries without a `projects` row. Null if the project is deleted. */
export function projectAccessById(
  sql: Sql,
  { orgId, userId, role, share }: Viewer,
  projectId: Fragment,
): Fragment {
  if (share) return sql`case when ${projectId} = ${share.projectId} then ${share.access}::text end`
  return sql`project_files_access(${orgId}, ${projectId}, ${userId}, ${role})`
}

/**
 * `limit 1` makes it a lookup per row. The array and the order force the primary key: without statistics, an index on
 * the organization alone costs the planner the same.
 */
export const isProjectCreator = (
  sql: Sql,
  { orgId, userId }: Viewer,
  projectId: Fragment,
): Fragment => sql`coalesce((
  select own.user_id = ${userId} from projects own where own.org_id = ${orgId} and own.id = any(array[${projectId}]::uuid[])
  order by own.id limit 1), false)`

/**
 * For lists: a primary key lookup per row, as above. The set of visible projects would read a large workspace's
 * projects for one page.
 */
export const isProjectVisible = (sql: Sql, viewer: Viewer, projectId: Fragment): Fragment => sql`(
  select ${projectAccess(sql, { ...viewer, credentialId: '' })} is not null from projects p
  where p.org_id = ${viewer.orgId} and p.id = any(array[${projectId}]::uuid[]) and p.deleted_at is null
  order by p.id limit 1)`

/** For lateral joins: a primary key lookup per row, as above. */
export const projectById = (sql: Sql, orgId: string, projectId: Fragment): Fragment => sql`(
  select p.* from projects p where p.org_id = ${orgId} and p.id = any(array[${projectId}]::uuid[]) order by p.id limit 1)`

/** For a member who isn't the caller, such as a share link's creator. */
export const memberProjectAccess = (sql: Sql, userId: Fragment, role: Fragment): Fragment =>
  sql`project_access(p, ${userId}, ${role})`
