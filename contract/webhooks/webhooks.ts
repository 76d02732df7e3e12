import { z } from 'zod'
import { endpoint, member, steppedUp } from '../endpoint.ts'
import { cursorPage, cursorQuery, Id, TimestampInput, text } from '../fields.ts'
import { eventLog, eventQuery } from './event-log.ts'
import { receiving } from './receiving.ts'
import { DEDUP_SECONDS_DEFAULT } from './repetitions.ts'
import * as records from './webhook-records.ts'

const { WEBHOOK_AREA } = records

export const GRACE_SECONDS_MAX = 604_800

const byId = z.object({ id: Id })
export const webhooks = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks',
    summary: 'List webhooks',
    description: 'Newest first. Members get only the name, source and status.',
    access: member(),
    output: z.object({ items: z.array(records.Webhook) }),
    reduced: { below: 'admin', output: z.object({ items: z.array(records.WebhookSummary) }) },
    tool: 'read',
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks',
    summary: 'Create a webhook',
    description:
      'A webhook receives events at its receive URL, and forwards received events and Atrium events to `url`. With `receives: false`, it only sends. Only this response contains the secret.',
    access: steppedUp(WEBHOOK_AREA, { role: 'admin' }),
    body: z.object({
      name: records.Name,
      url: records.Url.optional(),
      receives: records.Receives.optional(),
      events: records.Events.optional(),
      source: records.Source.optional(),
      scheme: records.Scheme.optional(),
      dedupWindowSeconds: records.DedupWindowSeconds.default(DEDUP_SECONDS_DEFAULT),
      description: records.Description.optional(),
      secret: records.Secret.optional(),
    }),
    output: records.WebhookWithSecret,
    status: 201,
  }),
  eventTypes: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/event-types',
    summary: 'List event types',
    access: member(),
    output: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          category: z.string(),
          description: z.string(),
          example: z.unknown().describe('Example `data`'),
        }),
      ),
    }),
    tool: 'read',
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/events',
    summary: 'List events',
    description: 'Newest first, at most 100 per page. Members get events without payloads and headers.',
    access: member(),
    query: z.object(eventQuery),
    output: cursorPage(records.NamedEvent),
    reduced: { below: 'admin', output: cursorPage(records.NamedEventSummary) },
    tool: 'read',
    standby: true,
  }),
  event: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/events/:eventId',
    summary: 'Get an event',
    description: 'Members get the event without its payload, headers and deliveries.',
    access: member(),
    params: z.object({ eventId: Id }),
    output: records.NamedEvent.extend({
      body: records.ReceivedBody.nullable(),
      repetitions: records.Repetitions,
      deliveries: z.array(
        records.Delivery.extend({ webhookName: z.string(), attempts: z.array(records.DeliveryAttempt) }),
      ),
    }),
    reduced: { below: 'admin', output: records.NamedEventSummary },
    tool: 'read',
  }),
  tail: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/events/live',
    summary: 'Stream events',
    description:
      'Server-sent events: `ready`, then one `event` each, and `ended`. Resume with `Last-Event-ID` within one day without losing or repeating events. The server closes streams periodically: reconnect. Members get events without payloads and headers.',
    access: member(),
    query: z.object({ webhookId: Id.optional() }),
    output: z.null(),
    reduced: { below: 'admin', output: records.WebhookEventSummary },
    bytes: 'events',
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/test',
    summary: 'Send a test event',
    description: 'Sent to the webhook’s endpoint URL, ignoring its event filter.',
    access: steppedUp(WEBHOOK_AREA, { role: 'admin' }),
    body: z.object({ webhookId: Id, eventType: text(1, 120).optional() }),
    output: z.object({ eventId: Id, deliveryId: Id.nullable() }),
    status: 202,
    idempotent: true,
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/verify',
    summary: 'Verify a signed payload',
    description:
      'Verifies the signature with a webhook’s secret or with `secret`, without storing an event. An invalid signature returns 200 with the `reason`. Only admins and owners can use a webhook’s secret.',
    access: member(),
    body: z
      .object({
        webhookId: Id.optional(),
        secret: z.string().min(1).max(256).optional(),
        payload: z.string().max(records.RECEIVED_BYTES_MAX),
        headers: z.record(z.string(), z.string()),
      })
      .refine(({ webhookId, secret }) => (webhookId === undefined) !== (secret === undefined), {
        error: 'must have either webhookId or secret',
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
    summary: 'Retry an event',
    description:
      'Retries all of the event’s failed deliveries, or one of them. Returns CONFLICT if the delivery succeeded or is pending.',
    access: steppedUp(WEBHOOK_AREA, { role: 'admin' }),
    params: z.object({ eventId: Id }),
    body: z.object({ deliveryId: Id.optional() }),
    output: z.object({ retried: z.int() }),
    status: 202,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/:id',
    summary: 'Get a webhook',
    description: 'Members get only the name, source and status.',
    access: member(),
    params: byId,
    output: records.Webhook,
    reduced: { below: 'admin', output: records.WebhookSummary },
    versioned: true,
    tool: 'read',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/v1/webhooks/:id',
    summary: 'Update a webhook',
    description:
      'A null or empty `url` stops forwarding. While paused, events are held and delivered on resume. While disabled, the receive URL returns NOT_FOUND.',
    access: steppedUp(WEBHOOK_AREA, { role: 'admin' }),
    params: byId,
    body: z
      .object({
        name: records.Name.optional(),
        url: records.Url.optional(),
        receives: records.Receives.optional(),
        source: records.Source.optional(),
        scheme: records.Scheme.optional(),
        dedupWindowSeconds: records.DedupWindowSeconds.optional(),
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
    description: 'Permanently deletes the webhook and its deliveries. Events it received stay in the log.',
    access: steppedUp(WEBHOOK_AREA, { role: 'admin' }),
    params: byId,
    output: z.object({ deleted: z.literal(true) }),
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/v1/webhooks/:id/rotate',
    summary: 'Rotate the secret',
    description:
      'Only this response contains the new secret. The old secret expires immediately or after the grace period. During the grace period both secrets verify, and deliveries have both signatures.',
    access: steppedUp(WEBHOOK_AREA, { role: 'admin' }),
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
    summary: 'Retry failed deliveries',
    access: steppedUp(WEBHOOK_AREA, { role: 'admin' }),
    params: byId,
    body: z.object({ since: TimestampInput }),
    output: z.object({ retried: z.int() }),
    status: 202,
  }),
  eventsOf: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/:id/events',
    summary: 'List webhook events',
    description:
      'Events it received or forwards, newest first. Members get them without payloads and headers.',
    access: member(),
    params: byId,
    query: z.object(eventQuery),
    output: cursorPage(records.NamedEvent),
    reduced: { below: 'admin', output: cursorPage(records.NamedEventSummary) },
    tool: 'read',
    standby: true,
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/:id/deliveries',
    summary: 'List webhook deliveries',
    description: 'Newest first.',
    access: member({ role: 'admin' }),
    params: byId,
    query: z.object({ ...cursorQuery, status: z.enum(records.DELIVERY_STATUSES).optional() }),
    output: cursorPage(records.Delivery),
    tool: 'read',
    standby: true,
  }),
  listen: endpoint({
    method: 'GET',
    path: '/api/v1/webhooks/:id/listen',
    summary: 'Stream signed deliveries',
    description:
      'Server-sent events: `ready`, then one `delivery` each, with the headers and body that the endpoint URL receives, and `ended`. For testing a receiver on a local machine. Resume with `Last-Event-ID`, as in the event stream.',
    access: member({ role: 'admin' }),
    params: byId,
    failures: ['CONFLICT'],
    output: z.null(),
    bytes: 'events',
  }),
  ...eventLog,
  ...receiving,
}
