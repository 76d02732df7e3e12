import type { QueryTerms, Term } from './query-terms.ts'

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
  phrase: number
  proximity: number
  /** Words as they are written, without stemming. */
  exact: number
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
const B = 0.75
const HEADING_WEIGHT = 0.6
const TITLE_WEIGHT = 0.4
const EXACT = 0.15
const PHRASE = 0.25
const PROXIMITY = 0.35
/** Farther apart, two words say nothing together. */
const NEAR_WORDS = 12

/** BM25 with the text, headings and title as fields, and what the order and distance of words add. Best first. */
export function rank(candidates: readonly Candidate[], query: QueryTerms): Ranked[] {
  const stems = new Map([...query.stems].map(([language, terms]) => [language, terms.map(weigh)]))
  const exact = query.exact.map(weigh)
  return candidates
    .map((candidate) => score(candidate, stems.get(candidate.language) ?? [], exact, query.wordsOnAverage))
    .toSorted(
      (a, b) => b.score - a.score || (a.sourceId < b.sourceId ? -1 : 1) || a.ordinal - b.ordinal,
    )

  function weigh(term: Term): Weighted {
    const { passages } = term
    return { ...term, idf: Math.log(1 + (query.passages - passages + 0.5) / (passages + 0.5)) }
  }
}

interface Weighted extends Term {
  idf: number
}

interface Found {
  term: Weighted
  positions: number[]
}

function score(candidate: Candidate, stems: Weighted[], exact: Weighted[], average: number): Ranked {
  const { tsv, length } = candidate
  const parts: ScoreParts = { words: 0, heading: 0, phrase: 0, proximity: 0, exact: 0 }
  const terms: Ranked['terms'] = []
  const found: Found[] = []
  let matched = 0
  const norm = 1 - B + (B * length) / average
  for (const term of stems) {
    const places = placesOf(tsv, term.lexeme)
    if (!places) continue
    matched += term.idf
    const body = places.text.length / norm
    const fields = HEADING_WEIGHT * places.heading + TITLE_WEIGHT * places.title
    const alone = term.idf * saturate(body)
    const weight = term.idf * saturate(body + fields)
    parts.words += alone
    parts.heading += weight - alone
    terms.push({ term: term.lexeme, weight, passages: term.passages })
    if (places.text.length > 0) found.push({ term, positions: places.text })
  }
  for (const term of exact) {
    if (!hasExact(tsv, term.lexeme)) continue
    const weight = EXACT * term.idf
    parts.exact += weight
    terms.push({ term: term.lexeme, weight, passages: term.passages })
  }
  addOrder(parts, found)
  const { words, heading, phrase, proximity } = parts
  const all = stems.reduce((sum, { idf }) => sum + idf, 0)
  const total = words + heading + phrase + proximity + parts.exact
  return { ...candidate, score: total, coverage: all === 0 ? 0 : matched / all, parts, terms }
}

const saturate = (frequency: number) => (frequency * (K1 + 1)) / (frequency + K1)

/** Neighbors in the query that are neighbors, or near, in the text. */
function addOrder(parts: ScoreParts, found: Found[]): void {
  const ordered = found
    .flatMap(({ term, positions }) => term.positions.map((at) => ({ at, idf: term.idf, positions })))
    .toSorted((a, b) => a.at - b.at)
  for (let index = 1; index < ordered.length; index++) {
    const [first, second] = [ordered[index - 1]!, ordered[index]!]
    const weight = Math.min(first.idf, second.idf)
    const distance = closest(first.positions, second.positions, second.at - first.at)
    if (distance.isPhrase) parts.phrase += PHRASE * weight
    else if (distance.words <= NEAR_WORDS) parts.proximity += (PROXIMITY * weight) / Math.sqrt(distance.words)
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

function hasExact(tsv: string, lexeme: string): boolean {
  return tsv.includes(`'${lexeme}'`)
}
