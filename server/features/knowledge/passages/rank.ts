import type { QueryTerms, Term } from './query-terms.ts'
import { relate } from './related-words.ts'

export interface Candidate {
  sourceId: string
  ordinal: number
  language: string
  length: number
  /** PostgreSQL's text form. */
  tsv: string
}

export interface ScoreParts {
  /** The words of the text. */
  words: number
  /** What words in headings and in the title add. */
  heading: number
  /** Words as they are written, without stemming. */
  exact: number
  /** Words with the same beginning, and parts of compounds. */
  related: number
  phrase: number
  proximity: number
  /** What the neighboring passages change. */
  neighbors: number
}

export interface Ranked extends Candidate {
  score: number
  /** Share of the query's words that it has, rare ones counting more. */
  coverage: number
  parts: ScoreParts
  /** What each word of the query contributes. */
  terms: { term: string; weight: number; passages: number }[]
}

const K1 = 1.2
/** Lower than for whole documents: passages differ little in length, and a section's end is short. */
const B = 0.4
const HEADING_WEIGHT = 0.6
const TITLE_WEIGHT = 0.4
const EXACT = 0.8
const PHRASE = 0.3
const PROXIMITY = 0.3
const RELATED = 1
/** Farther apart, two words say nothing together. */
const NEAR_WORDS = 12
/** Of a passage's score, what the passages around it decide: an answer's words are often spread over two. */
const NEIGHBORS = 0.25
/** Of the candidates, those that are compared in detail. */
const COMPARED_MAX = 200
const RELATED_MAX = 50

/** BM25 with the text, headings and title as fields; the best are then compared in detail. Best first. */
export function rank(candidates: readonly Candidate[], query: QueryTerms): Ranked[] {
  const stems = new Map([...query.stems].map(([language, terms]) => [language, terms.map(weigh)]))
  const exact = query.exact.map(weigh)
  const average = query.wordsOnAverage
  const read = candidates.map((candidate) =>
    readWords(candidate, stems.get(candidate.language) ?? [], average),
  )
  const compared = read.toSorted(byScore).slice(0, COMPARED_MAX)
  for (const passage of compared) addDetails(passage, exact)
  addNeighbors(compared, average)
  addRelated(compared.toSorted(byScore).slice(0, RELATED_MAX), query.passages)
  return compared.toSorted(byScore).map(({ candidate, parts, stems, found, terms }) => ({
    ...candidate,
    score: sumOf(parts),
    coverage: coverageOf(stems, found),
    parts,
    terms,
  }))

  function weigh(term: Term): Weighted {
    return { ...term, idf: rarity(query.passages, term.passages) }
  }
}

export const rarity = (all: number, having: number) => Math.log(1 + (all - having + 0.5) / (having + 0.5))

interface Weighted extends Term {
  idf: number
}

interface Found {
  term: Weighted
  places: Places
}

interface Passage {
  candidate: Candidate
  parts: ScoreParts
  /** Of the query, in the passage's language. */
  stems: Weighted[]
  found: Found[]
  exact: Weighted[]
  norm: number
  terms: Ranked['terms']
}

const byScore = (a: Passage, b: Passage) =>
  sumOf(b.parts) - sumOf(a.parts) ||
  (a.candidate.sourceId < b.candidate.sourceId ? -1 : a.candidate.sourceId > b.candidate.sourceId ? 1 : 0) ||
  a.candidate.ordinal - b.candidate.ordinal

const sumOf = ({ words, heading, exact, related, phrase, proximity, neighbors }: ScoreParts) =>
  words + heading + exact + related + phrase + proximity + neighbors

const saturate = (frequency: number, norm = 1) => (frequency * (K1 + 1)) / (frequency + K1 * norm)

const normOf = (length: number, average: number) => 1 - B + (B * length) / average

function readWords(candidate: Candidate, stems: Weighted[], average: number): Passage {
  const parts = { words: 0, heading: 0, exact: 0, related: 0, phrase: 0, proximity: 0, neighbors: 0 }
  const norm = normOf(candidate.length, average)
  const passage: Passage = { candidate, parts, stems, found: [], exact: [], norm, terms: [] }
  for (const term of stems) {
    if (term.passages === 0) continue
    const places = placesOf(candidate.tsv, term.lexeme)
    if (!places) continue
    const fields = HEADING_WEIGHT * places.heading + TITLE_WEIGHT * places.title
    const alone = term.idf * saturate(places.text.length, norm)
    const weight = term.idf * saturate(places.text.length + fields * norm, norm)
    parts.words += alone
    parts.heading += weight - alone
    passage.found.push({ term, places })
    passage.terms.push({ term: term.lexeme, weight, passages: term.passages })
  }
  return passage
}

