import type { NormalizedEvent } from './receiver.ts'
import { valueAt } from './template.ts'

/** Returns null for anything but text and numbers. */
export function textAt(body: unknown, path: string): string | null {
  const value = valueAt(body, path)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** An empty path means the body. */
export function itemsAt(body: unknown, path: string): readonly unknown[] {
  const value = path === '' ? body : valueAt(body, path)
  return Array.isArray(value) ? value : []
}

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

/** Ignores inherited names such as `constructor` and `__proto__`. */
export const lookup = <T>(
  table: Readonly<Record<string, T>>,
  name: string | null | undefined,
): T | undefined => (typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined)

/** Returns null if absent or empty. */
export function displayTextAt(payload: unknown, path: string): string | null {
  const value = valueAt(payload, path)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Skips absent values. */
export const summary = (title: string, lines: Readonly<Record<string, string | null>>): string =>
  [
    title,
    ...Object.entries(lines).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])),
  ].join('\n')

const FILE_TEXT_MAX = 200_000

export function fileText(answer: unknown): { text: string; truncated: boolean } {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  return { text: text.slice(0, FILE_TEXT_MAX), truncated: text.length > FILE_TEXT_MAX }
}

/** All if none is chosen. */
export const eventTypes = (
  slug: string,
  chosen: readonly string[],
  events: Readonly<Record<string, string>>,
): string[] =>
  (chosen.length > 0 ? chosen : Object.keys(events)).map((eventKey) => eventKey.slice(slug.length + 1))
