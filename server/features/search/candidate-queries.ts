import type { SearchType } from '../../../contract/search/search-options.ts'
import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { indexedLexeme, indexedLexemes, indexedQuery } from './indexed-lexemes.ts'
import type { Candidate } from './score.ts'
import { isEntryVisible } from './visible.ts'

/** A search with a word. */
export interface SearchTerms {
  /** For `to_tsquery`. */
  text: string
  /** The folded words, to find titles that begin with them. */
  beginning: string
  /** Whether titles that begin with the words must also match `text`. */
  isExact: boolean
  types: readonly SearchType[]
  /** Whether `types` contains all types. */
  hasAllTypes: boolean
  /** Null: all. */
  spaces: readonly string[] | null
}

/** The matches that one query reads, and the visible matches that it returns. */
const TITLES_READ = 1000
const MATCHES_READ = 2000
const VISIBLE_MAX = 150
/** The number of newest records that a search reads in total. */
const NEWEST_READ = 4000
const NEWEST_EACH_MIN = 40
const LAST_CHARACTER = '\u{10ffff}'

/**
 * With a limit in the statement that reads the index, the planner expects early matches and scans the table instead.
 * A materialized CTE is planned for all rows, and read only up to the limit outside of it.
 */

/** Finds records by the beginning of the title, and by the words of the title unless these are common in titles. */
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
 * Finds matches among the newest records, in turns between types, so that many messages do not hide a title. With many
 * matches here, the words are common, and the index would list a large part of all records without better results.
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

/** Finds records by the index of all words. */
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
 * The queries `words` (exact words, and stems of English words), `filtered` (also the spaces and types, which are
 * lexemes too, so that the index combines them) and `title` (the same for the lexemes of titles).
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
 * The entries of the organization among the entries that the index of words found. With this condition in the same
 * scan, the planner would also read the index of all entries of the organization.
 */
const ofOrganization = (sql: Sql, { orgId }: Caller, terms: SearchTerms, matches: Fragment): Fragment => sql`
  select e.* from ${matches} e where e.org_id = ${orgId} ${isExactMatch(sql, terms)}`

/** The index finds the words of a phrase in any order, so the phrase is compared too. */
const isExactMatch = (sql: Sql, { isExact }: SearchTerms): Fragment =>
  isExact ? sql`and e.tsv @@ (select q.words from query q)` : sql``

const key = (sql: Sql): Fragment => sql`e.id, e.type, e.scope_id`

export const isInScope = (
  sql: Sql,
  { types, hasAllTypes, spaces }: Pick<SearchTerms, 'types' | 'hasAllTypes' | 'spaces'>,
): Fragment => sql`
  ${hasAllTypes ? sql`true` : sql`e.type = any(${types as string[]}::text[])`}
  and ${spaces === null ? sql`true` : sql`e.space_id = any(${spaces as string[]}::uuid[])`}`

/** The newest entries of each space, or of each type if there are too many spaces. */
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
