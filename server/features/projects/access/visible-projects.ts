import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

type Viewer = Pick<Caller, 'orgId' | 'userId' | 'role'>

/**
 * `offset 0` forces index lookups: the planner overestimates how many projects one member sees and would scan the whole
 * table.
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
  /** Further conditions on `p`, each beginning with `and`. Null saves a join. */
  conditions: Fragment | null
}

export interface PagePosition {
  after: ListPosition | null
  limit: number | null
}

/** The sort value and the id. Ids are in creation order. */
export interface ListPosition {
  key: string | null
  id: string
}

export interface ProjectOrder {
  by: 'created' | 'updated' | 'name'
  isDescending: boolean
}

export const NEWEST_FIRST: ProjectOrder = { by: 'created', isDescending: true }

/** Columns in `projects` and `project_workspaces`. Each order has an index in both tables. */
export const SORT_COLUMNS = { created: null, updated: 'active_at', name: 'sort_key' } as const

/** `key` is absent in creation order. Each source reads its own index and stops at the limit. */
export function visibleProjectPage(
  sql: Sql,
  viewer: Viewer,
  filter: PageFilter,
  { order = NEWEST_FIRST, ...position }: PagePosition & { order?: ProjectOrder },
): Fragment {
  const { visibility, workspaceId } = filter
  const seesAllTeams = viewer.role !== 'member' && workspaceId === undefined
  const page = { filter, position, order }
  const team = seesAllTeams ? allTeamIds(sql, viewer, page) : workspaceTeamIds(sql, viewer, page)
  const own = privateIds(sql, viewer, page)
  const both = visibility === 'team' ? team : visibility === 'private' ? own : sql`${team} union ${own}`
  const key = SORT_COLUMNS[order.by] === null ? null : sql`s.key`
  return sql`select distinct s.id ${key ? sql`, s.key` : sql``} from (${both}) s
    order by ${projectOrderColumns(sql, order, key, sql`s.id`)} ${limitOf(sql, position)}`
}

interface Page {
  filter: PageFilter
  position: PagePosition
  order: ProjectOrder
}

const allTeamIds = (sql: Sql, { orgId }: Viewer, page: Page): Fragment => sql`
  (select ${selectedColumns(sql, page, sql`p`, sql`p.id`)} from projects p
  where p.org_id = ${orgId} and p.deleted_at is null and p.visibility = 'team'
    ${page.filter.conditions ?? sql``} ${pageClauses(sql, page, sql`p`, sql`p.id`)})`

function workspaceTeamIds(sql: Sql, viewer: Viewer, page: Page): Fragment {
  const { orgId } = viewer
  const { workspaceId, conditions } = page.filter
  const joined = sql`join projects p on p.org_id = l.org_id and p.id = l.project_id ${conditions ?? sql``}`
  return sql`
    (select l.* from (${visibleWorkspaces(sql, viewer, workspaceId)} offset 0) w cross join lateral (
      select ${selectedColumns(sql, page, sql`l`, sql`l.project_id`)} from project_workspaces l ${conditions ? joined : sql``}
      where l.org_id = ${orgId} and l.workspace_id = w.id and l.listed
        ${pageClauses(sql, page, sql`l`, sql`l.project_id`)}
    ) l)`
}

function privateIds(sql: Sql, viewer: Viewer, page: Page): Fragment {
  const { orgId, userId } = viewer
  const { workspaceId, conditions } = page.filter
  return sql`
    (select ${selectedColumns(sql, page, sql`p`, sql`p.id`)} from projects p
    where p.org_id = ${orgId} and p.user_id = ${userId} and p.deleted_at is null and p.visibility = 'private'
      ${workspaceId === undefined ? sql`` : sql`and ${isInVisibleWorkspace(sql, viewer, workspaceId)}`}
      ${conditions ?? sql``} ${pageClauses(sql, page, sql`p`, sql`p.id`)})`
}

const keyOf = (sql: Sql, { by }: ProjectOrder, table: Fragment): Fragment | null => {
  const column = SORT_COLUMNS[by]
  return column === null ? null : sql`${table}.${sql(column)}`
}

