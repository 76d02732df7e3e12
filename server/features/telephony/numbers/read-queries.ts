import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible, projectById } from '../../projects/access/access.ts'
import { type NumberRow, numberColumns } from './number-row.ts'

export interface NumberView extends NumberRow {
  ownerName: string
  /** Null for callers who do not see the project. */
  projectName: string | null
}

const viewColumns = (sql: Sql, caller: Caller): Fragment => sql`
  ${numberColumns(sql)}, (select u.name from users u where u.id = n.owner_id) as "ownerName",
  case when ${isProjectVisible(sql, caller, sql`n.project_id`)} then (
    select p.name from ${projectById(sql, caller.orgId, sql`n.project_id`)} p) end as "projectName"`

/** Admins manage the numbers of all projects; a member sees those of the projects that the member sees. */
const isShown = (sql: Sql, caller: Caller): Fragment =>
  caller.role === 'member' ? isProjectVisible(sql, caller, sql`n.project_id`) : sql`true`

/** Includes released numbers, to which calls and messages still refer. */
export async function findNumberView(sql: Sql, caller: Caller, id: string): Promise<NumberView | null> {
  const [row] = await sql<NumberView[]>`
    select ${viewColumns(sql, caller)} from phone_numbers n
    where n.org_id = ${caller.orgId} and n.id = ${id} and ${isShown(sql, caller)}`
  return row ?? null
}

/** The numbers in use, newest first. */
export const listNumbers = (
  sql: Sql,
  caller: Caller,
  { before, limit }: { before: string | null; limit: number },
) => sql<NumberView[]>`
  select ${viewColumns(sql, caller)} from phone_numbers n
  where n.org_id = ${caller.orgId} and n.released_at is null and ${before === null ? sql`true` : sql`n.id < ${before}`}
    and ${isShown(sql, caller)}
  order by n.id desc limit ${limit}`

export async function findNumber(sql: Sql, orgId: string, id: string): Promise<NumberRow | null> {
  const [row] = await sql<NumberRow[]>`
    select ${numberColumns(sql)} from phone_numbers n where n.org_id = ${orgId} and n.id = ${id}`
  return row ?? null
}

export async function findInUse(sql: Sql, orgId: string, e164: string): Promise<NumberRow | null> {
  const [row] = await sql<NumberRow[]>`
    select ${numberColumns(sql)} from phone_numbers n
    where n.org_id = ${orgId} and n.e164 = ${e164} and n.released_at is null`
  return row ?? null
}

/** Whether calls and messages can be made at all: without a number, agents and MCP clients are shown no tools for them. */
export async function hasActiveNumber(sql: Sql, orgId: string): Promise<boolean> {
  const [row] = await sql`
    select from phone_numbers where org_id = ${orgId} and released_at is null and status = 'active' limit 1`
  return row !== undefined
}

/** The numbers of all organizations after the number with this id, for the hourly check. */
export const listToCheck = (sql: Sql, after: string, limit: number) => sql<NumberRow[]>`
  select ${numberColumns(sql)} from phone_numbers n
  where n.id > ${after} and n.released_at is null order by n.id limit ${limit}`

export async function findNewestProject(sql: Sql, orgId: string): Promise<string | null> {
  const [row] = await sql<{ projectId: string }[]>`
    select project_id as "projectId" from phone_numbers where org_id = ${orgId} order by id desc limit 1`
  return row?.projectId ?? null
}
