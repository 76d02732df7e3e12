import type { FastifyRequest } from 'fastify'
import type { ByteRequest, Endpoint, RawContent } from '../../contract/endpoint.ts'
import type { Origin } from '../context.ts'
import type { Call } from '../endpoint/call.ts'
import { streamBody } from './bodies.ts'
import { readDeviceCookie, readFlowCookie } from './cookies.ts'
import { readFormParts } from './forms.ts'
import { pageLanguage } from './page-language.ts'

const USER_AGENT_LENGTH_MAX = 500

export const requestOrigin = (request: FastifyRequest, publicUrl: string | null): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
  baseUrl: publicUrl ?? `${request.protocol}://${request.host || 'localhost'}`,
  flowSecret: readFlowCookie(request) ?? null,
  deviceToken: readDeviceCookie(request) ?? null,
  // Few calls need it, and a hostile header can be long.
  get language() {
    return pageLanguage(request)
  },
  client: clientOf(request.headers.authorization),
})

/** RFC 6749: both parts are form-encoded before joining. */
function clientOf(authorization: string | undefined): Origin['client'] {
  const encoded = authorization && /^Basic +([\w+/=-]+)$/i.exec(authorization)?.[1]
  if (!encoded) return null
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  if (id === undefined || secret === undefined) return null
  return { id: decodeFormValue(id), secret: decodeFormValue(secret) }
}

const decodeFormValue = (value: string) =>
  new URLSearchParams(`value=${value.replaceAll('&', '%26')}`).get('value')!

type CallInput = Omit<Call, 'caller' | 'origin' | 'params' | 'query' | 'signal'>

export function readCallInput(request: FastifyRequest, { raw, bytes }: Endpoint): CallInput {
  const { headers } = request
  const key = headers['idempotency-key']
  return {
    body: request.body,
    contentLength: lengthOf(headers['content-length']) ?? undefined,
    idempotencyKey: key === undefined ? undefined : String(key),
    ifMatch: headers['if-match'],
    ignoreUnknownFields: isOfType(request, 'application/x-www-form-urlencoded'),
    form: isOfType(request, 'multipart/form-data') && !raw ? readFormParts(request) : undefined,
    raw: raw && rawContentOf(request),
    byteRequest: bytes && byteRequestOf(request),
  }
}

const isOfType = ({ headers }: FastifyRequest, type: string) =>
  headers['content-type']?.toLowerCase().startsWith(type) ?? false

const rawContentOf = (request: FastifyRequest): RawContent => ({
  content: streamBody(request.raw),
  contentLength: lengthOf(request.headers['content-length']),
  headers: joinedHeaders(request),
  target: request.originalUrl,
})

const lengthOf = (header: string | undefined) => (header === undefined ? null : Number(header))

/** Joins repeated headers with a comma (RFC 9110). */
export const joinedHeaders = ({ headers }: FastifyRequest): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )

const byteRequestOf = ({ headers, method }: FastifyRequest): ByteRequest => ({
  headOnly: method === 'HEAD',
  range: headers.range,
  ifRange: headers['if-range']?.toString(),
  ifNoneMatch: headers['if-none-match'],
  lastEventId: headers['last-event-id']?.toString(),
})
