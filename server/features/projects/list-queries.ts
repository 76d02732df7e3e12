import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { gramsOf, patternOf } from '../files/files.ts'
import {
  isInVisibleWorkspace,
  type PagePosition,
  projectAccess,
  visibleProjectPage,
  visibleWorkspaces,
} from '../project-access/project-access.ts'
import { type ListedProject, type ProjectRow, selectListed } from './records.ts'

export interface ProjectFilter {
  status?: ProjectRow['status']
  visibility?: ProjectRow['visibility']
  workspaceId?: string
  search?: string
  tag?: string
}

/** Whether indexes answer the filter in list order, without reading the projects. */
export const isIndexed = ({ status, search, tag }: ProjectFilter): boolean =>
  [status, search, tag].every((value) => value === undefined)

/** A page, newest first. Finds the ids in the indexes first, and reads the rows of the page only. */
export async function listProjects(
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  position: PagePosition,
) {
  const { visibility, workspaceId } = filter
  const conditions = isIndexed(filter) ? null : matches(sql, filter)
  const ids = visibleProjectPage(sql, caller, { visibility, workspaceId, conditions }, position)
  return listIn(sql, orgId, caller, ids)
}

/**
 * Filters the next `scanMax` projects that the caller sees, which is the fastest way to common matches. `isComplete`
 * means that no project is left after them. An array instead of a join: without statistics, the planner joins by an index
 * of the organization alone, and reads all projects again for each one.
 */
export async function scanPage(
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  { after, limit, scanMax }: PagePosition & { scanMax: number },
): Promise<{ ids: string[]; isComplete: boolean }> {
  const { visibility, workspaceId } = filter
  const page = { visibility, workspaceId, conditions: null }
  const [row] = await sql<{ ids: string[]; scanned: number }[]>`
    with scanned as materialized (${visibleProjectPage(sql, caller, page, { after, limit: scanMax })})
    select (select count(*) from scanned)::int as scanned, array(
      select p.id from projects p
      where p.org_id = ${orgId} and p.id = any(array(select s.id from scanned s)) ${matches(sql, filter)}
      order by p.id desc ${limitOf(sql, limit)}
    ) as ids`
  return { ids: row!.ids, isComplete: row!.scanned < scanMax }
}

/**
 * Finds projects by the trigrams of their name, by tag or by status, which is the fastest way to rare matches. Null if
 * there are more than `matchesMax`: sorting them would take too long.
 */
export async function findByIndex(
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  { after, limit, matchesMax }: PagePosition & { matchesMax: number },
): Promise<string[] | null> {
  const { search, visibility, workspaceId } = filter
  const grams = search === undefined ? sql`` : sql`and name_grams(p.search_key) @> ${gramsOf(search)}`
  const [row] = await sql<{ ids: string[]; found: number }[]>`
    with found as materialized (
      select p.id from projects p
      where p.org_id = ${orgId} and p.deleted_at is null ${grams} ${matches(sql, filter)} limit ${matchesMax + 1}
    )
    select (select count(*) from found)::int as found, array(
      select p.id from projects p
      where p.org_id = ${orgId} and p.id = any(array(select f.id from found f)) and ${projectAccess(sql, caller)} is not null
        ${visibility === undefined ? sql`` : sql`and p.visibility = ${visibility}`}
        ${workspaceId === undefined ? sql`` : sql`and ${isInVisibleWorkspace(sql, caller, workspaceId)}`}
        ${after === null ? sql`` : sql`and p.id < ${after}`}
        and (select count(*) from found) <= ${matchesMax}
      order by p.id desc ${limitOf(sql, limit)}
    ) as ids`
  return row!.found > matchesMax ? null : row!.ids
}

export const listByIds = (sql: Sql, orgId: string, caller: Caller, ids: string[]) =>
  listIn(sql, orgId, caller, sql`select unnest(${ids}::uuid[])`)

/** Deleted projects, the most recently deleted first; `after` is the deletion time and the id of the last row. */
export async function listTrash(
  sql: Sql,
  orgId: string,
  caller: Caller,
  filter: ProjectFilter,
  { after, limit }: { after: [string, string] | null; limit: number | null },
) {
  const { visibility, workspaceId } = filter
  return sql<ListedProject[]>`
    ${selectListed(sql, withAccess(sql, caller))}
    where p.org_id = ${orgId} and p.deleted_at is not null and p.purged_at is null and a.access is not null
      ${matches(sql, filter)}
      ${visibility === undefined ? sql`` : sql`and p.visibility = ${visibility}`}
      ${workspaceId === undefined ? sql`` : sql`and ${isInVisibleWorkspace(sql, caller, workspaceId)}`}
      ${after === null ? sql`` : sql`and (p.deleted_at, p.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by p.deleted_at desc, p.id desc ${limitOf(sql, limit)}`
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

const listIn = (sql: Sql, orgId: string, caller: Caller, ids: Fragment) => sql<ListedProject[]>`
  ${selectListed(sql, withAccess(sql, caller))}
  where p.org_id = ${orgId} and p.id = any(array(${ids}))
  order by p.id desc`

function matches(sql: Sql, { status, search, tag }: ProjectFilter): Fragment {
  const inStatus = status === undefined ? sql`` : sql`and p.status = ${status}`
  const named = search === undefined ? sql`` : sql`and p.search_key like ${patternOf(search)}`
  const tagged = tag === undefined ? sql`` : sql`and p.tags @> ${[tag]}`
  return sql`${inStatus} ${named} ${tagged}`
}

const limitOf = (sql: Sql, limit: number | null): Fragment => (limit === null ? sql`` : sql`limit ${limit}`)
