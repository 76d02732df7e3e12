/** Longer keys would not fit into an index; names that agree in this many characters are in the order they were made. */
const SORT_KEY_POINTS_MAX = 200
const NAME_POINTS_MAX = 255
const COPY_SUFFIX = ' (copy)'

/** Makes names comparable for order: accents and case ignored, numbers by their value, whatever script they are in. */
export function sortKeyOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return cut(plain.replace(/[0-9]+/g, encodeNumber), SORT_KEY_POINTS_MAX)
}

/** Digits with their count in front, itself in digits that sort: up to 8 as it is, then a 9 for every nine more. */
function encodeNumber(digits: string): string {
  const value = digits.replace(/^0+(?=[0-9])/, '')
  return '9'.repeat(Math.floor(value.length / 9)) + (value.length % 9) + value
}

/** Makes names comparable for finding: there and back again, because some letters have no upper or lower twin. */
export const searchKeyOf = (name: string): string =>
  name.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** What contains this text, as a pattern of LIKE in which nothing has a meaning of its own. */
export const patternOf = (search: string): string =>
  `%${searchKeyOf(search).replace(/[\\%_]/g, (character) => `\\${character}`)}%`

/** The pieces of a searched text by which the index finds names: up to three characters each. */
export function gramsOf(search: string): string[] {
  const points = [...searchKeyOf(search)]
  const size = Math.min(points.length, 3)
  const pieces = points.slice(size - 1).map((_, at) => points.slice(at, at + size).join(''))
  return [...new Set(pieces)]
}

/** `report.pdf` becomes `report (copy).pdf`; a folder's name has no extension. */
export function copyNameOf(name: string, source: 'upload' | 'folder' | 'link'): string {
  const extension = source === 'folder' ? '' : (/(?<=.)\.[^.\s]{1,20}$/u.exec(name)?.[0] ?? '')
  const stem = name.slice(0, name.length - extension.length)
  const room = NAME_POINTS_MAX - [...extension].length - COPY_SUFFIX.length
  return cut(stem, room) + COPY_SUFFIX + extension
}

const cut = (text: string, points: number) =>
  text.length <= points ? text : [...text].slice(0, points).join('')
