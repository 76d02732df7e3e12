import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { QueryTerms } from './query-terms.ts'
import { type Candidate, rarity } from './rank.ts'
import type { SourceType } from './store.ts'
import { isSourceVisible } from './visible.ts'

/** Looked for per query, and ranked. */
const CANDIDATES_MAX = 1500
const RANKED_MAX = 300
/** That the caller sees. Frequent words have more, for which other words hardly differ. */
const READ_MAX = 6000
/** Each is an index lookup. Above this, the passages are filtered instead. */
const INDEXED_SPACES_MAX = 100

export interface Scope {
  spaces: readonly string[]
  /** Projects, folders and files, by id. Null: all. */
  within: readonly string[] | null
  types: readonly SourceType[]
}

/**
 * Passages with the query's rarest words, and those with two or three of the others. Access is checked for each source
 * before the number is limited, so what a caller can't see takes no place.
 */
export async function findCandidates(
  sql: Sql,
  caller: Caller,
  query: QueryTerms,
  scope: Scope,
): Promise<Candidate[]> {
  if (scope.within !== null) {
    const sources = await listSources(sql, caller, scope)
    const passages = sources.reduce((sum, source) => sum + source.passages, 0)
    const ids = sources.map(({ id }) => id)
    if (passages <= READ_MAX) return listAny(sql, caller, ids, scope, query)
  }
  const lookup = planLookup(query)
  return lookup === null ? [] : listMatching(sql, caller, lookup, scope, query)
}

/** Sources that the caller sees. */
const listSources = (sql: Sql, caller: Caller, scope: Scope) => sql<{ id: string; passages: number }[]>`
  select s.id, s.passages from passage_sources s
  where s.org_id = ${caller.orgId} and s.space_id = any(${[...scope.spaces]}::uuid[]) and ${inScope(sql, caller, scope)}
    and ${isSourceVisible(sql, caller)}`

/** Few enough to read them all, so that a word's frequency elsewhere doesn't matter. */
function listAny(
  sql: Sql,
  { orgId }: Caller,
  sourceIds: readonly string[],
  { spaces }: Scope,
  terms: QueryTerms,
) {
  const lexemes = [
    ...new Set([...[...terms.stems.values()].flat(), ...terms.exact].map(({ lexeme }) => lexeme)),
  ]
  if (sourceIds.length === 0 || lexemes.length === 0) return []
  const query = lexemes.map((lexeme) => `'${lexeme}'`).join(' | ')
  return sql<Candidate[]>`
    with read as (
      select p.* from passages p
      where p.org_id = ${orgId} and p.source_id = any(${[...sourceIds]}::uuid[])
        and p.space_id = any(${[...spaces]}::uuid[]) and p.tsv @@ ${query}::tsquery
    )
    ${best(sql, terms)}`
}

/** Of the CTE `read`. */
const best = (sql: Sql, terms: QueryTerms): Fragment => sql`
  select r.source_id as "sourceId", r.ordinal, r.language, r.length, r.tsv::text as tsv from read r
  order by ${weightOf(sql, terms)} desc, r.source_id, r.ordinal limit ${RANKED_MAX}`

/** Frequent words beyond these hardly narrow a search. */
const COMBINED_MAX = 8
/** Words of a question occur together more often than by chance. */
const TOGETHER = 4

interface Lookup {
  lexemes: string[]
  /** If they were independent of each other. */
  expected: number
  rarity: number
}

/** Rarest first: words, pairs and triples, until they find enough passages. Null if no passage has any of the words. */
export function planLookup({ stems, exact, passages: all }: QueryTerms): string | null {
  const counts = new Map<string, number>()
  for (const { lexeme, passages } of [...stems.values()].flat()) counts.set(lexeme, passages)
  const words = rarestFirst(counts, all)
  // A word as it is written helps where its stem is another: in other languages, and for names.
  for (const { lexeme, passages } of exact)
    if (passages <= EXACT_MAX && !counts.has(lexeme.slice(1))) counts.set(lexeme, passages)
  const chosen: string[][] = []
  let expected = 0
  const take = (lookup: Lookup): boolean => {
    const isCovered = chosen.some((lexemes) => lexemes.every((lexeme) => lookup.lexemes.includes(lexeme)))
    if (isCovered || (chosen.length > 0 && expected + lookup.expected > CANDIDATES_MAX)) return isCovered
    chosen.push(lookup.lexemes)
    expected += lookup.expected
    return true
  }
  for (const { lexeme, share } of rarestFirst(counts, all))
    if (expected + share * all <= SINGLE_MAX) take({ lexemes: [lexeme], expected: share * all, rarity: 0 })
  const frequent = words
    .filter(({ lexeme }) => !chosen.some(([only]) => only === lexeme))
    .slice(0, COMBINED_MAX)
  for (const lookup of combinationsOf(frequent, all)) take(lookup)
  return chosen.length === 0
    ? null
    : chosen.map((lexemes) => `(${lexemes.map(quote).join(' & ')})`).join(' | ')
}

