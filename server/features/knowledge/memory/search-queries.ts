import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isSeen, type ListedMemory, type MemoryFilter, matchesAnywhere } from './list-queries.ts'
import { columns } from './records.ts'

/** Read first, because common words are found here. */
const NEWEST_MAX = 400
const ENOUGH = 50
/** Otherwise the word index finds up to this many more. */
const INDEXED_MAX = 2000
const SEEN_MAX = 400

interface SearchPage {
  after: { score: number; updatedAt: string; id: string } | null
  limit: number
}

/** Best matches first, then newest. Ranks a bounded number. */
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

/** Forces a primary key lookup per row, whatever the planner estimates. */
const memoryOf = (sql: Sql, orgId: string, id: Fragment): Fragment => sql`(
  select m.* from memories m where m.org_id = ${orgId} and m.id = any(array[${id}]) order by m.id limit 1)`

/** Proposals are few and in no word index. */
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
 * Not an equality, so the word index is used. The planner expects few memories per space and would read the whole
 * organization.
 */
const isInSpaces = (sql: Sql, spaces: string[] | null): Fragment =>
  spaces === null ? sql`true` : sql`(m.space_id = any(${spaces}::uuid[])) is true`

/** Words as they are, and English words by their stem. */
const queryOf = (sql: Sql, q: string): Fragment =>
  sql`(websearch_to_tsquery('simple', ${q}) || websearch_to_tsquery('english', ${q}))`

const newestOf = (sql: Sql, orgId: string, condition: Fragment, spaces: string[] | null): Fragment => {
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
  /** Null: only the newest memories are searched. */
  indexed: Fragment | null
  isSeen: Fragment
}

/**
 * A common word has a long index list, which would be read to its end. The newest memories show whether a word is
 * common. `indexed` has no limit of its own, which would make the planner scan by time. It's read only as far as
 * `found` needs.
 */
const candidates = (sql: Sql, orgId: string, { newest, indexed, isSeen }: Candidates): Fragment => sql`
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

export interface Hit {
  id: string
  key: string
  content: string
  projectId: string | null
  updatedAt: string
}

const MESSAGE_CHARACTERS = 4000
const LEXEMES_MAX = 40

/**
 * Must share at least two words with the message, or one that's in a key or in few memories. Stop words don't count.
 */
export const findHits = (sql: Sql, orgId: string, projectId: string, message: string, limit: number) => sql<
  Hit[]
>`
  with lexemes as materialized (
    select l.lexeme from unnest(to_tsvector('english', ${message.slice(0, MESSAGE_CHARACTERS)})) l
    order by length(l.lexeme) desc, l.lexeme limit ${LEXEMES_MAX}
  ), query as materialized (
    select coalesce(string_agg(quote_literal(lexeme), ' | '), '')::tsquery as q from lexemes
  ), ${candidates(sql, orgId, {
    newest: newestOf(sql, orgId, sql`m.status = 'active'`, [projectId, orgId]),
    indexed: sql`m.status = 'active' and ${isInSpaces(sql, [projectId, orgId])}`,
    isSeen: sql`true`,
  })}, scored as (
    select m.id, m.key, m.content, m.project_id, m.updated_at, ts_rank(m.search, query.q, 1) as rank,
      (select count(*) from lexemes l where m.search @@ quote_literal(l.lexeme)::tsquery) as shared,
      exists (select from lexemes l where m.search @@ (quote_literal(l.lexeme) || ':A')::tsquery) as in_key
    from found f cross join query cross join lateral ${memoryOf(sql, orgId, sql`f.id`)} m
  )
  select s.id, s.key, s.content, s.project_id as "projectId", s.updated_at as "updatedAt" from scored s
  where s.shared > 1 or s.in_key or (select count(*) from found) <= ${limit}
  order by s.shared desc, s.rank desc, s.updated_at desc, s.id desc limit ${limit}`

export const listKeys = (sql: Sql, orgId: string, projectId: string, limit: number) => sql<{ key: string }[]>`
  select m.key from unnest(${[projectId, orgId]}::uuid[]) s (id) cross join lateral (
    select m.key, m.updated_at, m.id from memories m
    where m.org_id = ${orgId} and m.space_id = s.id and m.status = 'active'
    order by m.updated_at desc, m.id desc limit ${limit}
  ) m
  order by m.updated_at desc, m.id desc limit ${limit}`

export async function findRunMemory(sql: Sql, orgId: string, runId: string): Promise<string | null> {
  const [row] = await sql<{ content: string | null }[]>`select ${storedMemory(sql, orgId, runId)} as content`
  return row!.content
}

export const storedMemory = (sql: Sql, orgId: string, runId: string): Fragment => sql`(
  select content from run_memories where org_id = ${orgId} and run_id = ${runId})`

/** By run. */
export async function listRunMemories(
  sql: Sql,
  orgId: string,
  runIds: readonly string[],
): Promise<Map<string, string>> {
  if (runIds.length === 0) return new Map()
  const rows = await sql<{ runId: string; content: string }[]>`
    select run_id as "runId", content from run_memories
    where org_id = ${orgId} and run_id = any(${[...runIds]}::uuid[])`
  return new Map(rows.map(({ runId, content }) => [runId, content]))
}

export async function insertRunMemory(
  sql: Sql,
  orgId: string,
  stored: { runId: string; content: string; memoryIds: string[] },
): Promise<void> {
  const { runId, content, memoryIds } = stored
  await sql`
    insert into run_memories (org_id, run_id, content, memory_ids, created_at)
    values (${orgId}, ${runId}, ${content}, ${memoryIds}::uuid[], now()) on conflict do nothing`
}
