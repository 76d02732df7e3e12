import type { PublicContext } from '../../../../context.ts'
import type { VerifiedRequest } from '../../../../inbound/receive.ts'
import { redactHeaders } from '../../../../inbound/sanitize.ts'
import type { InboundEvent, StoredEvent } from '../../../../inbound/store-event.ts'
import { contentDigest, createBatchedStore } from '../../../../inbound/store-event.ts'
import { quotaExceededForNow } from '../../../../metering/quotas.ts'
import { currentTraceparent } from '../../../../observability/tracing.ts'
import { newId } from '../../../../security/ids.ts'
import type { SignedScheme } from '../../../../signatures/scheme.ts'
import type { NormalizedEvent } from '../../connectors/connectors.ts'
import { markRenewalDue } from '../queries.ts'
import { type PlannedEvent, planEvent } from './plan-events.ts'
import { parseBody } from './proof.ts'
import { insertEvents } from './receive-queries.ts'
import type { EndpointReceiver } from './receivers.ts'

const RETRY_SECONDS = 3600
/** Providers send at most a few hundred. */
const EVENTS_MAX = 500
const NO_BODY = Buffer.alloc(0)

const storeBatched = createBatchedStore(insertEvents)

/** Returns null if the endpoint has changed: the caller retries, and each event is stored once. */
export async function storeReceived(
  ctx: PublicContext<'quotas'>,
  endpoint: EndpointReceiver,
  request: VerifiedRequest,
): Promise<readonly StoredEvent[] | null> {
  const { headers, body } = request
  const now = ctx.now()
  const digest = contentDigest(body, request.scheme)
  const plannedEvents = planRequest(endpoint, request, digest)
  const storedRequest = { headers: redactHeaders(headers, endpoint.secrets(now)), body }
  const events = plannedEvents.map(
    (event, index): InboundEvent => ({
      ...toInboundEvent(endpoint, event, now),
      deduplicationKey: seenKeyOf(request, event.externalId, `${digest}:${index}`),
      ...(index === 0 ? storedRequest : { headers: {}, body: NO_BODY }),
    }),
  )
  const store = () => Promise.all(events.map((event) => storeBatched(ctx.sql, endpoint.orgId, event)))
  const outcome = await ctx.quotas.within(ctx.sql, endpoint.orgId, { events: events.length }, store)
  if ('exceeded' in outcome) throw quotaExceededForNow(outcome.exceeded, RETRY_SECONDS)
  const { result } = outcome
  if (announcesEnd(endpoint, request)) await markRenewalDue(ctx.sql, endpoint.orgId, endpoint.id, now)
  return result.every((event) => event !== null) ? result : null
}

export const toInboundEvent = (
  endpoint: Pick<EndpointReceiver, 'id' | 'version'>,
  { eventKey, externalId, status, reason, thread, record }: PlannedEvent,
  now: Date,
): InboundEvent => ({
  id: newId(),
  receiver: endpoint,
  type: eventKey,
  externalId,
  deduplicationKey: externalId,
  verification: { scheme: null, result: 'valid', reason: null },
  body: NO_BODY,
  headers: {},
  details: { status, reason, thread, record },
  trace: currentTraceparent(),
  now,
})

/** Without events, stores one ignored event, so that the request is shown. */
function planRequest(endpoint: EndpointReceiver, request: VerifiedRequest, digest: string): PlannedEvent[] {
  const events = normalizeEvents(endpoint, request)
  if (events === null) return [ignoredRequest(endpoint, digest, 'unreadable')]
  if (events.length === 0) return [ignoredRequest(endpoint, digest, 'not_an_event')]
  return events.slice(0, EVENTS_MAX).map((event) => planEvent(endpoint, event))
}

/** Returns null if unreadable: ignored, so that the provider doesn't repeat it. */
function normalizeEvents(endpoint: EndpointReceiver, request: VerifiedRequest) {
  try {
    return endpoint.receiver.normalize(eventOf(endpoint, request))
  } catch {
    return null
  }
}

const announcesEnd = (endpoint: EndpointReceiver, request: VerifiedRequest): boolean =>
  endpoint.receiver.announcesEnd?.(eventOf(endpoint, request)) ?? false

const eventOf = ({ account, kept }: EndpointReceiver, { headers, body }: VerifiedRequest) => ({
  headers,
  body: parseBody(headers, body),
  account,
  kept,
})

const ignoredRequest = ({ source }: EndpointReceiver, digest: string, reason: string): PlannedEvent => ({
  eventKey: `${source}.other`,
  externalId: digest,
  status: 'ignored',
  reason,
  thread: null,
  record: EMPTY_RECORD,
})

const EMPTY_RECORD: NormalizedEvent = {
  eventKey: '',
  externalId: '',
  change: 'created',
  targetId: null,
  actor: { id: null, name: null, isBot: false },
  text: null,
  thread: '',
  resource: null,
  replyTo: {},
}

const SEPARATORS = /[:|/ ]/
/** Shorter values may match part of an id by chance. */
const CHANCE_LENGTH_MAX = 7

/**
 * Uses the body's digest if the id comes from a header the proof doesn't cover. Otherwise a replay with another id
 * would look new.
 */
const seenKeyOf = (request: VerifiedRequest, externalId: string, digest: string): string =>
  isCovered(request, externalId) ? externalId : digest

function isCovered({ scheme, headers }: VerifiedRequest, externalId: string): boolean {
  // A presented secret or token also covers headers.
  if (scheme === null || !('format' in scheme)) return true
  const signed = signedHeaders(scheme)
  const parts = externalId.split(SEPARATORS)
  return !Object.entries(headers).some(([name, value]) => {
    if (signed.includes(name) || value === '') return false
    const isByChance = value.length <= CHANCE_LENGTH_MAX && !SEPARATORS.test(value)
    return isByChance ? parts.includes(value) : externalId.includes(value)
  })
}

function signedHeaders({ id = [], timestamp }: SignedScheme) {
  const times = timestamp && 'header' in timestamp.from ? timestamp.from.header : []
  return [...id, ...times]
}
