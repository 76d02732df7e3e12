import type { SearchType } from '../../../contract/search/search-options.ts'
import type { Query } from './parse-query.ts'

export interface Candidate {
  type: SearchType
  id: string
  scopeId: string
  titleKey: string
  updatedAt: string
  /** `ts_rank`. 0 if the text lacks the words. */
  rank: number
}

/** Records with a name rank above the many texts that mention them. */
const WEIGHTS: Partial<Record<SearchType, number>> = {
  project: 0.8,
  agent: 0.3,
  skill: 0.25,
  schedule: 0.25,
  webhook: 0.25,
  table: 0.25,
  memory: 0.2,
  session: 0.2,
  file: 0.2,
}
const RANK_MAX = 0.6
const RECENT_DAYS = 30
const DAY_MS = 86_400_000

export function scoreCandidate(
  { type, titleKey, updatedAt, rank }: Candidate,
  query: Query,
  now: Date,
): number {
  const typed = query.words.join(' ')
  const title = titleKey.trim().replace(/\s+/g, ' ')
  const whole = title === typed ? 2 : title.startsWith(typed) ? 0.6 : 0
  const days = Math.max(0, now.getTime() - Date.parse(updatedAt)) / DAY_MS
  return (
    whole +
    3 * titleMatch(title, query) +
    1.5 * Math.min(1, rank / RANK_MAX) +
    0.6 / (1 + days / RECENT_DAYS) +
    (WEIGHTS[type] ?? 0)
  )
}

const INSIDE_MIN = 3
/** Words that match despite a typo count less. */
const SIMILAR = 0.7

export function titleMatch(titleKey: string, { words, isPrefix }: Query): number {
  const title = titleKey.split(' ').filter(Boolean)
  if (title.length === 0 || words.length === 0) return 0
  const matches = words.map((word, index) => wordMatch(word, title, isPrefix && index === words.length - 1))
  return matches.reduce((sum, match) => sum + match, 0) / words.length
}

/** Allows one or two typos per word. */
export const isSimilar = (titleKey: string, query: Query): boolean => {
  const title = titleKey.split(' ').filter(Boolean)
  const { words, isPrefix } = query
  return words.every((word, index) => wordMatch(word, title, isPrefix && index === words.length - 1) > 0)
}

export const isSimilarTerm = (word: string, other: string, isPrefix: boolean): boolean =>
  wordMatch(word, [other], isPrefix) > 0

function wordMatch(word: string, title: string[], isPrefix: boolean): number {
  if (title.includes(word)) return 1
  if (title.some((other) => other.startsWith(word))) return isPrefix ? 0.9 : 0.6
  if (word.length >= INSIDE_MIN && title.some((other) => other.includes(word))) return 0.5
  const errors = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0
  const isClose = (other: string) =>
    editDistance(word, other, errors) <= errors ||
    // An incomplete word with a typo: `anul` matches `annual`.
    (isPrefix &&
      other.length > word.length &&
      [0, 1].some((extra) => editDistance(word, other.slice(0, word.length + extra), errors) <= errors))
  return errors > 0 && title.some(isClose) ? SIMILAR : 0
}

/** Counts swaps of neighboring letters as one edit. Stops above `max`. */
function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let distance = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (isSame ? 0 : 1),
      )
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) distance = Math.min(distance, before[column - 2]! + 1)
      current.push(distance)
    }
    if (Math.min(...current) > max) return max + 1
    before = previous
    previous = current
  }
  return previous[b.length]!
}
