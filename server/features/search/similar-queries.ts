import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { isInScope, newest, type SearchTerms } from './candidate-queries.ts'
import { indexedLexemes } from './indexed-lexemes.ts'
import type { Candidate } from './score.ts'
import { isEntryVisible } from './visible.ts'

type Where = Pick<SearchTerms, 'types' | 'hasAllTypes' | 'spaces'>

const TITLES_READ = 1000
const EACH_READ = 200
const VISIBLE_MAX = 300

/** The words in the titles of the newest records, each with the number of titles. */
export async function countTitleTerms(
  sql: Sql,
  caller: Caller,
  where: Where,
): Promise<ReadonlyMap<string, number>> {
  const [row] = await sql<{ counts: Record<string, number> }[]>`
    select coalesce(json_object_agg(w.word, w.count), '{}') as counts from (
      select w.word, count(*) from (${newest(sql, caller, where)}) e
      cross join lateral unnest(string_to_array(e.title_key, ' ')) w (word)
      where e.title_key <> '' and w.word <> '' group by w.word
    ) w`
  return new Map(Object.entries(row!.counts))
}

interface TitleWords {
  /** Words of many titles, which are looked for among the newest records. */
  common: string[]
  /** Alternatives of lexemes, each a tsquery of the index. */
  lookups: string[]
}

export const findByTitleTerms = (
  sql: Sql,
  caller: Caller,
  where: Where,
  { common, lookups }: TitleWords,
) => sql<Candidate[]>`
  select ${columns(sql)} from (
    (select e.* from (${newest(sql, caller, where)}) e
    where string_to_array(e.title_key, ' ') && ${common}::text[] limit ${TITLES_READ})
    union all
    select e.* from unnest(${lookups}::text[]) q (words) cross join lateral (
      with matching as materialized (
        select e.* from search_entries e where ${indexedLexemes(sql)} @@ q.words::tsquery
      ) select m.* from matching m where m.org_id = ${caller.orgId} limit ${EACH_READ}
    ) e
  ) e where ${isInScope(sql, where)} and ${isEntryVisible(sql, caller)} limit ${VISIBLE_MAX}`

/** By titles with a part that has similar trigrams. */
export const findByTrigrams = (sql: Sql, caller: Caller, { word, ...where }: Where & { word: string }) => sql<
  Candidate[]
>`
  select ${columns(sql)} from search_similar(${caller.orgId}, ${word}, ${TITLES_READ}) e
  where ${isInScope(sql, where)} and ${isEntryVisible(sql, caller)} limit ${VISIBLE_MAX}`

const columns = (sql: Sql) => sql`
  e.type, e.id, e.scope_id as "scopeId", e.title_key as "titleKey", e.updated_at as "updatedAt", 0 as rank`

/** Whether the extension `pg_trgm` was available when the index was created. */
export async function hasTrigrams(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass('search_entries_similar') is not null as exists`
  return row!.exists
}
