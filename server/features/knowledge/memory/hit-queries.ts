import type { Fragment, Sql } from '../../../database/database.ts'
import { candidates, isInSpaces, memoryOf, newestOf } from './search-queries.ts'

export interface Hit {
  id: string
  key: string
  content: string
  projectId: string | null
  updatedAt: string
}

/** Long messages are searched by their first words. */
const MESSAGE_CHARACTERS = 4000
const LEXEMES_MAX = 40

/**
 * The active memories of a project and of its organization that share the most words with a message: at least two, or one
 * that is in a key or in few memories. Stop words do not count.
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

/** The newest keys that a run in the project can look up. */
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

/** The stored memory of a run as a part of another statement. */
export const storedMemory = (sql: Sql, orgId: string, runId: string): Fragment => sql`(
  select content from run_memories where org_id = ${orgId} and run_id = ${runId})`

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
