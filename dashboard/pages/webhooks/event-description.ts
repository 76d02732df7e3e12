import { EVENT_TYPES, type EventType } from '../../../contract/webhooks/event-types.ts'

/** In the page's language; undefined for a type of a newer server. */
export const eventDescription = (name: string): string | undefined =>
  EVENT_TYPES[name as EventType]?.description
