import { sha256 } from '../../security/digest.ts'
import { ID_HEADERS, SECRET_HEADERS, SIGNATURE_SCHEMES, TYPE_HEADERS } from './proofs.ts'
import type { Headers } from './verify.ts'

const EXTERNAL_ID_MAX = 255
const TYPE_MAX = 120

/** What a verified request says it is. */
export function describe(headers: Headers, body: Buffer) {
  const payload = payloadOf(body)
  const fields = isRecord(payload) ? payload : {}
  const id = firstOf(headers, ID_HEADERS) ?? nameOf(fields.id)
  const type = nameOf(fields.type) ?? firstOf(headers, TYPE_HEADERS) ?? nameOf(fields.event) ?? 'custom'
  return {
    payload,
    type: cut(type.trim().toLowerCase() || 'custom', TYPE_MAX),
    externalId: cut(id ?? sha256(body).toString('hex'), EXTERNAL_ID_MAX),
    scheme: SIGNATURE_SCHEMES.find(({ header }) => firstOf(headers, header))?.name ?? 'secret',
  }
}

/** JSON as a value, anything else as text. */
function payloadOf(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Through how many webhooks an event has come already. What cannot be read is as good as too many. */
export function hopsOf(headers: Headers): number {
  const given = headers['webhook-hops']
  if (given === undefined) return 0
  return /^\d{1,4}$/.test(given) ? Number(given) : Number.POSITIVE_INFINITY
}

/** What the database can hold: no NUL, no broken characters. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return harmless(value)
  if (Array.isArray(value)) return value.map(storable)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [harmless(name), storable(child)]))
}

const SECRET_NAMES = new Set(SECRET_HEADERS.map(({ header }) => header))
const LOOKS_SECRET = /secret|token|password|authorization|cookie|api-?key|credential/

/** Headers for the log: names all, values unless they are secrets. */
export const withoutSecrets = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      harmless(name),
      SECRET_NAMES.has(name) || LOOKS_SECRET.test(name) ? '[redacted]' : harmless(value).slice(0, 2000),
    ]),
  )

const harmless = (text: string) => text.replaceAll('\0', '\uFFFD').toWellFormed()
const cut = (text: string, max: number) => [...harmless(text)].slice(0, max).join('')
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
const firstOf = (headers: Headers, names: readonly string[]) =>
  names.map((name) => headers[name]).find((value) => value !== undefined && value !== '')
