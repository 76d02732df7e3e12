import { EVENT_TYPE_NAMES } from '../../../contract/webhooks/event-types.ts'
import { badField } from '../../errors.ts'

/** The source of webhooks that subscribe to platform events. Other sources have event types that only the sender defines. */
export const PLATFORM_SOURCE = 'custom'

/** Entries as they are stored: trimmed, lower case, distinct, sorted. Refuses names that are not platform event types. */
export function normalizeEvents(events: readonly string[], source: string): string[] {
  const entries = events.map((entry) => entry.trim().toLowerCase())
  const unknown = source === PLATFORM_SOURCE ? entries.findIndex((entry) => !isEventType(entry)) : -1
  if (unknown >= 0) {
    throw badField(
      `body.events.${unknown}`,
      `is not an event type: ${JSON.stringify(events[unknown])}; see GET /api/v1/webhooks/event-types`,
    )
  }
  return [...new Set(entries)].sort()
}

function isEventType(entry: string): boolean {
  if (entry === '*') return true
  if (!entry.endsWith('.*')) return EVENT_TYPE_NAMES.some((name) => name === entry)
  const prefix = entry.slice(0, -1)
  return prefix !== '.' && EVENT_TYPE_NAMES.some((name) => name.startsWith(prefix))
}