/** For words alone. The rest is for combinations. */
const SINGLE_MAX = 700
const EXACT_MAX = 200

const rarestFirst = (counts: ReadonlyMap<string, number>, all: number) =>
  [...counts]
    .filter(([, passages]) => passages > 0)
    .map(([lexeme, passages]) => ({ lexeme, share: passages / all }))
    .toSorted((a, b) => a.share - b.share || (a.lexeme < b.lexeme ? -1 : 1))

function combinationsOf(words: readonly { lexeme: string; share: number }[], all: number): Lookup[] {
  const lookups: Lookup[] = []
  for (const [i, a] of words.entries())
    for (const [j, b] of words.slice(i + 1).entries()) {
      lookups.push(combine([a, b], all))
      for (const c of words.slice(i + j + 2)) lookups.push(combine([a, b, c], all))
    }
  return lookups.toSorted((a, b) => b.rarity - a.rarity || (a.lexemes.join() < b.lexemes.join() ? -1 : 1))
}

function combine(words: { lexeme: string; share: number }[], all: number): Lookup {
  const [rarest, ...others] = words.map(({ share }) => share).toSorted((a, b) => a - b)
  return {
    lexemes: words.map(({ lexeme }) => lexeme),
    expected: all * others.reduce((product, share) => product * Math.min(1, share * TOGETHER), rarest!),
    rarity: words.reduce((sum, { share }) => sum - Math.log(share), 0),
  }
}

/** `#` stands for the organization's prefix. */
const quote = (lexeme: string) => `'#${lexeme}'`

/**
 * A materialized CTE, because with a limit in the statement that reads the index, the planner expects early matches and
 * scans the table. The lateral join is one lookup per source, which PostgreSQL remembers for the source's other
 * passages.
 */
function listMatching(sql: Sql, caller: Caller, lookup: string, scope: Scope, terms: QueryTerms) {
  const { orgId } = caller
  const prefix = orgId.slice(-8)
  const inSpaces =
    scope.spaces.length > INDEXED_SPACES_MAX
      ? ''
      : ` & (${scope.spaces.map((space) => `'${prefix}=s${space}'`).join(' | ')})`
  const query = `(${lookup.replaceAll("'#", `'${prefix}`)})${inSpaces}`
  return sql<Candidate[]>`
    with matching as materialized (
      select p.* from passages p where passage_lexemes(p.org_id, p.space_id, p.tsv) @@ ${query}::tsquery
    ), read as materialized (
      select m.* from matching m cross join lateral (
        select from passage_sources s
        where s.org_id = ${orgId} and s.id = any(array[m.source_id]) and ${inScope(sql, caller, scope)}
          and ${isSourceVisible(sql, caller)}
        order by s.id limit 1
      ) s
      where m.org_id = ${orgId} and m.space_id = any(${[...scope.spaces]}::uuid[])
      limit ${READ_MAX}
    )
    ${best(sql, terms)}`
}

/** What the words in a passage weigh together. Chooses those that are worth sending. */
function weightOf(sql: Sql, { stems, passages }: QueryTerms): Fragment {
  const cases = [...stems].flatMap(([language, terms]) => {
    const weights = terms
      .filter((term) => term.passages > 0)
      .map(
        (term) => sql`
          + case when r.tsv @@ ${`'${term.lexeme}'`}::tsquery then ${rarity(passages, term.passages)}::float8 else 0 end`,
      )
    return weights.length === 0 ? [] : [sql`when ${language} then 0 ${join(sql, weights)}`]
  })
  return cases.length === 0 ? sql`0::float8` : sql`case r.language ${join(sql, cases)} else 0 end`
}

const join = (sql: Sql, fragments: readonly Fragment[]): Fragment =>
  fragments.reduce((all, fragment) => sql`${all} ${fragment}`, sql``)

export const inScope = (sql: Sql, { orgId }: Caller, { within, types }: Scope): Fragment =>
  within === null
    ? sql`s.type = any(${[...types]}::text[])`
    : sql`s.type = any(${[...types]}::text[]) and (s.item_id = any(${[...within]}::uuid[])
        or s.space_id = any(${[...within]}::uuid[])
        or s.type = 'file' and exists (
          select from files f join folders d on d.org_id = f.org_id and d.id = f.parent_id
          where f.org_id = ${orgId} and f.id = s.item_id and d.path && ${[...within]}::uuid[]))`
