import { styleText } from 'node:util'
import { EXIT_CODES, type Failure } from './failure.ts'

type Style = Parameters<typeof styleText>[0]

/** Data goes to stdout, words for people to stderr, so that a script can take the one and show the other. */
export function printData(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export function tell(line = ''): void {
  process.stderr.write(`${line}\n`)
}

/** Rows in columns as wide as their widest entry. */
export function printTable(rows: string[][]): void {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column]!)), 0),
  )
  for (const [index, row] of rows.entries()) {
    const cells = row.map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
    const line = cells.join('  ').trimEnd()
    print(index === 0 ? style('dim', line, process.stdout) : line)
  }
}

const graphemes = new Intl.Segmenter()
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]/u
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u

/** How many columns a text takes: those of East Asia and emoji take two. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment)
  return width
}

/** Shortens in the middle of nothing: the end is what tells files apart. */
export function keepEnd(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  const kept: string[] = []
  let left = columns - 1
  for (const { segment } of [...graphemes.segment(text)].reverse()) {
    left -= columnsOf(segment)
    if (left < 0) break
    kept.unshift(segment)
  }
  return `…${kept.join('')}`
}

const columnsOf = (segment: string) => (ZERO.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1)

/** Colours only where somebody can see them; Node looks at NO_COLOR and whether it is a terminal. */
export function style(format: Style, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  return styleText(format, text, { stream })
}

/** Text from elsewhere must not be able to move the cursor, or rewrite what stands above it. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '�')

export function exitWith(failure: Failure): void {
  tell(`${style('red', 'error')}  ${plain(failure.message)}`)
  if (failure.advice) tell(`       ${plain(failure.advice)}`)
  process.exitCode = EXIT_CODES[failure.kind]
}
