import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { canEditMemory, columns, isMemoryVisible, type MemoryRow } from './records.ts'

const WINDOW = 2000

export interface MemoryFilter {
  /** A project or the organization itself. Null means everything the caller sees. */
  spaceId: string | null
  scope: 'project' | 'org' | undefined
  status: 'active' | 'proposed'
}

export interface ListedMemory extends MemoryRow {
  score: number | null
}

export interface Position {
  updatedAt: string
  id: string
}

interface Page {
  after: Position | null
  limit: number
}

export const listMemories = (sql: Sql, caller: Caller, filter: MemoryFilter, { after, limit }: Page) => sql<
  ListedMemory[]
>`
  select ${columns(sql, caller)}, null as score from (
    select m.* from (${windowOf(sql, caller.orgId, filter, after)} limit ${WINDOW}) m
    where ${isSeen(sql, caller, filter)}
    order by m.updated_at desc, m.id desc limit ${limit}
  ) m
  order by m.updated_at desc, m.id desc`

/** Null if nothing follows. */
export async function findWindowEnd(
  sql: Sql,
  orgId: string,
  filter: MemoryFilter,
  after: Position | null,
): Promise<Position | null> {
  const rows = await sql<Position[]>`
    select m.updated_at as "updatedAt", m.id from (
      ${windowOf(sql, orgId, filter, after)} limit 2 offset ${WINDOW - 1}
    ) m order by m.updated_at desc, m.id desc`
  return rows.length > 1 ? rows[0]! : null
}

const windowOf = (sql: Sql, orgId: string, filter: MemoryFilter, after: Position | null): Fragment => sql`
  select m.* from memories m where m.org_id = ${orgId} and ${matches(sql, filter)}
    ${after ? sql`and (m.updated_at, m.id) < (${after.updatedAt}, ${after.id})` : sql``}
  order by m.updated_at desc, m.id desc`

const matches = (sql: Sql, filter: MemoryFilter): Fragment =>
  filter.spaceId === null
    ? matchesAnywhere(sql, filter)
    : sql`${matchesAnywhere(sql, filter)} and m.space_id = ${filter.spaceId}`

/** Partial indexes need the status in the statement. */
export function matchesAnywhere(sql: Sql, { scope, status }: MemoryFilter): Fragment {
  const hasStatus = status === 'active' ? sql`m.status = 'active'` : sql`m.status = 'proposed'`
  if (scope === undefined) return hasStatus
  return sql`${hasStatus} and ${scope === 'org' ? sql`m.project_id is null` : sql`m.project_id is not null`}`
}

/** Access to a named space is checked beforehand. */
export const isSeen = (sql: Sql, caller: Caller, { spaceId, status }: MemoryFilter): Fragment =>
  spaceId === null || status === 'proposed' ? isMemoryVisible(sql, caller) : sql`true`

export async function countProposed(sql: Sql, caller: Caller, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select ${proposedCount(sql, caller, isMemoryVisible(sql, caller), limit)} as count`
  return row!.count
}

/** Each costs an access check, and every open dashboard asks. */
const DECIDABLE_READ = 50

/** The newest proposals that the caller can accept or reject. */
export const decidableMemoryCount = (sql: Sql, caller: Caller): Fragment =>
  proposedCount(
    sql,
    caller,
    sql`${isMemoryVisible(sql, caller)} and ${canEditMemory(sql, caller)}`,
    DECIDABLE_READ,
    DECIDABLE_READ,
  )

const proposedCount = (
  sql: Sql,
  caller: Caller,
  counts: Fragment,
  limit: number,
  read = 10 * limit,
): Fragment => sql`(
  select count(*)::int from (
    select from (
      select m.project_id, m.origin_project_id, m.status from memories m
      where m.org_id = ${caller.orgId} and m.status = 'proposed'
      order by m.updated_at desc, m.id desc limit ${read}
    ) m where ${counts} limit ${limit}
  ) m)`
