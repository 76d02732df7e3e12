import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isSeen, type ListedMemory, type MemoryFilter, matchesAnywhere } from './list-queries.ts'
import { columns } from './records.ts'

/** A search reads this many of the newest memories first: common words are found there. */
const NEWEST_MAX = 400
/** With this many matches among them, older memories are left out. */
const ENOUGH = 50
/** Otherwise the index of words finds up to this many more, of which the caller may not see all. */
const INDEXED_MAX = 2000
const SEEN_MAX = 400

interface SearchPage {
  after: { score: number; updatedAt: string; id: string } | null
  limit: number
}

/** The best matches first, the newest of equal ones. How many are ranked does not depend on the size of the memory. */
export const searchMemories = (
  sql: Sql,
  caller: Caller,
  filter: MemoryFilter & { q: string },
  { after, limit }: SearchPage,
) => sql<ListedMemory[]>`
  with query as materialized (select ${queryOf(sql, filter.q)} as q),
  ${candidates(sql, caller.orgId, searchCandidates(sql, caller, filter))},
  ranked as materialized (
    select m.id, m.updated_at, round(ts_rank(m.search, query.q, 1)::numeric, 6) as score
    from found f cross join query cross join lateral ${memoryOf(sql, caller.orgId, sql`f.id`)} m
  ), page as materialized (
    select r.* from ranked r
    ${after ? sql`where (r.score, r.updated_at, r.id) < (${after.score}::numeric, ${after.updatedAt}::timestamptz, ${after.id}::uuid)` : sql``}
    order by r.score desc, r.updated_at desc, r.id desc limit ${limit}
  )
  select ${columns(sql, caller)}, r.score::float8 as score
  from page r cross join lateral ${memoryOf(sql, caller.orgId, sql`r.id`)} m
  order by r.score desc, r.updated_at desc, r.id desc`

/** Forces a lookup by primary key for each row, regardless of the table size that the planner estimates. */
export const memoryOf = (sql: Sql, orgId: string, id: Fragment): Fragment => sql`(
  select m.* from memories m where m.org_id = ${orgId} and m.id = any(array[${id}]) order by m.id limit 1)`

/** Proposals are few, and in no index of words. */
function searchCandidates(sql: Sql, caller: Caller, filter: MemoryFilter): Candidates {
  const spaces = filter.spaceId === null ? null : [filter.spaceId]
  return {
    newest: newestOf(sql, caller.orgId, matchesAnywhere(sql, filter), spaces),
    indexed:
      filter.status === 'active' ? sql`${matchesAnywhere(sql, filter)} and ${isInSpaces(sql, spaces)}` : null,
    isSeen: isSeen(sql, caller, filter),
  }
}

/**
 * Not an equality, so that the index of words is used: without the value, the planner expects a space to have few memories,
 * and would read all memories of the organization.
 */
export const isInSpaces = (sql: Sql, spaces: string[] | null): Fragment =>
  spaces === null ? sql`true` : sql`(m.space_id = any(${spaces}::uuid[])) is true`

/** Words as they are, and English words by their stem. */
const queryOf = (sql: Sql, q: string): Fragment =>
  sql`(websearch_to_tsquery('simple', ${q}) || websearch_to_tsquery('english', ${q}))`

/** The newest memories that a filter finds; `spaces` are read one by one, each in its own order. */
export const newestOf = (sql: Sql, orgId: string, condition: Fragment, spaces: string[] | null): Fragment => {
  const newest = (inSpace: Fragment) => sql`
    select m.id, m.project_id, m.origin_project_id, m.status, m.search from memories m
    where m.org_id = ${orgId} and ${condition} ${inSpace}
    order by m.updated_at desc, m.id desc limit ${NEWEST_MAX}`
  return spaces === null
    ? newest(sql``)
    : sql`select m.* from unnest(${spaces}::uuid[]) s (id) cross join lateral (${newest(sql`and m.space_id = s.id`)}) m`
}

interface Candidates {
  newest: Fragment
  /** Null: memories outside of the newest are not searched. */
  indexed: Fragment | null
  isSeen: Fragment
}

/**
 * The common table `found` of the ids that match `query`. A word that many memories contain has a long list in the index,
 * which would be read to its end; the newest memories show whether a word is common. `indexed` has no limit of its own, which
 * would make the planner scan the list by time; it is read only as far as `found` needs it.
 */
export const candidates = (sql: Sql, orgId: string, { newest, indexed, isSeen }: Candidates): Fragment => sql`
  newest as materialized (${newest}), recent as materialized (
    select m.id from newest m cross join query where m.search @@ query.q and ${isSeen}
  ), ${
    indexed
      ? sql`indexed as materialized (
    select m.id, m.project_id, m.origin_project_id, m.status from memories m
    where m.org_id = ${orgId} and ${indexed} and m.search @@ (select q from query)
      and (select count(*) from newest) >= ${NEWEST_MAX} and (select count(*) from recent) < ${ENOUGH}
  ), found as (
    select id from recent
    union (select m.id from (select * from indexed limit ${INDEXED_MAX}) m where ${isSeen} limit ${SEEN_MAX})
  )`
      : sql`found as (select id from recent)`
  }`
