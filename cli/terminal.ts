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
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  for (const [index, row] of rows.entries()) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!))
    const line = cells.join('  ').trimEnd()
    print(index === 0 ? style('dim', line, process.stdout) : line)
  }
}

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
