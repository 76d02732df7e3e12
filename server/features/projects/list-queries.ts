import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { gramsOf, patternOf } from '../files/files.ts'
import { accessOf } from './access.ts'
import { columns, type ProjectRow } from './records.ts'

/** Which projects are asked for, among those that the caller may see. */
export interface Wanted {
  status?: ProjectRow['status']
  visibility?: ProjectRow['visibility']
  workspaceId?: string
  search?: string
  tag?: string
}

export interface Position {
  /** The id that the page comes after, null at the start. */
  after: string | null
  /** Null for all there are. */
  limit: number | null
}

/** A page, newest first. Its ids are found in the indexes, and only then the rows are read. */
export async function listProjects(
  sql: Sql,
  orgId: string,
  caller: Caller,
  wanted: Wanted,
  position: Position,
) {
  return listIn(sql, orgId, caller, idsSeen(sql, orgId, caller, wanted, position))
}

/**
 * Looks at the next `steps` projects that the caller may see: the shortest way to what is common. `isWhole` says that
 * there is nothing beyond them.
 */
export async function findAlong(
  sql: Sql,
  orgId: string,
  caller: Caller,
  wanted: Wanted,
  position: Position & { steps: number },
): Promise<{ ids: string[]; isWhole: boolean }> {
  const { after, limit, steps } = position
  const { visibility, workspaceId } = wanted
  const all = { visibility, workspaceId }
  const [row] = await sql<{ ids: string[]; walked: number }[]>`
    with walked as materialized (${idsSeen(sql, orgId, caller, all, { after, limit: steps })})
    select (select count(*) from walked)::int as walked, array(
      select w.id from walked w cross join lateral (
        select from projects p where p.org_id = ${orgId} and p.id = w.id ${matching(sql, wanted)} limit 1
      ) p order by w.id desc ${atMost(sql, limit)}
    ) as ids`
  return { ids: row!.ids, isWhole: row!.walked < steps }
}

/**
 * Looks it up by the pieces of its name, by its tag or by its status: the shortest way to what is rare. Null if it is
 * found more often than `most`, so that it cannot be rare.
 */
export async function findByIndex(
  sql: Sql,
  orgId: string,
  caller: Caller,
  wanted: Wanted,
  position: Position & { most: number },
): Promise<string[] | null> {
  const { after, limit, most } = position
  const { search, visibility, workspaceId } = wanted
  const grams = search === undefined ? sql`` : sql`and name_grams(p.search_key) @> ${gramsOf(search)}`
  const [row] = await sql<{ ids: string[]; found: number }[]>`
    with found as materialized (
      select p.id from projects p
      where p.org_id = ${orgId} and p.deleted_at is null ${grams} ${matching(sql, wanted)} limit ${most + 1}
    )
    select (select count(*) from found)::int as found, array(
      select p.id from found f join projects p on p.org_id = ${orgId} and p.id = f.id
      where ${accessOf(sql, caller)} is not null
        ${visibility === undefined ? sql`` : sql`and p.visibility = ${visibility}`}
        ${workspaceId === undefined ? sql`` : sql`and ${isIn(sql, orgId, caller, workspaceId)}`}
        ${after === null ? sql`` : sql`and p.id < ${after}`}
        and (select count(*) from found) <= ${most}
      order by p.id desc ${atMost(sql, limit)}
    ) as ids`
  return row!.found > most ? null : row!.ids
}

export const listByIds = (sql: Sql, orgId: string, caller: Caller, ids: string[]) =>
  listIn(sql, orgId, caller, sql`select unnest(${ids}::uuid[])`)

