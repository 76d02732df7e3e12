import { z } from 'zod'
import { displayName } from '../display-name.ts'
import { Id, Timestamp, text } from '../fields.ts'
import {
  ENDPOINT_LIMITS,
  ENDPOINT_PAUSE_NAMES,
  ENDPOINT_REGISTRATIONS,
  ENDPOINT_REPLIES,
  ENDPOINT_STATUSES,
  EVENT_HOLD_NAMES,
  IGNORED_EVENTS,
  PROVIDER_EVENT_STATUSES,
  REPLY_STATUSES,
} from './connector-endpoint-options.ts'
import { CONNECTION_STATUSES } from './connector-options.ts'

export const EndpointName = displayName(1, ENDPOINT_LIMITS.name)
export const Reply = z
  .enum(ENDPOINT_REPLIES)
  .describe(
    '`auto`: sends the agent’s answer to the event’s thread. `approve`: sends it after a member approves it. `off`: sends nothing',
  )
export const Filter = text(0, ENDPOINT_LIMITS.filter)
  .describe('Expression over the event; events that it excludes are ignored. Empty for all events')
  .meta({ examples: ['text contains "invoice" and not actor.bot'] })
export const SessionKey = text(1, ENDPOINT_LIMITS.sessionKey)
  .describe('Events with the same key belong to one session. A template over the event')
  .meta({ examples: ['{provider}:{thread}'] })
export const Events = z
  .array(text(1, 100))
  .max(50, 'must have at most 50 events')
  .describe('The connector’s event keys, such as `slack.message`; empty for all')

const Counts = z.object({
  received: z.int().describe('Verified events, excluding repeated ones'),
  duplicates: z.int(),
  ignored: z.int(),
  rejected: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  waiting: z.int().describe('Pending or held; at most 1000 are counted'),
})

export const ConnectorEndpoint = z.object({
  id: Id,
  name: z.string(),
  connectionId: Id,
  connectionStatus: z.enum(CONNECTION_STATUSES),
  connectorSlug: z.string(),
  connectorName: z.string(),
  accountName: z.string().nullable(),
  projectId: Id,
  projectName: z.string(),
  agentId: Id,
  agentName: z.string(),
  owner: z.object({ id: Id, name: z.string() }).describe('Member whose permissions its runs have'),
  status: z.enum(ENDPOINT_STATUSES),
  pausedReason: z.enum(ENDPOINT_PAUSE_NAMES).nullable(),
  held: z.enum(EVENT_HOLD_NAMES).nullable().describe('Why its events are currently waiting'),
  events: z.array(z.string()),
  sessionKey: z.string(),
  reply: Reply,
  filter: z.string().nullable(),
  fields: z.record(z.string(), z.string()),
  url: z.string().describe('URL that the provider sends events to'),
  registration: z.enum(ENDPOINT_REGISTRATIONS),
  registrationError: z.string().nullable(),
  registeredAt: Timestamp.nullable(),
  renewsAt: Timestamp.nullable().describe('When it is registered again'),
  secretUntil: Timestamp.nullable().describe(
    'Until when the endpoint accepts the secret that the provider sends itself (Notion, Asana); null if it already has one or needs none',
  ),
  secretFingerprint: z
    .string()
    .nullable()
    .describe('First 16 hex digits of the SHA-256 of the secret that the provider sent'),
  verificationToken: z
    .string()
    .nullable()
    .describe('Token that the provider sent to check the URL, to paste at the provider; null afterwards'),
  counts: Counts,
  lastReceivedAt: Timestamp.nullable(),
  lastError: z.object({ message: z.string(), at: Timestamp }).nullable(),
  canEdit: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const EndpointSetup = z
  .object({
    steps: z.array(z.string()).describe('Remaining steps at the provider; empty if there are none'),
    secret: z.string().nullable().describe('Secret to enter at the provider. Only this response contains it'),
    paste: z.object({ label: z.string(), text: z.string() }).nullable(),
  })
  .describe('How the endpoint is registered at the provider')

export const NormalizedRecord = z.object({
  change: z.enum(['created', 'edited', 'deleted']),
  targetId: z.string().nullable(),
  actor: z.object({ id: z.string().nullable(), name: z.string().nullable(), isBot: z.boolean() }),
  text: z.string().nullable(),
  thread: z.string(),
  resource: z.object({ type: z.string(), id: z.string(), url: z.string().nullable() }).nullable(),
})

export const EventReply = z.object({
  id: Id,
  status: z.enum(REPLY_STATUSES),
  text: z.string(),
  error: z.string().nullable(),
  sentAt: Timestamp.nullable(),
})

const IGNORED_REASONS = `Ignored: ${Object.entries(IGNORED_EVENTS)
  .map(([code, sentence]) => `\`${code}\`: ${sentence}`)
  .join(' ')}`

const eventFields = {
  id: Id,
  endpointId: Id,
  eventKey: z.string(),
  externalId: z.string(),
  status: z.enum(PROVIDER_EVENT_STATUSES),
  reason: z.string().nullable().describe(`Why it is held, ignored, rejected or failed. ${IGNORED_REASONS}`),
  error: z.string().nullable(),
  duplicates: z.int().describe('How often the provider resent it within 30 days'),
  attempts: z.int(),
  runId: Id.nullable(),
  waitedMs: z.int().nullable().describe('Time from its arrival to the start of its run'),
  durationMs: z.int().nullable().describe('Time from its arrival to its end'),
  receivedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
}

export const ProviderEvent = z.object({
  ...eventFields,
  session: z.string().nullable().describe('The session key'),
  record: NormalizedRecord.nullable().describe('Null for a rejected request'),
  sessionId: Id.nullable(),
  reply: EventReply.nullable(),
})

/** Without contents: operators see all organizations' events. */
export const ObservedEvent = z.object({ ...eventFields, organizationId: Id, connectorSlug: z.string() })

export const ObservedEndpoint = ConnectorEndpoint.pick({
  id: true,
  connectorSlug: true,
  connectionStatus: true,
  status: true,
  pausedReason: true,
  held: true,
  registration: true,
  registrationError: true,
  renewsAt: true,
  counts: true,
  lastReceivedAt: true,
  lastError: true,
  createdAt: true,
}).extend({
  organization: z.object({ id: Id, name: z.string() }),
  latency: z
    .object({ medianMs: z.int(), p95Ms: z.int(), events: z.int() })
    .nullable()
    .describe('Time from arrival to the start of a run, for the last 100 handled events'),
})

export const WaitingReply = EventReply.extend({
  endpointId: Id,
  endpointName: z.string(),
  connectorSlug: z.string(),
  projectId: Id,
  sessionId: Id.nullable(),
  runId: Id,
  event: z.object({
    id: Id,
    actorName: z.string().nullable(),
    text: z.string().nullable(),
    thread: z.string(),
  }),
  canDecide: z.boolean(),
  createdAt: Timestamp,
})
