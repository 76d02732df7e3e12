import { print, sanitize, style } from '../../../terminal.ts'
import { bytesByPath, type FieldChange } from './changes.ts'
import type { PlanItem } from './plan.ts'

/** Fields with a multi-line text, printed as a diff. */
const TEXT_FIELDS = new Set(['prompt', 'instructions', 'message'])

/** Prints the planned changes of one item, field by field. */
export function printItem({ action, document: { kind, name }, changes }: PlanItem): void {
  const label = `${kind} ${sanitize(name)}`
  if (action === 'created') print(style('green', `+ ${label}`, process.stdout))
  else if (action === 'updated') print(style('yellow', `~ ${label}`, process.stdout))
  else print(`  ${label}`)
  changes.forEach(printChange)
}

function printChange({ field, before, after }: FieldChange): void {
  if (field === 'files') printFiles(before, after)
  else if (TEXT_FIELDS.has(field) && typeof after === 'string')
    printText(field, typeof before === 'string' ? before : '', after)
  else print(`    ${field}: ${before === undefined ? '' : `${formatValue(before)} → `}${formatValue(after)}`)
}

const formatValue = (value: unknown) =>
  sanitize(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'))

function printText(field: string, before: string, after: string): void {
  print(`    ${field}:`)
  const [removed, added] = changedLines(before, after)
  for (const line of removed) print(style('red', `      - ${sanitize(line)}`, process.stdout))
  for (const line of added) print(style('green', `      + ${sanitize(line)}`, process.stdout))
}

function printFiles(before: unknown, after: unknown): void {
  const [old, next] = [bytesByPath(before), bytesByPath(after)]
  print('    files:')
  for (const path of [...new Set([...Object.keys(old), ...Object.keys(next)])].toSorted()) {
    const sign = !(path in next) ? '-' : !(path in old) ? '+' : old[path] === next[path] ? null : '~'
    if (sign) print(`      ${sign} ${sanitize(path)}`)
  }
}

/** The lines between the common start and the common end of two texts. */
function changedLines(before: string, after: string): [string[], string[]] {
  if (before === '') return [[], after.replace(/\n$/, '').split('\n')]
  const [old, next] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start++
  let end = 0
  while (end < Math.min(old.length, next.length) - start && old.at(-1 - end) === next.at(-1 - end)) end++
  return [old.slice(start, old.length - end), next.slice(start, next.length - end)]
}
