import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'

type Viewer = Pick<Caller, 'orgId' | 'userId' | 'role'>

/**
 * The projects that a member sees: their private ones, and the team projects of their workspaces. `offset 0` forces
 * index lookups: the planner overestimates how many projects one member sees, and would scan the whole table.
 */
export const visibleProjects = (sql: Sql, { orgId, userId }: Viewer): Fragment => sql`
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

export interface PageFilter {
  visibility: 'team' | 'private' | undefined
  workspaceId: string | undefined
  /** Further conditions on `p`, each beginning with `and`; null without any, which saves a join. */
  conditions: Fragment | null
}

export interface PagePosition {
  /** The id of the last project before the page; null on the first page. */
  after: string | null
  /** Null for no limit. */
  limit: number | null
}

/** The ids of the projects that a viewer sees, newest first. Each source reads its own index and stops at the limit. */
export function visibleProjectPage(
  sql: Sql,
  viewer: Viewer,
  filter: PageFilter,
  position: PagePosition,
): Fragment {
  const { visibility, workspaceId } = filter
  const seesAllTeams = viewer.role !== 'member' && workspaceId === undefined
  const team = seesAllTeams
    ? allTeamIds(sql, viewer, filter, position)
    : workspaceTeamIds(sql, viewer, filter, position)
  const own = privateIds(sql, viewer, filter, position)
  const both = visibility === 'team' ? team : visibility === 'private' ? own : sql`${team} union ${own}`
  return sql`select distinct s.id from (${both}) s order by s.id desc ${limitOf(sql, position)}`
}

const allTeamIds = (sql: Sql, { orgId }: Viewer, filter: PageFilter, position: PagePosition): Fragment => sql`
  (select p.id from projects p
  where p.org_id = ${orgId} and p.deleted_at is null and p.visibility = 'team'
    ${position.after === null ? sql`` : sql`and p.id < ${position.after}`} ${filter.conditions ?? sql``}
  order by p.id desc ${limitOf(sql, position)})`

function workspaceTeamIds(
  sql: Sql,
  viewer: Viewer,
  { workspaceId, conditions }: PageFilter,
  position: PagePosition,
): Fragment {
  const { orgId } = viewer
  const joined = sql`join projects p on p.org_id = l.org_id and p.id = l.project_id ${conditions ?? sql``}`
  return sql`
    (select l.id from (${visibleWorkspaces(sql, viewer, workspaceId)} offset 0) w cross join lateral (
      select l.project_id as id from project_workspaces l ${conditions ? joined : sql``}
      where l.org_id = ${orgId} and l.workspace_id = w.id and l.listed
        ${position.after === null ? sql`` : sql`and l.project_id < ${position.after}`}
      order by l.project_id desc ${limitOf(sql, position)}
    ) l)`
}

function privateIds(
  sql: Sql,
  viewer: Viewer,
  { workspaceId, conditions }: PageFilter,
  position: PagePosition,
): Fragment {
  const { orgId, userId } = viewer
  return sql`
    (select p.id from projects p
    where p.org_id = ${orgId} and p.user_id = ${userId} and p.deleted_at is null and p.visibility = 'private'
      ${workspaceId === undefined ? sql`` : sql`and ${isInVisibleWorkspace(sql, viewer, workspaceId)}`}
      ${position.after === null ? sql`` : sql`and p.id < ${position.after}`} ${conditions ?? sql``}
    order by p.id desc ${limitOf(sql, position)})`
}

/** The workspaces that a viewer sees, or only the one with this id: owners and admins see all, members their own. */
export function visibleWorkspaces(
  sql: Sql,
  { orgId, userId, role }: Viewer,
  id: string | undefined,
): Fragment {
  const isMember = sql`and exists (
    select from workspace_members m where m.org_id = w.org_id and m.workspace_id = w.id and m.user_id = ${userId})`
  return sql`
    select w.id from workspaces w
    where w.org_id = ${orgId} and w.deleted_at is null ${id === undefined ? sql`` : sql`and w.id = ${id}`}
      ${role === 'member' ? isMember : sql``}`
}

/**
 * Whether the project `p` belongs to or is shared with this workspace, provided that the viewer sees the workspace. `limit 1`
 * makes it a lookup for each project: a generic plan would read all projects of the workspace.
 */
export const isInVisibleWorkspace = (sql: Sql, viewer: Viewer, workspaceId: string): Fragment => sql`(
  select true from project_workspaces l join (${visibleWorkspaces(sql, viewer, workspaceId)}) w on w.id = l.workspace_id
  where l.org_id = ${viewer.orgId} and l.project_id = p.id limit 1)`

const limitOf = (sql: Sql, { limit }: PagePosition): Fragment =>
  limit === null ? sql`` : sql`limit ${limit}`
