import { type SchemeName, schemeOfSource } from '../../../../contract/webhooks/signature-schemes.ts'
import { sanitizeText } from '../../../inbound/sanitize.ts'
import { contentDigest } from '../../../inbound/store-event.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import type { SignatureScheme } from '../../../signatures/scheme.ts'
import { firstHeader, type Headers } from '../../../signatures/signed-request.ts'
import { exactNumber } from '../exact-json.ts'

const EXTERNAL_ID_MAX = 255
const TYPE_MAX = 120

/** GitLab repeats its event UUID for follow-up events. */
const DELIVERY_HEADERS: ReadonlyMap<string, string> = new Map([
  ['github', 'x-github-delivery'],
  ['gitlab', 'idempotency-key'],
  ['linear', 'linear-delivery'],
  ['shopify', 'x-shopify-webhook-id'],
  ['jira', 'x-atlassian-webhook-identifier'],
])
const TYPE_HEADERS = ['x-github-event', 'x-gitlab-event', 'linear-event', 'x-shopify-topic']

interface ReceivedRequest {
  headers: Headers
  body: Buffer
  scheme: SignatureScheme
  source: string
  /** If the source is unknown, equal bodies within this time are repetitions. */
  dedupWindowSeconds: number
}

/** The request must be verified. */
export function extractEvent({ headers, body, scheme, source, dedupWindowSeconds }: ReceivedRequest) {
  const text = body.toString('utf8')
  const fields = fieldsOf(text)
  const type = labelOf(fields.type) ?? firstHeader(headers, TYPE_HEADERS) ?? labelOf(fields.event) ?? 'custom'
  const sourceScheme = schemeOfSource(source)
  const signedId = signedIdOf(scheme, headers) ?? signedFieldOf(scheme, sourceScheme, fields, text)
  const headerId = firstHeader(headers, ['webhook-id', DELIVERY_HEADERS.get(source.toLowerCase()) ?? ''])
  const deduplicationId = signedId ?? (trustsHeaders(scheme) ? headerId : undefined)
  const digest = contentDigest(body, scheme)
  const externalId = signedId ?? headerId
  return {
    type: truncate(type.trim().toLowerCase() || 'custom', TYPE_MAX),
    externalId: externalId === undefined ? digest : hashIfLong(externalId),
    ...(deduplicationId !== undefined
      ? { deduplicationKey: hashIfLong(deduplicationId) }
      : repetitionOf(digest, sourceScheme === null ? dedupWindowSeconds : null)),
  }
}

/**
 * Equal bodies from a known source are retries or replays, for as long as ids are kept. Other senders may mean them,
 * such as heartbeats.
 */
function repetitionOf(digest: string, windowSeconds: number | null) {
  if (windowSeconds === null) return { deduplicationKey: digest }
  if (windowSeconds === 0) return { deduplicationKey: newId() }
  return { deduplicationKey: digest, deduplicationSeconds: windowSeconds }
}

const signedIdOf = (scheme: SignatureScheme, headers: Headers) =>
  'format' in scheme && scheme.id ? firstHeader(headers, scheme.id) : undefined

/**
 * The event id field the source signs. An unknown sender's `id` often names the resource, so later events about it
 * would count as duplicates.
 */
function signedFieldOf(
  scheme: SignatureScheme,
  sourceScheme: SchemeName | null,
  fields: Fields,
  text: string,
) {
  if (!('format' in scheme) || scheme.name !== sourceScheme) return undefined
  const { eventIdField } = scheme
  if (eventIdField === undefined) return undefined
  const value = fields[eventIdField]
  return typeof value === 'number' ? exactNumber(text, eventIdField) : labelOf(value)
}

/**
 * A presented secret covers headers and body. With a body signature, a replay with another header id would look new.
 */
const trustsHeaders = (scheme: SignatureScheme) => scheme.kind === 'token'

/** Truncating could make different ids equal. */
const hashIfLong = (id: string) =>
  id.length > EXTERNAL_ID_MAX ? sha256(id).toString('hex') : sanitizeText(id)

type Fields = Record<string, unknown>

function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** A malformed count is infinite. */
export function parseHops(headers: Headers): number {
  const hops = headers['webhook-hops']
  if (hops === undefined) return 0
  return /^\d{1,4}$/.test(hops) ? Number(hops) : Number.POSITIVE_INFINITY
}

const truncate = (text: string, max: number) =>
  text.length <= max ? sanitizeText(text) : [...sanitizeText(text)].slice(0, max).join('')
const labelOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
