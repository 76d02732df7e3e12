import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'

/** Whoever looks at files: what is in the folder of a project is there for those who may see the project. */
export type Viewer = Pick<Caller, 'orgId' | 'userId' | 'role' | 'share'>

export type Access = 'edit' | 'view'

/** What they may do in the folder of this project: 'edit', 'view' or null. Where there is none, everybody may edit. */
export function accessIn(sql: Sql, { orgId, userId, role, share }: Viewer, project: Fragment): Fragment {
  if (share) return sql`case when ${project} = ${share.projectId} then ${share.access}::text end`
  return sql`case when ${project} is null then 'edit'
    else project_files_access(${orgId}, ${project}, ${userId}, ${role}) end`
}

/**
 * Whether that is anything at all, for lists: a set that is read once, where the rule itself would be asked for every
 * row. `access.test.ts` holds the two against each other.
 */
export function isSeen(sql: Sql, viewer: Viewer, project: Fragment): Fragment {
  if (viewer.share) return sql`${project} = ${viewer.share.projectId}`
  return viewer.role === 'member'
    ? sql`(${project} is null or ${project} in (${visibleProjects(sql, viewer)}))`
    : sql`(${project} is null or ${project} not in (${hiddenProjects(sql, viewer)}))`
}

/**
 * The folders of projects, in the root, that are not there for this viewer. `offset 0`, here and below, keeps the way
 * through the indexes: PostgreSQL does not know how few projects one person sees, and would read them all.
 */
export const hiddenFolders = (sql: Sql, viewer: Viewer): Fragment =>
  viewer.role === 'member'
    ? sql`
      select d.id from folders d
      where d.org_id = ${viewer.orgId} and d.project_id is not null and cardinality(d.path) = 2
        and d.project_id not in (${visibleProjects(sql, viewer)})`
    : sql`
      select d.id from (${hiddenProjects(sql, viewer)}) h cross join lateral (
        select d.id from folders d
        where d.org_id = ${viewer.orgId} and d.project_id = h.id and cardinality(d.path) = 2 offset 0) d`

/** All folders that a viewer can look into, in the trash or not. */
export const seenFolders = (sql: Sql, viewer: Viewer): Fragment =>
  viewer.role === 'member'
    ? sql`
      select s.* from folders s where s.org_id = ${viewer.orgId} and s.project_id is null
      union all
      select s.* from (select distinct id from (${visibleProjects(sql, viewer)}) v) v cross join lateral (
        select s.* from folders s where s.org_id = ${viewer.orgId} and s.project_id = v.id offset 0) s`
    : sql`
      select s.* from folders s where s.org_id = ${viewer.orgId} and ${isSeen(sql, viewer, sql`s.project_id`)}`

/** Of a member: their own private projects, and those of their workspaces. */
const visibleProjects = (sql: Sql, { orgId, userId }: Viewer): Fragment => sql`
  select own.id from projects own
  where own.org_id = ${orgId} and own.user_id = ${userId} and own.visibility = 'private' and own.deleted_at is null
  union all
  select team.id from workspace_members m
  join workspaces w on w.org_id = m.org_id and w.id = m.workspace_id and w.deleted_at is null
  cross join lateral (
    select l.project_id from project_workspaces l
    where l.org_id = m.org_id and l.workspace_id = m.workspace_id and l.listed offset 0
  ) l
  cross join lateral (
    select team.id from projects team
    where team.org_id = m.org_id and team.id = l.project_id and team.visibility = 'team' and team.deleted_at is null
    offset 0
  ) team
  where m.org_id = ${orgId} and m.user_id = ${userId}`

/** Of an owner or admin: what is private to others, and what is deleted. */
const hiddenProjects = (sql: Sql, { orgId, userId }: Viewer): Fragment => sql`
  select other.id from projects other
  where other.org_id = ${orgId} and other.user_id <> ${userId} and other.visibility = 'private'
    and other.deleted_at is null
  union all
  select gone.id from projects gone where gone.org_id = ${orgId} and gone.deleted_at is not null`
