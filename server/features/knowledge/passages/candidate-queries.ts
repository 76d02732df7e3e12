import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { QueryTerms } from './query-terms.ts'
import type { Candidate } from './rank.ts'
import { isSourceVisible } from './visible.ts'

/** Ranked per query. */
const CANDIDATES_MAX = 1500
/** Each is an index lookup. Above this, the passages are filtered instead. */
const INDEXED_SPACES_MAX = 100

export interface Scope {
  spaces: readonly string[]
  /** Null: all. */
  files: readonly string[] | null
}

/**
 * Passages with the query's rarest words, then those with several of the others. Access is checked for each source
 * before the number is limited, so what a caller can't see takes no place.
 */
export async function findCandidates(
  sql: Sql,
  caller: Caller,
  query: QueryTerms,
  scope: Scope,
): Promise<Candidate[]> {
  const { all, others } = planLookups(query)
  const found = new Map<string, Candidate>()
  const add = (candidates: readonly Candidate[]) => {
    for (const candidate of candidates) found.set(`${candidate.sourceId} ${candidate.ordinal}`, candidate)
  }
  if (all.length > 0) add(await listMatching(sql, caller, anyOf(all), scope, CANDIDATES_MAX))
  for (const lookup of others) {
    const left = CANDIDATES_MAX - found.size
    if (left <= 0) break
    add(await listMatching(sql, caller, lookup, scope, left))
  }
  return [...found.values()]
}

/** `all` are rare enough to read every passage with one of them. */
export function planLookups(query: QueryTerms): { all: string[]; others: string[] } {
  const counts = new Map<string, number>()
  for (const term of [...query.stems.values()].flat()) counts.set(term.lexeme, term.passages)
  // An exact word helps where the stem is another: in other languages, and for names.
  for (const term of query.exact) if (!counts.has(term.lexeme.slice(1))) counts.set(term.lexeme, term.passages)
  const rarest = [...counts].filter(([, passages]) => passages > 0).toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
  const all: string[] = []
  let read = 0
  for (const [lexeme, passages] of rarest) {
    if (read + passages > CANDIDATES_MAX) break
    read += passages
    all.push(lexeme)
  }
  const rest = rarest.slice(all.length).map(([lexeme]) => lexeme)
  if (rest.length === 0 || read >= CANDIDATES_MAX / 2) return { all, others: [] }
  const [first, second, ...more] = rest
  return {
    all,
    others: [
      ...(more.length > 0 ? [`(${quote(first!)} & ${quote(second!)} & ${anyOf(more)})`] : []),
      ...(second === undefined ? [] : [`(${quote(first!)} & ${anyOf(rest.slice(1))})`]),
      quote(first!),
    ],
  }
}

/** `#` stands for the organization's prefix. */
const quote = (lexeme: string) => `'#${lexeme}'`
const anyOf = (lexemes: readonly string[]) => `(${lexemes.map(quote).join(' | ')})`

/**
 * A materialized CTE, because with a limit in the statement that reads the index, the planner expects early matches and
 * scans the table.
 */
function listMatching(sql: Sql, caller: Caller, lookup: string, scope: Scope, limit: number) {
  const { orgId } = caller
  const prefix = orgId.slice(-8)
  const inSpaces =
    scope.spaces.length > INDEXED_SPACES_MAX
      ? ''
      : ` & (${scope.spaces.map((space) => `'${prefix}=s${space}'`).join(' | ')})`
  const query = `${lookup.replaceAll("'#", `'${prefix}`)}${inSpaces}`
  return sql<Candidate[]>`
    with matching as materialized (
      select p.* from passages p where passage_lexemes(p.org_id, p.space_id, p.tsv) @@ ${query}::tsquery
    ), seen as materialized (
      select s.id from passage_sources s
      where s.org_id = ${orgId} and s.id = any(array(select distinct m.source_id from matching m where m.org_id = ${orgId}))
        and ${ofFiles(sql, scope)} and ${isSourceVisible(sql, caller)}
    )
    select m.source_id as "sourceId", m.ordinal, m.language, m.length, m.tsv::text as tsv
    from matching m
    where m.org_id = ${orgId} and m.space_id = any(${[...scope.spaces]}::uuid[]) and m.source_id in (select s.id from seen s)
    order by m.source_id, m.ordinal limit ${limit}`
}

const ofFiles = (sql: Sql, { files }: Scope): Fragment =>
  files === null ? sql`true` : sql`s.type = 'file' and s.item_id = any(${[...files]}::uuid[])`
