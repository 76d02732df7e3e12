/** Longer keys do not fit into an index row; names with an equal prefix of this length sort by creation. */
const SORT_KEY_POINTS_MAX = 200

/** The sort key of a name: ignores accents and case, and sorts numbers by value. */
export function sortKeyOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return cut(plain.replace(/[0-9]+/g, encodeNumber), SORT_KEY_POINTS_MAX)
}

/** Prefixes a number with its digit count, so that it sorts by value. The count is one digit, with a 9 before it for every nine digits. */
function encodeNumber(digits: string): string {
  const value = digits.replace(/^0+(?=[0-9])/, '')
  return '9'.repeat(Math.floor(value.length / 9)) + (value.length % 9) + value
}

/** The search key of a name. Upper case first, then lower, because some letters have only one of the two. */
export const searchKeyOf = (name: string): string =>
  name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** A LIKE pattern for names that contain this text, with wildcards escaped. */
export const patternOf = (search: string): string =>
  `%${searchKeyOf(search).replace(/[\\%_]/g, (character) => `\\${character}`)}%`

/** The n-grams (up to three characters) by which the index finds names that contain this text. */
export function gramsOf(search: string): string[] {
  const points = [...searchKeyOf(search)]
  const size = Math.min(points.length, 3)
  const pieces = points.slice(size - 1).map((_, at) => points.slice(at, at + size).join(''))
  return [...new Set(pieces)]
}

/** The first code points of a text. */
export const cut = (text: string, points: number): string =>
  text.length <= points ? text : [...text].slice(0, points).join('')
