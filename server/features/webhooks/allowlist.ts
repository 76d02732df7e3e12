import { EVENT_TYPE_NAMES } from '../../../contract/webhooks/event-types.ts'
import { badField } from '../../errors.ts'

/** The source of webhooks that hear of what happens here; others have types of their own, which only their sender knows. */
export const OWN_SOURCE = 'custom'

/** Entries as they are kept: trimmed, in small letters, distinct, sorted. Names that nothing will ever have are refused. */
export function normaliseEvents(events: readonly string[], source: string): string[] {
  const entries = events.map((entry) => entry.trim().toLowerCase())
  const wrong = source === OWN_SOURCE ? entries.findIndex((entry) => !isKnown(entry)) : -1
  if (wrong >= 0) {
    throw badField(
      `body.events.${wrong}`,
      `is not an event type here: ${JSON.stringify(events[wrong])}; see GET /api/v1/webhooks/event-types`,
    )
  }
  return [...new Set(entries)].sort()
}

function isKnown(entry: string): boolean {
  if (entry === '*') return true
  if (!entry.endsWith('.*')) return EVENT_TYPE_NAMES.some((name) => name === entry)
  const beginning = entry.slice(0, -1)
  return beginning !== '.' && EVENT_TYPE_NAMES.some((name) => name.startsWith(beginning))
}
