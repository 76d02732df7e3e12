import { valueAt } from '../requests/template.ts'
import type { NormalizedEvent } from './receiver.ts'

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
