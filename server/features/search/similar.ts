import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { isInScope, newest, type SearchTerms } from './candidate-queries.ts'
import { indexedLexeme, indexedLexemes } from './indexed-lexemes.ts'
import type { Query } from './parse-query.ts'
import { type Candidate, isSimilar, isSimilarTerm } from './score.ts'
import { isEntryVisible } from './visible.ts'

/** Shorter words have too many neighbours. */
const LENGTH_MIN = 4
/** A word in at least this many of the newest titles is common: the index would list a large part of all records. */
const COMMON = 10
/** The number of words per lookup: each match is compared with all of them. */
const WORDS_EACH = 50

/**
 * Finds titles with a word that is similar to the longest word of the query: first similar words of the newest titles,
 * then every word with one typing error, as lookups in the index of words. The trigrams of titles also find words with
 * two errors and parts of words; they are read only if they are rare.
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

/** Such a word contains no operator of a tsquery. */
const WORD = /^[\p{L}\p{N}]+$/u

/** The words with one typing error that are neither a common word nor its beginning. */
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

/** The minimum share of the trigrams of a word that a title contains, as in `search_similar()`. */
const THRESHOLD = 0.4
/** The share of the words of titles that may have one of the trigrams that the index has to read. */
const SHARE_MAX = 0.02
/** With fewer words, the index reads few rows for any trigrams. */
const WORDS_FEW = 1000

/**
 * Whether the trigrams that the index has to read are rare. The most frequent trigrams need not be read: a title
 * that contains none of the others stays below the threshold.
 */
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

/** The trigrams of a word, as in `pg_trgm`. */
function trigramsOf(word: string): Set<string> {
  const padded = [...`  ${word} `]
  return new Set(padded.slice(2).map((_, at) => padded.slice(at, at + 3).join('')))
}

/** The alphabets of typing errors: replacement letters are from the alphabet of the word. */
const ALPHABETS = [
  ['\\p{Script=Latin}', 'abcdefghijklmnopqrstuvwxyz'],
  ['\\p{Script=Cyrillic}', 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
  ['\\p{Script=Greek}', 'αβγδεζηθικλμνξοπρστυφχψω'],
  ['\\p{Number}', '0123456789'],
].map(([script, letters]) => ({ isIn: new RegExp(script!, 'u'), letters: [...letters!] }))

/** Every variant with one letter removed, added or replaced, or with two letters swapped: about 60 per letter. */
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

/** The words in the titles of the newest records, each with the number of titles. */
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
  /** Words of many titles, which are looked for among the newest records. */
  common: string[]
  /** Alternatives of lexemes, each a tsquery of the index. */
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

/** By titles with a part that has similar trigrams. */
const findByTrigrams = (sql: Sql, caller: Caller, { word, ...where }: Where & { word: string }) => sql<
  Candidate[]
>`
  select ${columns(sql)} from search_similar(${caller.orgId}, ${word}, ${TITLES_READ}) e
  where ${isInScope(sql, where)} and ${isEntryVisible(sql, caller)} limit ${VISIBLE_MAX}`

const columns = (sql: Sql) => sql`
  e.type, e.id, e.scope_id as "scopeId", e.title_key as "titleKey", e.updated_at as "updatedAt", 0 as rank`

/** Whether the extension `pg_trgm` was available when the index was created. */
async function hasTrigrams(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ exists: boolean }[]>`
    select to_regclass('search_entries_similar') is not null as exists`
  return row!.exists
}