function addDetails(passage: Passage, exact: readonly Weighted[]): void {
  const { candidate, parts, found, norm, terms } = passage
  for (const term of exact) {
    if (term.passages === 0 || !candidate.tsv.includes(`'${term.lexeme}'`)) continue
    const weight = EXACT * term.idf * saturate(1, norm)
    parts.exact += weight
    passage.exact.push(term)
    terms.push({ term: term.lexeme, weight, passages: term.passages })
  }
  const ordered = found
    .filter(({ places }) => places.text.length > 0)
    .flatMap(({ term, places }) => term.positions.map((at) => ({ at, idf: term.idf, text: places.text })))
    .toSorted((a, b) => a.at - b.at)
  for (const [index, second] of ordered.entries()) {
    const first = ordered[index - 1]
    if (!first) continue
    const weight = Math.min(first.idf, second.idf)
    const { words, isPhrase } = closest(first.text, second.text, second.at - first.at)
    if (isPhrase) parts.phrase += PHRASE * weight
    else if (words <= NEAR_WORDS) parts.proximity += (PROXIMITY * weight) / Math.sqrt(words)
  }
}

function closest(first: number[], second: number[], apart: number): { words: number; isPhrase: boolean } {
  let words = Infinity
  for (const a of first)
    for (const b of second) {
      if (b - a === apart) return { words: apart, isPhrase: true }
      words = Math.min(words, Math.max(1, Math.abs(b - a)))
    }
  return { words, isPhrase: false }
}

/** As if a passage and those beside it were one text. */
function addNeighbors(passages: readonly Passage[], average: number): void {
  const byPlace = new Map(passages.map((passage) => [placeOf(passage.candidate, 0), passage]))
  const changes = passages.map((passage) => {
    const beside = [-1, 1].flatMap((step) => byPlace.get(placeOf(passage.candidate, step)) ?? [])
    if (beside.length === 0) return 0
    const all = [passage, ...beside]
    const norm = normOf(
      all.reduce((sum, { candidate }) => sum + candidate.length, 0),
      average,
    )
    const counts = new Map<Weighted, number>()
    for (const { found } of all)
      for (const { term, places } of found) counts.set(term, (counts.get(term) ?? 0) + places.text.length)
    let together = 0
    for (const [term, count] of counts) together += term.idf * saturate(count, norm)
    for (const term of new Set(all.flatMap(({ exact }) => exact))) together += EXACT * term.idf
    const { parts } = passage
    return NEIGHBORS * (together - sumOf(parts))
  })
  for (const [index, { parts }] of passages.entries()) parts.neighbors = changes[index]!
}

const placeOf = ({ sourceId, ordinal }: Candidate, step: number) => `${sourceId} ${ordinal + step}`

/** For words that a passage doesn't have. How rare a related word is shows among the best passages. */
function addRelated(passages: readonly Passage[], all: number): void {
  const related = passages.map(({ candidate, stems, found }) => {
    const has = new Set(found.map(({ term }) => term))
    const missing = stems.filter((term) => !has.has(term))
    return relate(
      missing.map((term) => ({ term, word: term.lexeme })),
      candidate.tsv,
    )
  })
  const having = new Map<Weighted, number>()
  for (const { term } of related.flat()) having.set(term, (having.get(term) ?? 0) + 1)
  for (const [index, { parts, terms }] of passages.entries())
    for (const { term, likeness } of related[index]!) {
      const weight = RELATED * likeness * Math.min(term.idf, rarity(all, having.get(term)!))
      parts.related += weight
      terms.push({ term: term.lexeme, weight, passages: term.passages })
    }
}

function coverageOf(stems: readonly Weighted[], found: readonly Found[]): number {
  const all = stems.reduce((sum, { idf }) => sum + idf, 0)
  return all === 0 ? 0 : found.reduce((sum, { term }) => sum + term.idf, 0) / all
}

interface Places {
  text: number[]
  heading: number
  title: number
}

/** Words are only letters and digits, so the text form needs no escapes. */
function placesOf(tsv: string, lexeme: string): Places | null {
  const key = `'${lexeme}':`
  const start = tsv.indexOf(key)
  if (start === -1) return null
  const end = tsv.indexOf(' ', start)
  const places: Places = { text: [], heading: 0, title: 0 }
  for (const place of tsv.slice(start + key.length, end === -1 ? undefined : end).split(',')) {
    if (place.endsWith('A')) places.title++
    else if (place.endsWith('B')) places.heading++
    else places.text.push(Number(place))
  }
  return places
}
