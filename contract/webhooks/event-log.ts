import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorQuery, Id, TimestampInput, text } from '../fields.ts'
import { EVENT_STATUSES, WEBHOOK_AREA } from './webhook-records.ts'

/** Limits for one export and one replay, in events. */
export const EVENT_EXPORT_MAX = 100_000
export const REPLAY_MAX = 100

const filters = {
  type: text(1, 120).optional().describe('Event type, or a prefix followed by `*`'),
  status: z.enum(EVENT_STATUSES).optional(),
  direction: z.enum(['inbound', 'internal']).optional(),
  search: text(1, 200).optional().describe('Event id, delivery id or external id'),
  from: TimestampInput.optional().describe('Events at or after this time'),
  to: TimestampInput.optional().describe('Events before this time'),
}

export const eventQuery = { ...cursorQuery, ...filters }

export const eventLog = {
  exportEvents: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/events/export',
    summary: 'Export events',
    description: `Newest first, at most ${EVENT_EXPORT_MAX.toLocaleString('en-US')} events: narrow the range to export the rest. One JSON object or CSV line per event, with its payload. The export is recorded in the audit log.`,
    access: member({ role: 'admin' }),
    query: z.object({
      ...filters,
      webhookId: Id.optional(),
      format: z.enum(['ndjson', 'csv']).default('ndjson'),
    }),
    output: z.null(),
    bytes: 'always',
    limit: { name: 'event-export', by: 'caller', capacity: 20, perSeconds: 3600 },
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/events/replay',
    summary: 'Replay events',
    description:
      'Delivers logged events to a webhook, even if they were delivered before, and ignores its event filter. A replay has the same `webhook-id` as the event’s other deliveries, its own delivery id, and the header `webhook-replay` with that delivery id, which identifies it as a replay. All events are replayed or none. Returns NOT_FOUND for an unknown event or webhook, and CONFLICT for a webhook that is not active or does not forward.',
    access: steppedUp(WEBHOOK_AREA, { role: 'admin' }),
    body: z.object({
      webhookId: Id,
      eventIds: z
        .array(Id)
        .min(1, 'must have at least one id')
        .max(REPLAY_MAX, `must have at most ${REPLAY_MAX} ids`)
        .describe('Rejected events cannot be replayed: they were not verified'),
    }),
    output: z.object({ deliveries: z.array(z.object({ eventId: Id, deliveryId: Id })) }),
    status: 202,
    idempotent: true,
    limit: { name: 'webhook-replay', by: 'caller', capacity: 10, perSeconds: 60 },
  }),
}
