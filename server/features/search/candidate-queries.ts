import type { SearchType } from '../../../contract/search/search-options.ts'
import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { indexedLexeme, indexedLexemes, indexedQuery } from './indexed-lexemes.ts'
import type { Candidate } from './score.ts'
import { isEntryVisible } from './visible.ts'

export interface SearchTerms {
  /** For `to_tsquery`. */
  text: string
  /** Folded words, for titles that begin with them. */
  beginning: string
  /** Whether such titles must also match `text`. */
  isExact: boolean
  types: readonly SearchType[]
  hasAllTypes: boolean
  /** Null: all. */
  spaces: readonly string[] | null
}

/** Matches read per query, and visible matches returned. */
const TITLES_READ = 1000
const MATCHES_READ = 2000
const VISIBLE_MAX = 150
const NEWEST_READ = 4000
const NEWEST_EACH_MIN = 40
const LAST_CHARACTER = '\u{10ffff}'

/**
 * With a limit in the statement that reads the index, the planner expects early matches and scans the table. A
 * materialized CTE is planned for all rows but read only up to the limit outside it.
 */

export const findByTitle = (sql: Sql, caller: Caller, terms: SearchTerms, areCommon = false) => sql<
  Candidate[]
>`
  with query as materialized (${queries(sql, caller, terms)}), beginning as (
    select ${key(sql)} from (
      select e.* from search_entries e
      where e.org_id = ${caller.orgId} and e.title_key <> '' and e.title_key ~>=~ ${terms.beginning}
        and e.title_key ~<~ ${terms.beginning + LAST_CHARACTER}
      order by e.title_key using ~<~ limit ${TITLES_READ}
    ) e where ${isInScope(sql, terms)} and ${isEntryVisible(sql, caller)}
      ${isExactMatch(sql, terms)} limit ${VISIBLE_MAX}
  ) ${
    areCommon
      ? sql``
      : sql`, entitled as materialized (
    select e.* from search_entries e where ${indexedLexemes(sql)} @@ (select q.title from query q)
  ), worded as (
    select ${key(sql)} from (${ofOrganization(sql, caller, terms, sql`entitled`)} limit ${TITLES_READ}) e where ${isInScope(sql, terms)} and ${isEntryVisible(sql, caller)} limit ${VISIBLE_MAX}
  )`
  }
  ${ranked(sql, caller, areCommon ? sql`select * from beginning` : sql`select * from beginning union select * from worded`)}`

/**
 * Takes turns between types, so many messages don't hide a title. Many matches here mean common words, for which the
 * index would list too many records without better results.
 */
export const findNewest = (sql: Sql, caller: Caller, terms: SearchTerms) => sql<Candidate[]>`
  with query as materialized (${queries(sql, caller, terms)}), found as (
    select ${key(sql)} from (
      select e.* from (${newest(sql, caller, terms)}) e
      where e.tsv @@ (select q.words from query q) and ${isInScope(sql, terms)}
      order by row_number() over (partition by e.type order by e.updated_at desc), e.updated_at desc limit ${2 * VISIBLE_MAX}
    ) e where ${isEntryVisible(sql, caller)} limit ${VISIBLE_MAX}
  )
  ${ranked(sql, caller, sql`select * from found`)}`

export const findByText = (sql: Sql, caller: Caller, terms: SearchTerms) => sql<Candidate[]>`
  with query as materialized (${queries(sql, caller, terms)}), matching as materialized (
    select e.* from search_entries e where ${indexedLexemes(sql)} @@ (select q.filtered from query q)
  ), found as (
    select ${key(sql)} from (
      select e.* from (${ofOrganization(sql, caller, terms, sql`matching`)} limit ${MATCHES_READ}) e where ${isInScope(sql, terms)}
      order by ts_rank(e.tsv, (select q.words from query q)) desc limit ${2 * VISIBLE_MAX}
    ) e where ${isEntryVisible(sql, caller)} limit ${VISIBLE_MAX}
  )
  ${ranked(sql, caller, sql`select * from found`)}`

/**
 * `words` has exact words and English stems, `filtered` adds spaces and types (lexemes too, so the index combines
 * them), `title` is the same for title lexemes.
 */
function queries(sql: Sql, { orgId }: Caller, { text, types, hasAllTypes, spaces }: SearchTerms): Fragment {
  const oneOf = (sign: string, values: readonly string[]) =>
    values.map((value) => indexedLexeme(orgId, sign + value)).join(' | ')
  const filters = [
    ...(spaces === null ? [] : [oneOf('=s', spaces)]),
    ...(hasAllTypes ? [] : [oneOf('=k', types)]),
  ].map((filter) => `(${filter})`)
  const filter = filters.join(' & ')
  const filtered = (query: Fragment) => (filter === '' ? query : sql`(${query}) && ${filter}::tsquery`)
  return sql`
    select s.words, ${filtered(indexedQuery(sql, orgId, sql`s.words`))} as filtered,
      ${filtered(indexedQuery(sql, orgId, sql`s.words`, '=t'))} as title
    from (select to_tsquery('simple', ${text}) || to_tsquery('english', ${text}) as words) s`
}

/**
 * Filters after the word index. In the same scan, the planner would also read the index on all the organization's
 * entries.
 */
const ofOrganization = (sql: Sql, { orgId }: Caller, terms: SearchTerms, matches: Fragment): Fragment => sql`
  select e.* from ${matches} e where e.org_id = ${orgId} ${isExactMatch(sql, terms)}`

/** The index finds a phrase's words in any order, so this compares the phrase too. */
const isExactMatch = (sql: Sql, { isExact }: SearchTerms): Fragment =>
  isExact ? sql`and e.tsv @@ (select q.words from query q)` : sql``

const key = (sql: Sql): Fragment => sql`e.id, e.type, e.scope_id`

export const isInScope = (
  sql: Sql,
  { types, hasAllTypes, spaces }: Pick<SearchTerms, 'types' | 'hasAllTypes' | 'spaces'>,
): Fragment => sql`
  ${hasAllTypes ? sql`true` : sql`e.type = any(${types as string[]}::text[])`}
  and ${spaces === null ? sql`true` : sql`e.space_id = any(${spaces as string[]}::uuid[])`}`

export function newest(
  sql: Sql,
  { orgId }: Caller,
  { types, spaces }: Pick<SearchTerms, 'types' | 'spaces'>,
): Fragment {
  const each = Math.max(NEWEST_EACH_MIN, Math.floor(NEWEST_READ / (spaces ?? types).length))
  const rows = (condition: Fragment) => sql`
    select e.* from search_entries e where e.org_id = ${orgId} and ${condition}
    order by e.updated_at desc limit ${each}`
  return spaces === null
    ? sql`select e.* from unnest(${types as string[]}::text[]) t (type) cross join lateral (${rows(sql`e.type = t.type`)}) e`
    : sql`select e.* from unnest(${spaces as string[]}::uuid[]) s (id)
        cross join lateral (${rows(sql`e.space_id = s.id`)}) e`
}

const ranked = (sql: Sql, { orgId }: Caller, found: Fragment): Fragment => sql`
  select e.type, e.id, e.scope_id as "scopeId", e.title_key as "titleKey", e.updated_at as "updatedAt",
    ts_rank(e.tsv, (select q.words from query q)) as rank
  from (${found}) f cross join lateral (
    select e.* from search_entries e
    where e.org_id = ${orgId} and e.id = any(array[f.id]) and e.type = f.type and e.scope_id = f.scope_id
    order by e.id limit 1
  ) e`
