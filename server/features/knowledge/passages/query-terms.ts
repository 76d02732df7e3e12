import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { detectAmong, detectLanguage } from './language.ts'
import { isSourceVisible, mayReadFiles } from './visible.ts'
import { toExactWords, toStemmable } from './words.ts'

export interface Term {
  lexeme: string
  /** In the query. Several if a word repeats. */
  positions: number[]
  /** Visible passages that have it, maybe none. */
  passages: number
}

export interface QueryTerms {
  /** By the language of passages. */
  stems: Map<string, Term[]>
  exact: Term[]
  /** The query's, as they are written and without accents. */
  stopWords: ReadonlySet<string>
  /** Visible passages. */
  passages: number
  wordsOnAverage: number
}

/** Longer queries are cut: each word is a lookup. */
const WORDS_MAX = 32

/** Instead of a language. */
const STOP_WORD = '#'

/** Enough to tell rare words from frequent ones. */
const COUNTED_MAX = 50_000

/** With how often each occurs in what the caller sees. */
export async function loadTerms(
  sql: Sql,
  caller: Caller,
  q: string,
  spaces: readonly string[],
): Promise<QueryTerms> {
  const { orgId } = caller
  // Counts are per space, with files.
  const hasFiles = mayReadFiles(caller)
  const withoutFiles = sql`
    select p.language, p.length, p.tsv from passages p
    join passage_sources s on s.org_id = p.org_id and s.id = p.source_id and ${isSourceVisible(sql, caller)}
    where p.org_id = ${orgId} and p.space_id = any(${[...spaces]}::uuid[])
    order by p.source_id, p.ordinal limit ${COUNTED_MAX}`
  const counts = await sql<{ language: string; passages: number; words: number }[]>`
    ${
      hasFiles
        ? sql`
    select c.language, sum(c.passages)::int as passages, sum(c.words)::float8 as words from passage_counts c
    where c.org_id = ${orgId} and c.space_id = any(${[...spaces]}::uuid[]) and c.passages > 0`
        : sql`
    select c.language, count(*)::int as passages, sum(c.length)::float8 as words from (${withoutFiles}) c`
    }
    group by c.language order by c.language`
  const passages = counts.reduce((sum, count) => sum + count.passages, 0)
  const words = counts.reduce((sum, count) => sum + count.words, 0)
  const none = {
    ...{ stems: new Map<string, Term[]>(), exact: [], stopWords: new Set<string>() },
    ...{ passages, wordsOnAverage: 1 },
  }
  if (passages === 0) return none
  const stemmable = toStemmable(q).split(' ').slice(0, WORDS_MAX).join(' ')
  const exactWords = toExactWords(q)
    .slice(0, WORDS_MAX)
    .map((word) => `=${word}`)
  const rows = await sql<{ language: string; lexeme: string; positions: number[]; passages: number }[]>`
    with words as materialized (
      select n.language, l.lexeme, l.positions::int[] as positions
      from unnest(${counts.map(({ language }) => language)}::text[]) n (language)
      cross join lateral unnest(to_tsvector(n.language::regconfig, ${stemmable})) l
      union all
      select '=', e.lexeme, array[e.position::int] from unnest(${exactWords}::text[]) with ordinality e (lexeme, position)
    ), found as materialized (
      ${
        hasFiles
          ? sql`
      select t.lexeme, sum(t.passages)::int as passages from passage_terms t
      where t.org_id = ${orgId} and t.lexeme = any(array(select distinct w.lexeme from words w))
        and t.space_id = any(${[...spaces]}::uuid[]) and t.passages > 0
      group by t.lexeme`
          : sql`
      select l.lexeme, count(*)::int as passages
      from (${withoutFiles}) p cross join lateral unnest(tsvector_to_array(p.tsv)) l (lexeme)
      where l.lexeme = any(array(select distinct w.lexeme from words w))
      group by l.lexeme`
      }
    )
    select w.language, w.lexeme, w.positions, coalesce(f.passages, 0) as passages
    from words w left join found f on f.lexeme = w.lexeme
    union all
    select ${STOP_WORD}, s.word, '{}', 0 from unnest(${stemmable.split(' ')}::text[]) s (word)
    where to_tsvector(${detectLanguage(q)}::regconfig, s.word) = ''`
  const stems = new Map(counts.map(({ language }) => [language, [] as Term[]]))
  const exact: Term[] = []
  const stopWords = new Set<string>()
  for (const { language, ...term } of rows)
    if (language === STOP_WORD)
      for (const word of [term.lexeme, ...toExactWords(term.lexeme)]) stopWords.add(word)
    else (language === '=' ? exact : stems.get(language)!).push(term)
  const language = detectAmong(
    q,
    counts.map(({ language }) => language),
  )
  if (language !== null) dropStopWords(stems, language)
  return { stems, exact, stopWords, passages, wordsOnAverage: words / passages }
}

/** A stop word of the query's language is rare in passages of others, and says as little there. */
function dropStopWords(stems: Map<string, Term[]>, language: string): void {
  const places = new Set(stems.get(language)!.flatMap(({ positions }) => positions))
  for (const [other, terms] of stems)
    stems.set(
      other,
      terms.filter(({ positions }) => positions.some((position) => places.has(position))),
    )
}
