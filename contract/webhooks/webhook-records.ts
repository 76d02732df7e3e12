import { z } from 'zod'
import { Id, Timestamp, text } from '../fields.ts'

export const WEBHOOK_STATUSES = ['active', 'paused', 'disabled'] as const
export const EVENT_STATUSES = ['received', 'filtered', 'held', 'delivered', 'failed', 'rejected'] as const
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'retrying', 'failed', 'held', 'canceled'] as const
/** The largest body that a receiver takes. */
export const RECEIVED_BYTES_MAX = 262_144

export const Name = text(1, 120)
export const Url = text(0, 2000)
  .nullable()
  .describe('Where events are forwarded to; the receive address means nowhere')
export const Source = text(1, 100)
export const Description = text(0, 2000).nullable()
export const Events = z
  .array(text(1, 120))
  .max(200, 'must be at most 200 event types')
  .describe('Names such as `project.created`, `project.*` or `*`; empty means all')
  .meta({ examples: [['project.*', 'file.created']] })
export const Secret = z
  .string()
  .min(16, 'must be 16 to 256 characters')
  .max(256, 'must be 16 to 256 characters')
  .describe('The secret of a provider that insists on its own; made by the server if absent')

export const Webhook = z.object({
  id: Id,
  name: z.string(),
  url: z.string(),
  forwards: z.boolean().describe('Whether events are sent on to `url`'),
  source: z.string(),
  description: z.string().nullable(),
  events: z.array(z.string()),
  status: z.enum(WEBHOOK_STATUSES),
  enabled: z.boolean(),
  disabledReason: z.string().nullable(),
  deliveryCount: z.int(),
  lastDeliveryAt: Timestamp.nullable(),
  health: z
    .object({
      succeeded: z.array(z.int()).describe('Deliveries that got through, hour by hour over the last day'),
      failed: z.array(z.int()).describe('Attempts that did not, hour by hour over the last day'),
    })
    .describe('At a glance; the current hour is the last'),
  previousSecretUntil: Timestamp.nullable().describe(
    'Until when the secret before the last rotation works too',
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  receiveUrl: z.string(),
})

export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .describe('Shown this once')
    .meta({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] }),
})

const Verification = z.object({
  scheme: z.string().nullable().describe('Which proof was given, such as `standard`, `github`, `secret`'),
  result: z.enum(['valid', 'invalid', 'none']),
  reason: z.string().nullable(),
})

export const WebhookEvent = z.object({
  id: Id,
  webhookId: Id.nullable().describe('The webhook that received it; null for what happened here'),
  webhookName: z.string().nullable(),
  direction: z.enum(['inbound', 'internal']),
  type: z.string(),
  source: z.string(),
  externalId: z.string().nullable().describe('What the sender calls it'),
  status: z.enum(EVENT_STATUSES),
  verification: Verification.nullable(),
  payload: z.unknown(),
  headers: z.record(z.string(), z.string()).describe('As received, without secrets'),
  receivedAt: Timestamp,
})

export const Delivery = z.object({
  id: Id,
  eventId: Id,
  eventType: z.string(),
  webhookId: Id,
  url: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempt: z.int().describe('How often it was tried'),
  retryCount: z.int(),
  nextAttemptAt: Timestamp.nullable(),
  trigger: z.enum(['scheduled', 'manual', 'test']),
  response: z
    .object({
      status: z.int(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      truncated: z.boolean(),
    })
    .nullable(),
  error: z.string().nullable(),
  durationMs: z.int().nullable(),
  createdAt: Timestamp,
  completedAt: Timestamp.nullable(),
})

export const DeliveryAttempt = z.object({
  attempt: z.int(),
  startedAt: Timestamp,
  durationMs: z.int(),
  request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
  response: Delivery.shape.response,
  error: z.string().nullable(),
})
