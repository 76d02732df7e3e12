import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import { EXIT_CODES, Failure } from './failure.ts'

type Style = Parameters<typeof styleText>[0]

/** Data goes to stdout and messages to stderr, so scripts can separate them. */
export function printData(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

export function printMessage(line = ''): void {
  process.stderr.write(`${line}\n`)
}

export function printTable(rows: string[][]): void {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[column]!)), 0),
  )
  for (const [index, row] of rows.entries()) {
    const cells = row.map((cell, column) => cell + ' '.repeat(widths[column]! - displayWidth(cell)))
    const line = cells.join('  ').trimEnd()
    print(index === 0 ? style('dim', line, process.stdout) : line)
  }
}

const graphemes = new Intl.Segmenter()
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]/u
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u

/** In columns: East Asian wide characters and emoji take two. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment)
  return width
}

/** Truncates the start, since a path's end distinguishes files. */
export function truncateStart(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  const segments: string[] = []
  let columnsLeft = columns - 1
  for (const { segment } of [...graphemes.segment(text)].reverse()) {
    columnsLeft -= columnsOf(segment)
    if (columnsLeft < 0) break
    segments.unshift(segment)
  }
  return `…${segments.join('')}`
}

const columnsOf = (segment: string) => (ZERO_WIDTH.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1)

/** Only if the stream is a terminal and NO_COLOR isn't set. */
export function style(format: Style, text: string, stream: NodeJS.WriteStream = process.stderr): string {
  return styleText(format, text, { stream })
}

/** Replaces control characters: server text must not move the cursor or rewrite the screen. */
export const sanitize = (text: string): string => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '�')

/** Like `sanitize`, for multi-line text. */
export const sanitizeLines = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '�')

export function exitWith(failure: Failure): void {
  printMessage(`${style('red', 'error:')} ${sanitize(failure.message)}`)
  if (failure.hint) printMessage(`       ${sanitize(failure.hint)}`)
  process.exitCode = EXIT_CODES[failure.kind]
}

/** Without a terminal there is nobody to ask. */
export const canConfirm = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

/** Any reply other than yes ends the command. */
export async function confirm(question: string): Promise<void> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const reply = await prompt.question(`${question} [y/N] `)
  prompt.close()
  if (!/^y(es)?$/i.test(reply.trim())) throw new Failure('interrupted', 'Canceled')
}
