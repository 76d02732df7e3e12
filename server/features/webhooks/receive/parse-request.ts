import { sanitizeText } from '../../../inbound/sanitize.ts'
import { sha256 } from '../../../security/digest.ts'
import type { SignatureScheme } from '../../../signatures/scheme.ts'
import { firstHeader, type Headers } from '../../../signatures/signed-request.ts'
import { exactNumber } from '../exact-json.ts'

const EXTERNAL_ID_MAX = 255
const TYPE_MAX = 120

/** The header by which a source identifies a delivery. GitLab repeats its event UUID for events that follow from others. */
const DELIVERY_HEADERS: Readonly<Record<string, string>> = {
  github: 'x-github-delivery',
  gitlab: 'idempotency-key',
  linear: 'linear-delivery',
  shopify: 'x-shopify-webhook-id',
  jira: 'x-atlassian-webhook-identifier',
}
/** Headers with the type of an event; the first one present is used. */
const TYPE_HEADERS = ['x-github-event', 'x-gitlab-event', 'linear-event', 'x-shopify-topic']

interface ReceivedRequest {
  headers: Headers
  body: Buffer
  scheme: SignatureScheme
  source: string
}

/** The type and the ids of the event in a verified request. */
export function extractEvent({ headers, body, scheme, source }: ReceivedRequest) {
  const text = body.toString('utf8')
  const fields = fieldsOf(text)
  const type = labelOf(fields.type) ?? firstHeader(headers, TYPE_HEADERS) ?? labelOf(fields.event) ?? 'custom'
  const signedId = signedIdOf(scheme, headers, fields, text)
  const headerId = firstHeader(headers, ['webhook-id', DELIVERY_HEADERS[source.toLowerCase()] ?? ''])
  const deduplicationId = signedId ?? (trustsHeaders(scheme) ? headerId : undefined)
  const digest = sha256(body).toString('hex')
  const externalId = signedId ?? headerId
  return {
    type: truncate(type.trim().toLowerCase() || 'custom', TYPE_MAX),
    externalId: externalId === undefined ? digest : hashIfLong(externalId),
    deduplicationKey: deduplicationId === undefined ? digest : hashIfLong(deduplicationId),
  }
}

/**
 * The id that the signature covers. The `id` in the body of any other sender often names the resource: later events about
 * it would count as duplicates.
 */
function signedIdOf(scheme: SignatureScheme, headers: Headers, fields: Fields, text: string) {
  if (!('format' in scheme)) return undefined
  if (scheme.id) return firstHeader(headers, scheme.id)
  const { eventIdField, eventIdHeader } = scheme
  if (eventIdHeader !== undefined) return firstHeader(headers, [eventIdHeader])
  if (eventIdField === undefined) return undefined
  const value = fields[eventIdField]
  return typeof value === 'number' ? exactNumber(text, eventIdField) : labelOf(value)
}

/**
 * A presented secret covers the headers as much as the body. A signature of the body alone does not: with another id in
 * a header, a replayed request would look new.
 */
const trustsHeaders = (scheme: SignatureScheme) => scheme.kind === 'token'

/** Truncating could make two different ids equal. */
const hashIfLong = (id: string) =>
  id.length > EXTERNAL_ID_MAX ? sha256(id).toString('hex') : sanitizeText(id)

type Fields = Record<string, unknown>

/** The fields of a JSON object; none for any other value. */
function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** How many webhooks have forwarded the event; a malformed count is infinite. */
export function hopsOf(headers: Headers): number {
  const hops = headers['webhook-hops']
  if (hops === undefined) return 0
  return /^\d{1,4}$/.test(hops) ? Number(hops) : Number.POSITIVE_INFINITY
}

const truncate = (text: string, max: number) =>
  text.length <= max ? sanitizeText(text) : [...sanitizeText(text)].slice(0, max).join('')
const labelOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
