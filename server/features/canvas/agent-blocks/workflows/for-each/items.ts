import { ITEMS_MAX } from '../../../../../../contract/canvas/block-steps.ts'
import type { NewItem } from './list-queries.ts'

const LABEL_CHARACTERS = 80

/** Fails with a message for members. */
export type Listed = { items: unknown[] } | { error: string }

/** An array of an output. A text counts as JSON if it contains a list, else as lines. */
export function itemsIn(output: unknown, path: string): Listed {
  const value = valueAt(typeof output === 'string' ? parse(output) : output, path)
  const where = path === '' ? 'The output' : `\`${path}\` of the output`
  if (value === undefined) return { error: `${where} does not exist` }
  const items = typeof value === 'string' ? linesOf(value) : value
  if (!Array.isArray(items)) return { error: `${where} is not a list` }
  if (items.length > ITEMS_MAX)
    return { error: `${where} has ${items.length} items, but at most ${ITEMS_MAX} are allowed` }
  return { items }
}

function parse(text: string): unknown {
  const fenced = text.match(/^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/)
  try {
    const value: unknown = JSON.parse(fenced?.[1] ?? text)
    return typeof value === 'object' && value !== null ? value : text
  } catch {
    return text
  }
}

/** Own properties only. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value
  let current = value
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string, unknown>)[key]
  }
  return current
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d{1,6}[.)])\s+/, '').trim())
    .filter(Boolean)

/** Numbered from 1. */
export const toNewItems = (values: readonly unknown[], before = 0): NewItem[] =>
  values.map((value, index) => ({ n: before + index + 1, label: labelOf(value), value }))

const NAME_KEYS = ['name', 'title', 'label', 'key', 'id'] as const

function labelOf(value: unknown): string {
  const named =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? NAME_KEYS.map((key) => (value as Record<string, unknown>)[key]).find(
          (text) => typeof text === 'string' || typeof text === 'number',
        )
      : undefined
  const text = named ?? value
  const line = (typeof text === 'string' ? text : (JSON.stringify(text) ?? '')).trim().split('\n', 1)[0]!
  return line.length > LABEL_CHARACTERS ? `${line.slice(0, LABEL_CHARACTERS).toWellFormed()}…` : line
}