/** What was deleted, the latest first; `after` is when and which. */
export async function listTrash(
  sql: Sql,
  orgId: string,
  caller: Caller,
  wanted: Wanted,
  { after, limit }: { after: [string, string] | null; limit: number | null },
) {
  const { visibility, workspaceId } = wanted
  return sql<ProjectRow[]>`
    select ${columns(sql)}, a.access
    from projects p cross join lateral (select ${accessOf(sql, caller)} as access) a
    where p.org_id = ${orgId} and p.deleted_at is not null and a.access is not null ${matching(sql, wanted)}
      ${visibility === undefined ? sql`` : sql`and p.visibility = ${visibility}`}
      ${workspaceId === undefined ? sql`` : sql`and ${isIn(sql, orgId, caller, workspaceId)}`}
      ${after === null ? sql`` : sql`and (p.deleted_at, p.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by p.deleted_at desc, p.id desc ${atMost(sql, limit)}`
}

/** Whether the caller sees this workspace: owners and admins every one, members those they belong to. */
export async function isWorkspaceSeen(sql: Sql, orgId: string, caller: Caller, id: string): Promise<boolean> {
  const rows = await sql`select from (${workspacesSeen(sql, orgId, caller, id)}) w`
  return rows.length > 0
}

const listIn = (sql: Sql, orgId: string, caller: Caller, ids: Fragment) => sql<ProjectRow[]>`
  select ${columns(sql)}, ${accessOf(sql, caller)} as access from projects p
  where p.org_id = ${orgId} and p.id = any(array(${ids}))
  order by p.id desc`

/**
 * The ids of what the caller may see and wants to, in order: what is open to teams and what is private to them. Each
 * comes from an index and is cut before they are put together.
 */
function idsSeen(sql: Sql, orgId: string, caller: Caller, wanted: Wanted, position: Position): Fragment {
  const { visibility, workspaceId } = wanted
  const isEverywhere = caller.role !== 'member' && workspaceId === undefined
  const ofTeams = isEverywhere
    ? teamIds(sql, orgId, wanted, position)
    : workspaceIds(sql, orgId, caller, wanted, position)
  const ofOwn = privateIds(sql, orgId, caller, wanted, position)
  const both =
    visibility === 'team' ? ofTeams : visibility === 'private' ? ofOwn : sql`${ofTeams} union ${ofOwn}`
  return sql`select distinct s.id from (${both}) s order by s.id desc ${atMost(sql, position.limit)}`
}

const teamIds = (sql: Sql, orgId: string, wanted: Wanted, { after, limit }: Position): Fragment => sql`
  (select p.id from projects p
  where p.org_id = ${orgId} and p.deleted_at is null and p.visibility = 'team'
    ${after === null ? sql`` : sql`and p.id < ${after}`} ${matching(sql, wanted)}
  order by p.id desc ${atMost(sql, limit)})`

function workspaceIds(
  sql: Sql,
  orgId: string,
  caller: Caller,
  wanted: Wanted,
  { after, limit }: Position,
): Fragment {
  const { status, search, tag, workspaceId } = wanted
  const isPlain = [status, search, tag].every((given) => given === undefined)
  const joined = sql`join projects p on p.org_id = l.org_id and p.id = l.project_id ${matching(sql, wanted)}`
  return sql`
    (select l.id from (${workspacesSeen(sql, orgId, caller, workspaceId)}) w cross join lateral (
      select l.project_id as id from project_workspaces l ${isPlain ? sql`` : joined}
      where l.org_id = ${orgId} and l.workspace_id = w.id and l.listed
        ${after === null ? sql`` : sql`and l.project_id < ${after}`}
      order by l.project_id desc ${atMost(sql, limit)}
    ) l)`
}

const privateIds = (
  sql: Sql,
  orgId: string,
  caller: Caller,
  wanted: Wanted,
  { after, limit }: Position,
): Fragment => sql`
  (select p.id from projects p
  where p.org_id = ${orgId} and p.user_id = ${caller.userId} and p.deleted_at is null and p.visibility = 'private'
    ${wanted.workspaceId === undefined ? sql`` : sql`and ${isIn(sql, orgId, caller, wanted.workspaceId)}`}
    ${after === null ? sql`` : sql`and p.id < ${after}`} ${matching(sql, wanted)}
  order by p.id desc ${atMost(sql, limit)})`

/** The workspaces that the caller sees, or this one of them. */
function workspacesSeen(sql: Sql, orgId: string, { userId, role }: Caller, id: string | undefined): Fragment {
  const belongs = sql`and exists (
    select from workspace_members m where m.org_id = w.org_id and m.workspace_id = w.id and m.user_id = ${userId})`
  return sql`
    select w.id from workspaces w
    where w.org_id = ${orgId} and w.deleted_at is null ${id === undefined ? sql`` : sql`and w.id = ${id}`}
      ${role === 'member' ? belongs : sql``}`
}

/** Whether the project `p` is at home in or shared into a workspace that the caller sees. */
const isIn = (sql: Sql, orgId: string, caller: Caller, workspaceId: string): Fragment => sql`exists (
  select from project_workspaces l join (${workspacesSeen(sql, orgId, caller, workspaceId)}) w on w.id = l.workspace_id
  where l.org_id = ${orgId} and l.project_id = p.id)`

function matching(sql: Sql, { status, search, tag }: Wanted): Fragment {
  const inStatus = status === undefined ? sql`` : sql`and p.status = ${status}`
  const named = search === undefined ? sql`` : sql`and p.search_key like ${patternOf(search)}`
  const tagged = tag === undefined ? sql`` : sql`and p.tags @> ${[tag]}`
  return sql`${inStatus} ${named} ${tagged}`
}

const atMost = (sql: Sql, limit: number | null): Fragment => (limit === null ? sql`` : sql`limit ${limit}`)
