import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { isInScope, newest, type SearchTerms } from './candidate-queries.ts'
import { indexedLexeme, indexedLexemes } from './indexed-lexemes.ts'
import type { Query } from './parse-query.ts'
import { type Candidate, isSimilar, isSimilarTerm } from './score.ts'
import { isEntryVisible } from './visible.ts'

/** Shorter words have too many neighbors. */
const LENGTH_MIN = 4
/** Common: the index would list a large part of all records. */
const COMMON = 10
/** Each match is compared with all words in a lookup. */
const WORDS_EACH = 50

/**
 * Looks for words similar to the query's longest: first in the newest titles, then every word with one typo, in the
 * word index. Title trigrams also find two typos and parts of words, but are read only if rare.
 */
export async function findSimilar(
  sql: Sql,
  caller: Caller,
  query: Query,
  terms: SearchTerms,
  resultsMin: number,
): Promise<Candidate[]> {
  const word = query.words.reduce((a, b) => (b.length > a.length ? b : a))
  if (query.isExact || word.length < LENGTH_MIN) return []
  const isBeginning = query.isPrefix && word === query.words.at(-1)
  const lexeme = (other: string) => indexedLexeme(caller.orgId, `=t${other}`)
  const counts = await countTitleTerms(sql, caller, terms)
  const similarWords = [...counts].filter(
    ([other]) => WORD.test(other) && isSimilarTerm(word, other, isBeginning),
  )
  const common = similarWords.filter(([, count]) => count >= COMMON).map(([other]) => other)
  const knownLexemes = similarWords.filter(([, count]) => count < COMMON).map(([other]) => lexeme(other))
  const unknownLexemes = unknownNeighbours(word, isBeginning, counts).map((other) =>
    isBeginning ? `${lexeme(other)}:*` : lexeme(other),
  )
  const found = await findByTitleTerms(sql, caller, terms, {
    common,
    lookups: chunks([...knownLexemes, ...unknownLexemes], WORDS_EACH).map((words) => words.join(' | ')),
  })
  const similar = found.filter(({ titleKey }) => isSimilar(titleKey, query))
  if (similar.length >= resultsMin || !areTrigramsRare(word, counts)) return similar
  if (!(await hasTrigrams(sql))) return similar
  const byTrigrams = await findByTrigrams(sql, caller, { ...terms, word })
  return [...similar, ...byTrigrams.filter(({ titleKey }) => isSimilar(titleKey, query))]
}

const WORD = /^[\p{L}\p{N}]+$/u

function unknownNeighbours(
  word: string,
  isBeginning: boolean,
  counts: ReadonlyMap<string, number>,
): string[] {
  const common = new Set<string>()
  for (const [other, count] of counts) {
    if (count < COMMON) continue
    common.add(other)
    if (isBeginning)
      for (const length of [word.length - 1, word.length, word.length + 1]) common.add(other.slice(0, length))
  }
  return [...withOneError(word)].filter((other) => !common.has(other))
}

const chunks = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, n) => values.slice(n * size, (n + 1) * size))

/** The minimum share of a word's trigrams in a title, as in `search_similar()`. */
const THRESHOLD = 0.4
/** Skip the trigram index above this share of title words. */
const SHARE_MAX = 0.02
/** With fewer words, the index reads few rows for any trigrams. */
const WORDS_FEW = 1000

/** The most frequent trigrams needn't be read: a title with none of the others stays below the threshold. */
function areTrigramsRare(word: string, counts: ReadonlyMap<string, number>): boolean {
  const occurrences = new Map([...trigramsOf(word)].map((trigram) => [trigram, 0]))
  let words = 0
  for (const [other, count] of counts) {
    words += count
    for (const trigram of trigramsOf(other))
      if (occurrences.has(trigram)) occurrences.set(trigram, occurrences.get(trigram)! + count)
  }
  const sorted = [...occurrences.values()].toSorted((a, b) => a - b)
  const readCounts = sorted.slice(0, sorted.length - Math.ceil(THRESHOLD * sorted.length) + 1)
  const total = readCounts.reduce((sum, count) => sum + count, 0)
  return words < WORDS_FEW || total <= SHARE_MAX * words
}

function trigramsOf(word: string): Set<string> {
  const padded = [...`  ${word} `]
  return new Set(padded.slice(2).map((_, at) => padded.slice(at, at + 3).join('')))
}

/** Replacement letters come from the word's own alphabet. */
const ALPHABETS = [
  ['\\p{Script=Latin}', 'abcdefghijklmnopqrstuvwxyz'],
  ['\\p{Script=Cyrillic}', 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
  ['\\p{Script=Greek}', 'αβγδεζηθικλμνξοπρστυφχψω'],
  ['\\p{Number}', '0123456789'],
].map(([script, letters]) => ({ isIn: new RegExp(script!, 'u'), letters: [...letters!] }))

/** About 60 variants per letter. */
function withOneError(word: string): Set<string> {
  const letters = [...word]
  const replacements = ALPHABETS.filter(({ isIn }) => isIn.test(word)).flatMap((alphabet) => alphabet.letters)
  const variants = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at)]
    for (const other of replacements) {
      variants.add(before + other + after.join(''))
      if (after.length > 0) variants.add(before + other + after.slice(1).join(''))
    }
    if (after.length > 0) variants.add(before + after.slice(1).join(''))
    if (after.length > 1) variants.add(before + after[1]! + after[0]! + after.slice(2).join(''))
  }
  variants.delete(word)
  return variants
}

type Where = Pick<SearchTerms, 'types' | 'hasAllTypes' | 'spaces'>

const TITLES_READ = 1000
const EACH_READ = 200
const VISIBLE_MAX = 300

async function countTitleTerms(sql: Sql, caller: Caller, where: Where): Promise<ReadonlyMap<string, number>> {
  const [row] = await sql<{ counts: Record<string, number> }[]>`
    select coalesce(json_object_agg(w.word, w.count), '{}') as counts from (
      select w.word, count(*) from (${newest(sql, caller, where)}) e
      cross join lateral unnest(string_to_array(e.title_key, ' ')) w (word)
      where e.title_key <> '' and w.word <> '' group by w.word
    ) w`
  return new Map(Object.entries(row!.counts))
}

interface TitleWords {
  common: string[]
  lookups: string[]
}

const findByTitleTerms = (sql: Sql, caller: Caller, where: Where, { common, lookups }: TitleWords) => sql<
  Candidate[]
>`
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

const findByTrigrams = (sql: Sql, caller: Caller, { word, ...where }: Where & { word: string }) => sql<
  Candidate[]
>`
  select ${columns(sql)} from search_similar(${caller.orgId}, ${word}, ${TITLES_READ}) e
  where ${isInScope(sql, where)} and ${isEntryVisible(sql, caller)} limit ${VISIBLE_MAX}`

const columns = (sql: Sql) => sql`
  e.type, e.id, e.scope_id as "scopeId", e.title_key as "titleKey", e.updated_at as "updatedAt", 0 as rank`

/** `pg_trgm` may have been missing when the index was created. */
async function hasTrigrams(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass('search_entries_similar') is not null as exists`
  return row!.exists
}
