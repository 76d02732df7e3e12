import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { toGrams, toLikePattern } from '../../../database/name-keys.ts'
import {
  isAfter,
  isInVisibleWorkspace,
  type ListPosition,
  type PagePosition,
  type ProjectOrder,
  projectAccess,
  projectOrderColumns,
  SORT_COLUMNS,
  visibleProjectPage,
  visibleWorkspaces,
} from '../access/access.ts'
import { type ListedProject, type ProjectRow, selectListed } from './records.ts'

export interface ProjectFilter {
  status?: ProjectRow['status']
  visibility?: ProjectRow['visibility']
  workspaceId?: string
  search?: string
  tag?: string
}

export type OrderedPage = PagePosition & { order: ProjectOrder }

export const isIndexed = ({ status, search, tag }: ProjectFilter): boolean =>
  [status, search, tag].every((value) => value === undefined)

/** Finds ids in the indexes first, then reads only the page's rows. */
export async function listProjects(
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  page: OrderedPage,
) {
  const { visibility, workspaceId } = filter
  const conditions = isIndexed(filter) ? null : matches(sql, filter)
  const ids = sql`select v.id from (${visibleProjectPage(sql, caller, { visibility, workspaceId, conditions }, page)}) v`
  return listIn(sql, orgId, caller, ids, page.order)
}

/**
 * Filters the next `scanMax` visible projects: fastest for common matches. `isComplete` means none are left. Uses an
 * array, not a join: without statistics, the planner would reread all projects for each one.
 */
export async function scanPage(
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  { limit, scanMax, ...page }: OrderedPage & { scanMax: number },
): Promise<{ ids: string[]; isComplete: boolean }> {
  const { visibility, workspaceId } = filter
  const unfiltered = { visibility, workspaceId, conditions: null }
  const [row] = await sql<{ ids: string[]; scanned: number }[]>`
    with scanned as materialized (${visibleProjectPage(sql, caller, unfiltered, { ...page, limit: scanMax })})
    select (select count(*) from scanned)::int as scanned, array(
      select p.id from projects p
      where p.org_id = ${orgId} and p.id = any(array(select s.id from scanned s)) ${matches(sql, filter)}
      order by ${projectOrder(sql, page.order)} ${limitOf(sql, limit)}
    ) as ids`
  return { ids: row!.ids, isComplete: row!.scanned < scanMax }
}

/**
 * Uses name trigrams, tag or status: fastest for rare matches. Null above `matchesMax`, as sorting would take too long.
 */
export async function findByIndex(
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  { after, limit, order, matchesMax }: OrderedPage & { matchesMax: number },
): Promise<string[] | null> {
  const { search } = filter
  const grams = search === undefined ? sql`` : sql`and name_grams(p.search_key) @> ${toGrams(search)}`
  const [row] = await sql<{ ids: string[]; found: number }[]>`
    with found as materialized (
      select p.id from projects p
      where p.org_id = ${orgId} and p.deleted_at is null ${grams} ${matches(sql, filter)} limit ${matchesMax + 1}
    )
    select (select count(*) from found)::int as found, array(
      select p.id from projects p
      where p.org_id = ${orgId} and p.id = any(array(select f.id from found f)) and ${projectAccess(sql, caller)} is not null
        ${inScope(sql, caller, filter)} ${isAfter(sql, order, after, sortColumn(sql, order), sql`p.id`)}
        and (select count(*) from found) <= ${matchesMax}
      order by ${projectOrder(sql, order)} ${limitOf(sql, limit)}
    ) as ids`
  return row!.found > matchesMax ? null : row!.ids
}

export const listByIds = (sql: Sql, orgId: string, caller: Caller, ids: string[], order: ProjectOrder) =>
  listIn(sql, orgId, caller, sql`select unnest(${ids}::uuid[])`, order)

export async function listTrash(
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  { after, limit }: PagePosition,
) {
  return sql<ListedProject[]>`
    ${selectListed(sql, withAccess(sql, caller), sql`p.deleted_at`)}
    where p.org_id = ${orgId} and p.deleted_at is not null and p.purged_at is null and a.access is not null
      ${matches(sql, filter)} ${inScope(sql, caller, filter)}
      ${after === null ? sql`` : sql`and (p.deleted_at, p.id) < (${after.key}::timestamptz, ${after.id}::uuid)`}
    order by p.deleted_at desc, p.id desc ${limitOf(sql, limit)}`
}

export const listPersonal = (
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  { set, key, isDescending, after, limit }: PersonalPage,
) => sql<ListedProject[]>`
  ${selectListed(sql, withAccess(sql, caller), key)}
  where p.org_id = ${orgId} and p.id = any(array(${set})) and p.deleted_at is null and a.access is not null
    ${matches(sql, filter)} ${inScope(sql, caller, filter)}
    ${after === null ? sql`` : sql`and (${key}, p.id) ${isDescending ? sql`<` : sql`>`} (${after.key}, ${after.id}::uuid)`}
  order by ${projectOrderColumns(sql, { by: 'name', isDescending }, key, sql`p.id`)} ${limitOf(sql, limit)}`

interface PersonalPage {
  set: Fragment
  key: Fragment
  isDescending: boolean
  after: ListPosition | null
  limit: number | null
}

export async function isWorkspaceVisible(
  sql: Sql,
  orgId: string,
  caller: Caller,
  id: string,
): Promise<boolean> {
  const rows = await sql`select from (${visibleWorkspaces(sql, { ...caller, orgId }, id)}) w`
  return rows.length > 0
}

const withAccess = (sql: Sql, caller: Caller) =>
  sql`projects p cross join lateral (select ${projectAccess(sql, caller)} as access) a`

const listIn = (sql: Sql, orgId: string, caller: Caller, ids: Fragment, order: ProjectOrder) => sql<
  ListedProject[]
>`
  ${selectListed(sql, withAccess(sql, caller), sortColumn(sql, order) ?? sql`null`)}
  where p.org_id = ${orgId} and p.id = any(array(${ids}))
  order by ${projectOrder(sql, order)}`

const sortColumn = (sql: Sql, { by }: ProjectOrder): Fragment | null => {
  const column = SORT_COLUMNS[by]
  return column === null ? null : sql`p.${sql(column)}`
}

const projectOrder = (sql: Sql, order: ProjectOrder): Fragment =>
  projectOrderColumns(sql, order, sortColumn(sql, order), sql`p.id`)

function matches(sql: Sql, { status, search, tag }: ProjectFilter): Fragment {
  const inStatus = status === undefined ? sql`` : sql`and p.status = ${status}`
  const named = search === undefined ? sql`` : sql`and p.search_key like ${toLikePattern(search)}`
  const tagged = tag === undefined ? sql`` : sql`and p.tags @> ${[tag]}`
  return sql`${inStatus} ${named} ${tagged}`
}

const inScope = (sql: Sql, caller: Caller, { visibility, workspaceId }: ProjectFilter): Fragment => sql`
  ${visibility === undefined ? sql`` : sql`and p.visibility = ${visibility}`}
  ${workspaceId === undefined ? sql`` : sql`and ${isInVisibleWorkspace(sql, caller, workspaceId)}`}`

const limitOf = (sql: Sql, limit: number | null): Fragment => (limit === null ? sql`` : sql`limit ${limit}`)
