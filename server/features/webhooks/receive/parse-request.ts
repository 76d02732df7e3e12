import { sha256 } from '../../../security/digest.ts'
import {
  ID_HEADERS,
  SECRET_HEADERS,
  SIGNATURE_SCHEMES,
  TYPE_HEADERS,
} from '../../../signatures/signature-schemes.ts'
import type { Headers, Secret } from '../../../signatures/verify.ts'

const EXTERNAL_ID_MAX = 255
const TYPE_MAX = 120
/** Deeper than anybody means it; the database and whoever reads it would be the next to fall over it. */
const DEPTH_MAX = 200

/** What a verified request says it is. */
export function describe(headers: Headers, body: Buffer) {
  const payload = payloadOf(body)
  const fields = isRecord(payload) ? payload : {}
  const scheme = SIGNATURE_SCHEMES.find(({ header }) => firstOf(headers, header))
  // What was signed comes first: a header that was not could make a copy look new.
  const id =
    nameOf(scheme?.eventId && fields[scheme.eventId]) ?? firstOf(headers, ID_HEADERS) ?? nameOf(fields.id)
  const type = nameOf(fields.type) ?? firstOf(headers, TYPE_HEADERS) ?? nameOf(fields.event) ?? 'custom'
  return {
    payload,
    type: cut(type.trim().toLowerCase() || 'custom', TYPE_MAX),
    externalId: id === undefined ? digest(body) : whole(id),
    scheme: scheme?.name ?? 'secret',
  }
}

/** Cut, two different ids could be the same. */
const whole = (id: string) => (id.length > EXTERNAL_ID_MAX ? digest(Buffer.from(id)) : harmless(id))
const digest = (bytes: Buffer) => sha256(bytes).toString('hex')

/** JSON as a value, anything else as text. */
function payloadOf(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    const value: unknown = JSON.parse(text)
    return isDeep(value) ? text : value
  } catch {
    return text
  }
}

/** Level by level, since to go down into each would need as much room as it is deep. */
function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
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
const LOOKS_SECRET = /secret|token|password|authorization|cookie|api-?key|credential|jwt|session/

/** Headers for the log: names all, values unless they are secrets, or hold one where nobody would look for it. */
export const withoutSecrets = (headers: Headers, secrets: readonly Secret[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isSecret =
        SECRET_NAMES.has(name) ||
        LOOKS_SECRET.test(name) ||
        value.includes('whsec_') ||
        secrets.some(({ text }) => value.includes(text))
      return [harmless(name), isSecret ? '[redacted]' : harmless(value).slice(0, 2000)]
    }),
  )

const harmless = (text: string) => text.replaceAll('\0', '\uFFFD').toWellFormed()
const cut = (text: string, max: number) => [...harmless(text)].slice(0, max).join('')
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
const firstOf = (headers: Headers, names: readonly string[]) =>
  names.map((name) => headers[name]).find((value) => value !== undefined && value !== '')
