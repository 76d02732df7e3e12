import type { NormalizedEvent } from './receiver.ts'
import { valueAt } from './template.ts'

/** The text or number at a path of a payload; null for any other value. */
export function textAt(body: unknown, path: string): string | null {
  const value = valueAt(body, path)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** The list at a path, or the body itself for an empty path; empty if there is none. */
export function itemsAt(body: unknown, path: string): readonly unknown[] {
  const value = path === '' ? body : valueAt(body, path)
  return Array.isArray(value) ? value : []
}

/** The record of an event, with defaults for missing fields. */
export const normalizedEvent = (
  event: Partial<NormalizedEvent> & Pick<NormalizedEvent, 'eventKey' | 'externalId' | 'thread'>,
): NormalizedEvent => ({
  change: 'created',
  targetId: null,
  actor: { id: null, name: null, isBot: false },
  text: null,
  resource: null,
  replyTo: {},
  ...event,
})

/** The entry of a table by a name that a payload has; `constructor` and `__proto__` are not entries. */
export const lookup = <T>(
  table: Readonly<Record<string, T>>,
  name: string | null | undefined,
): T | undefined => (typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined)

/** A value of a payload as it is shown to a model: texts, numbers and booleans as text. Null if it is absent or empty. */
export function displayTextAt(payload: unknown, path: string): string | null {
  const value = valueAt(payload, path)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Lines of `name: value` as the text of an event that has none; absent values are left out. */
export const summary = (title: string, lines: Readonly<Record<string, string | null>>): string =>
  [
    title,
    ...Object.entries(lines).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])),
  ].join('\n')

const FILE_TEXT_MAX = 200_000

/** The text of a downloaded file, as far as a model reads it. JSON arrives parsed. */
export function fileText(answer: unknown): { text: string; truncated: boolean } {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return { text: text.slice(0, FILE_TEXT_MAX), truncated: text.length > FILE_TEXT_MAX }
}

/** The provider's names of the chosen events; all of them if none is chosen. */
export const eventTypes = (
  slug: string,
  chosen: readonly string[],
  events: Readonly<Record<string, string>>,
): string[] =>
  (chosen.length > 0 ? chosen : Object.keys(events)).map((eventKey) => eventKey.slice(slug.length + 1))
