import { sanitizeText } from '../../../inbound/sanitize.ts'
import { sha256 } from '../../../security/digest.ts'
import type { SignatureScheme } from '../../../signatures/scheme.ts'
import { firstHeader, type Headers } from '../../../signatures/signed-request.ts'

const EXTERNAL_ID_MAX = 255
const TYPE_MAX = 120
/** Deeper JSON is stored as text: nesting is limited in PostgreSQL and in clients that parse the payload. */
const DEPTH_MAX = 200

/** Headers that carry the id and the type of an event; the first one present is used. */
const ID_HEADERS = [
  'webhook-id',
  'svix-id',
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'linear-delivery',
  'x-atlassian-webhook-identifier',
]
const TYPE_HEADERS = ['x-github-event', 'x-gitlab-event', 'linear-event']

/** Payload, type and id of the event in a verified request. */
export function extractEvent(headers: Headers, body: Buffer, scheme: SignatureScheme) {
  const payload = payloadOf(body)
  const fields = isRecord(payload) ? payload : {}
  // The signed field comes first: with an unsigned header a replayed event would look new.
  const id =
    labelOf(scheme.eventIdField && fields[scheme.eventIdField]) ??
    firstHeader(headers, ID_HEADERS) ??
    labelOf(fields.id)
  const type = labelOf(fields.type) ?? firstHeader(headers, TYPE_HEADERS) ?? labelOf(fields.event) ?? 'custom'
  return {
    payload,
    type: truncate(type.trim().toLowerCase() || 'custom', TYPE_MAX),
    externalId: id === undefined ? digest(body) : hashIfLong(id),
  }
}

/** Truncating could make two different ids equal. */
const hashIfLong = (id: string) => (id.length > EXTERNAL_ID_MAX ? digest(Buffer.from(id)) : sanitizeText(id))
const digest = (bytes: Buffer) => sha256(bytes).toString('hex')

/** JSON as a value, anything else as text. */
function payloadOf(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? text : value
  } catch {
    return text
  }
}

/** Level by level: recursion would need a stack as deep as the value. */
function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}

/** How many webhooks have forwarded the event; a malformed count is infinite. */
export function hopsOf(headers: Headers): number {
  const hops = headers['webhook-hops']
  if (hops === undefined) return 0
  return /^\d{1,4}$/.test(hops) ? Number(hops) : Number.POSITIVE_INFINITY
}

const truncate = (text: string, max: number) => [...sanitizeText(text)].slice(0, max).join('')
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const labelOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
