import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row } from './report.ts'

export interface Part {
  name: string
  rows: Row[]
  /** False if the part missed a target or didn't finish. */
  hasPassed: boolean
}

/** A failure doesn't stop the rest. */
export async function runParts(files: URL[], options: readonly string[] = []): Promise<Part[]> {
  const parts: Part[] = []
  for (const file of files) parts.push(await runPart(file, options))
  return parts
}

async function runPart(file: URL, options: readonly string[]): Promise<Part> {
  const name = basename(fileURLToPath(file), '.ts')
  const rows: Row[] = []
  console.log(`\n${name}`)
  const child = fork(file, options)
  child.on('message', (row) => rows.push(row as Row))
  const [code] = (await once(child, 'close')) as [number | null]
  const hasPassed = code === 0 && rows.every(({ target }) => target?.isMet !== false)
  if (code !== 0 && rows.every(({ target }) => target?.isMet !== false)) {
    rows.push({ name: 'did not finish', ours: `exit ${code}`, target: { text: 'exit 0', isMet: false } })
  }
  return { name, rows, hasPassed }
}

const HEADERS = ['', 'ours', 'floor', 'ratio', 'target', '', '']

/** Marks missed targets. */
export function formatMeasurements(parts: Part[]): string {
  const lines = parts.flatMap(({ name, rows }) => [
    [name, '', '', '', '', '', ''],
    ...rows.map(({ name, ours, floor = '', ratio, target, note = '' }) => [
      `  ${name}`,
      ours,
      floor,
      ratio?.toFixed(2) ?? '',
      target?.text ?? '',
      target ? (target.isMet ? 'met' : 'MISSED') : '',
      note,
    ]),
  ])
  const widths = HEADERS.map((header, column) =>
    Math.max(header.length, ...lines.map((line) => line[column]!.length)),
  )
  return [HEADERS, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