function selectedColumns(sql: Sql, { order }: Page, table: Fragment, id: Fragment): Fragment {
  const key = keyOf(sql, order, table)
  return key ? sql`${id} as id, ${key} as key` : sql`${id} as id`
}

function pageClauses(sql: Sql, { position, order }: Page, table: Fragment, id: Fragment): Fragment {
  const key = keyOf(sql, order, table)
  return sql`${isAfter(sql, order, position.after, key, id)} order by ${projectOrderColumns(sql, order, key, id)} ${limitOf(sql, position)}`
}

export function isAfter(
  sql: Sql,
  { by, isDescending }: ProjectOrder,
  after: ListPosition | null,
  key: Fragment | null,
  id: Fragment,
): Fragment {
  if (after === null) return sql``
  const comparison = isDescending ? sql`<` : sql`>`
  if (key === null) return sql`and ${id} ${comparison} ${after.id}::uuid`
  const value = by === 'updated' ? sql`${after.key}::timestamptz` : sql`${after.key}::text`
  return sql`and (${key}, ${id}) ${comparison} (${value}, ${after.id}::uuid)`
}

export function projectOrderColumns(
  sql: Sql,
  { isDescending }: ProjectOrder,
  key: Fragment | null,
  id: Fragment,
): Fragment {
  const direction = isDescending ? sql`desc` : sql`asc`
  return key === null ? sql`${id} ${direction}` : sql`${key} ${direction}, ${id} ${direction}`
}

/** Owners and admins see all, members their own. */
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
 * The project belongs to or is shared with it. `limit 1` makes it a lookup per project. A generic plan would read the
 * whole workspace.
 */
export const isInVisibleWorkspace = (sql: Sql, viewer: Viewer, workspaceId: string): Fragment => sql`(
  select true from project_workspaces l join (${visibleWorkspaces(sql, viewer, workspaceId)}) w on w.id = l.workspace_id
  where l.org_id = ${viewer.orgId} and l.project_id = p.id limit 1)`

const limitOf = (sql: Sql, { limit }: PagePosition): Fragment =>
  limit === null ? sql`` : sql`limit ${limit}`

interface FolderPage {
  order: 'name' | 'newest' | 'largest'
  after: { key: string; id: string } | null
  limit: number
}

/**
 * Selects `id`, `sort_key` and `updated_at` in root folder order. Each source reads its own index and stops at the
 * limit. `audience_id` is a team project's workspace or a private project's creator.
 */
export function visibleProjectFolders(
  sql: Sql,
  viewer: Pick<Caller, 'orgId' | 'userId' | 'role'>,
  page: FolderPage,
): Fragment {
  const { orgId, userId, role } = viewer
  const pageOf = (condition: Fragment) => sql`
    select l.folder_id as id, l.folder_key as sort_key, l.folder_at as updated_at from project_workspaces l
    where l.org_id = ${orgId} and ${condition} ${afterCondition(sql, page)}
    order by ${orderBy(sql, page)} limit ${page.limit}`
  const own = sql`(${pageOf(sql`l.audience_id = ${userId}`)})`
  const team =
    role === 'member'
      ? sql`(select l.* from (${visibleWorkspaces(sql, viewer, undefined)} offset 0) w
          cross join lateral (${pageOf(sql`l.audience_id = w.id`)}) l)`
      : sql`(${pageOf(sql`l.audience_id = l.workspace_id`)})`
  // Removes duplicates, because a project may be in several workspaces.
  return sql`${team} union ${own}`
}

function orderBy(sql: Sql, { order }: FolderPage): Fragment {
  if (order === 'name') return sql`l.folder_key, l.folder_id`
  return order === 'newest' ? sql`l.folder_at desc, l.folder_id desc` : sql`l.folder_id desc`
}

function afterCondition(sql: Sql, { order, after }: FolderPage): Fragment {
  if (after === null) return sql``
  const { key, id } = after
  if (order === 'name') return sql`and (l.folder_key, l.folder_id) > (${key}, ${id}::uuid)`
  return order === 'newest'
    ? sql`and (l.folder_at, l.folder_id) < (${key}::timestamptz, ${id}::uuid)`
    : sql`and l.folder_id < ${id}`
}
