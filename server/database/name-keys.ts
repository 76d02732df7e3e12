/** Longer keys don't fit an index row. Names sharing such a prefix sort by creation. */
const SORT_KEY_POINTS_MAX = 200

/** Ignores accents and case, and sorts numbers by value. */
export function toSortKey(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return cut(plain.replace(/[0-9]+/g, encodeNumber), SORT_KEY_POINTS_MAX)
}

/**
 * Prefixes the digit count, so numbers sort by value. The count is one digit, with a 9 before it for every nine digits.
 */
function encodeNumber(digits: string): string {
  const value = digits.replace(/^0+(?=[0-9])/, '')
  return '9'.repeat(Math.floor(value.length / 9)) + (value.length % 9) + value
}

/** Upper case first, then lower, because some letters have only one of the two. */
export const toSearchKey = (name: string): string =>
  name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** With wildcards escaped. */
export const toLikePattern = (search: string): string =>
  `%${toSearchKey(search).replace(/[\\%_]/g, (character) => `\\${character}`)}%`

/** Up to three characters each, for the index. */
export function toGrams(search: string): string[] {
  const points = [...toSearchKey(search)]
  const size = Math.min(points.length, 3)
  const pieces = points.slice(size - 1).map((_, at) => points.slice(at, at + size).join(''))
  return [...new Set(pieces)]
}

/** Counts code points. */
export const cut = (text: string, points: number): string =>
  text.length <= points ? text : [...text].slice(0, points).join('')
