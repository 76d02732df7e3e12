import { z } from 'zod'
import { anonymous, endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, TimestampInput, text } from '../fields.ts'
import * as records from './webhook-records.ts'

export const WEBHOOK_AREA = 'Webhook management'
/** The longest time that an old secret keeps working beside a new one. */
export const GRACE_SECONDS_MAX = 604_800

const byId = z.object({ id: Id })
const eventQuery = {
  ...cursorQuery,
  type: text(1, 120).optional().describe('A name, or the beginning of one followed by `*`'),
  status: z.enum(records.EVENT_STATUSES).optional(),
  direction: z.enum(['inbound', 'internal']).optional(),
  search: text(1, 200).optional().describe('An id: of the event, of the sender, or of a delivery'),
}
const Received = z.object({
  eventId: Id,
  status: z.enum(['received', 'filtered', 'held']),
  duplicate: z.boolean(),
})

export const webhooks = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks',
    summary: 'List webhooks',
    description: 'Newest first.',
    access: member(),
    output: z.object({ items: z.array(records.Webhook) }),
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks',
    summary: 'Create a webhook',
    description:
      'It can receive from others at its receive address, and forward to `url` what it receives and what happens here. The secret is shown this once.',
    access: steppedUp(WEBHOOK_AREA),
    body: z.object({
      name: records.Name,
      url: records.Url.optional(),
      events: records.Events.optional(),
      source: records.Source.optional(),
      description: records.Description.optional(),
      secret: records.Secret.optional(),
    }),
    output: records.WebhookWithSecret,
    status: 201,
  }),
  eventTypes: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/event-types',
    summary: 'List the event types',
    access: member(),
    output: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          category: z.string(),
          description: z.string(),
          example: z.unknown().describe('The `data` of such an event'),
        }),
      ),
    }),
    tool: 'read',
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/events',
    summary: 'List recent events of the organization',
    description: 'Newest first, at most 100 at a time.',
    access: member(),
    query: z.object(eventQuery),
    output: cursorPage(records.WebhookEvent),
    tool: 'read',
  }),
  event: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/events/:eventId',
    summary: 'Read the whole story of an event',
    access: member(),
    params: z.object({ eventId: Id }),
    output: records.WebhookEvent.extend({
      deliveries: z.array(
        records.Delivery.extend({ webhookName: z.string(), attempts: z.array(records.DeliveryAttempt) }),
      ),
    }),
    tool: 'read',
  }),
  tail: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/events/live',
    summary: 'Follow the events of the organization as they happen',
    description:
      'Server-sent events: `ready` first, then an `event` for each, and `ended`. Go on with `Last-Event-ID` within a day: nothing is lost and nothing told twice. The stream ends by itself from time to time: connect again.',
    access: member(),
    query: z.object({ webhookId: Id.optional() }),
    output: z.null(),
    bytes: 'events',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/test',
    summary: 'Send a test event',
    description: 'To the address of the webhook, whatever its allowlist says.',
    access: steppedUp(WEBHOOK_AREA),
    body: z.object({ webhookId: Id, eventType: text(1, 120).optional() }),
    output: z.object({ eventId: Id, deliveryId: Id.nullable() }),
    status: 202,
    idempotent: true,
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/verify',
    summary: 'Check a signed payload',
    description:
      'As the receiver would, without receiving it: against the secret of a webhook, or a secret given along. An invalid one is still 200, and `reason` explains.',
    access: member(),
    body: z
      .object({
        webhookId: Id.optional(),
        secret: z.string().min(1).max(256).optional(),
        payload: z.string().max(records.RECEIVED_BYTES_MAX),
        headers: z.record(z.string(), z.string()),
      })
      .refine(({ webhookId, secret }) => (webhookId === undefined) !== (secret === undefined), {
        error: 'must have webhookId or secret, and not both',
      })
      .meta({
        examples: [
          {
            secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
            payload: '{"test": 2432232314}',
            headers: {
              'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
              'webhook-timestamp': '1614265330',
              'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
            },
          },
        ],
      }),
    bodyBytesMax: 1_048_576,
    output: z.object({
      valid: z.boolean(),
      scheme: z.string().nullable(),
      reason: z.string().nullable(),
      timestampSkewSeconds: z.number().nullable(),
    }),
  }),
  retryEvent: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/events/:eventId/retry',
    summary: 'Queue a failed delivery again',
    description: 'All that failed of this event, or one. Delivered or pending already: CONFLICT.',
    access: steppedUp(WEBHOOK_AREA),
    params: z.object({ eventId: Id }),
    body: z.object({ deliveryId: Id.optional() }),
    output: z.object({ retried: z.int() }),
    status: 202,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/:id',
    summary: 'Read a webhook',
    access: member(),
    params: byId,
    output: records.Webhook,
    versioned: true,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/webhooks/:id',
    summary: 'Change a webhook',
    description:
      'A `url` that is null or empty stops forwarding. Paused, events are kept and delivered on resume; disabled, the receive address is gone.',
    access: steppedUp(WEBHOOK_AREA),
    params: byId,
    body: z
      .object({
        name: records.Name.optional(),
        url: records.Url.optional(),
        source: records.Source.optional(),
        description: records.Description.optional(),
        events: records.Events.optional(),
        enabled: z.boolean().optional(),
        status: z.enum(records.WEBHOOK_STATUSES).optional(),
      })
      .refine((change) => Object.values(change).some((value) => value !== undefined), {
        error: 'must have at least one field to change',
      }),
    output: records.Webhook,
    versioned: true,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/webhooks/:id',
    summary: 'Delete a webhook',
    description: 'For good, with its deliveries; the events it received stay in the log.',
    access: steppedUp(WEBHOOK_AREA),
    params: byId,
    output: z.object({ deleted: z.literal(true) }),
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/:id/rotate',
    summary: 'Make a new secret',
    description:
      'Shown this once. The old one stops working at once, or after the grace period, during which both verify and deliveries carry both signatures.',
    access: steppedUp(WEBHOOK_AREA),
    params: byId,
    body: z.object({
      gracePeriodSeconds: z
        .int('must be a whole number')
        .min(0)
        .max(GRACE_SECONDS_MAX, `must be at most ${GRACE_SECONDS_MAX}`)
        .default(0),
      secret: records.Secret.optional(),
    }),
    output: records.WebhookWithSecret,
  }),
  retryFailed: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/:id/retry',
    summary: 'Queue all deliveries again that failed since a time',
    access: steppedUp(WEBHOOK_AREA),
    params: byId,
    body: z.object({ since: TimestampInput }),
    output: z.object({ retried: z.int() }),
    status: 202,
  }),
  eventsOf: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/:id/events',
    summary: 'List the events of a webhook',
    description: 'What it received and what it was to forward, newest first.',
    access: member(),
    params: byId,
    query: z.object(eventQuery),
    output: cursorPage(records.WebhookEvent),
    tool: 'read',
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/:id/deliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Newest first.',
    access: member(),
    params: byId,
    query: z.object({ ...cursorQuery, status: z.enum(records.DELIVERY_STATUSES).optional() }),
    output: cursorPage(records.Delivery),
    tool: 'read',
  }),
  listen: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/:id/listen',
    summary: 'Follow what a webhook forwards, signed',
    description:
      'Server-sent events: `ready` first, then `delivery`, each with the headers and the body that the address of the webhook would get, and `ended`. For trying out a receiver on one’s own machine. Go on with `Last-Event-ID`, as with the events of the organization.',
    access: member(),
    params: byId,
    output: z.null(),
    bytes: 'events',
  }),
  receive: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/receive/:webhookId',
    summary: 'Receive an event from a third party',
    description:
      'Any body of at most 256 KB, proved by a signature or the secret. Answers once the event is kept. The same event again within 7 days is 200 with `duplicate: true`.',
    access: anonymous(),
    params: z.object({ webhookId: Id }),
    raw: true,
    output: Received,
    status: 202,
  }),
  receiveLinear: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/linear',
    summary: 'Receive an event from Linear',
    description: 'For every webhook whose source is `linear`; the one whose secret signed it receives it.',
    access: anonymous(),
    raw: true,
    output: Received,
    status: 202,
  }),
}
