import { sha256 } from '../security/digest.ts'
import { hmac, isSameTag } from '../security/hmac.ts'
import { SECRET_HEADERS, SIGNATURE_SCHEMES, type SignatureScheme } from './signature-schemes.ts'

export type Headers = Readonly<Record<string, string>>

export interface Secret {
  /** As text, for signatures. */
  text: string
  /** Its SHA-256, for secrets that are presented. */
  hash: Uint8Array
}

export interface Verdict {
  valid: boolean
  /** The proof that was looked at; null if there was none. */
  scheme: string | null
  reason: null | 'missing_signature' | 'bad_signature' | 'timestamp_skew' | 'malformed_signature'
  timestampSkewSeconds: number | null
  /** The one that was used, if it is valid. */
  secret: Secret | null
}

/**
 * Whether whoever sent this knows one of the secrets. The first proof that was given decides: another one cannot make
 * up for it. Nothing given is a refusal.
 */
export function verify(headers: Headers, body: Uint8Array, secrets: readonly Secret[], now: Date): Verdict {
  const scheme = SIGNATURE_SCHEMES.find(({ header }) => firstOf(headers, header) !== undefined)
  if (scheme) return verifySignature(scheme, headers, body, secrets, now)
  const shown = SECRET_HEADERS.find(({ header, prefix }) => isShown(headers[header], prefix))
  if (!shown) return refusal(null, 'missing_signature')
  const given = sha256(headers[shown.header]!.slice(shown.prefix.length).trim())
  const secret = secrets.find(({ hash }) => isSameTag(hash, given))
  return secret
    ? { valid: true, scheme: 'secret', reason: null, timestampSkewSeconds: null, secret }
    : refusal('secret', 'bad_signature')
}

const isShown = (value: string | undefined, prefix: string): boolean =>
  value !== undefined && value.length > prefix.length && value.toLowerCase().startsWith(prefix.toLowerCase())

function verifySignature(
  scheme: SignatureScheme,
  headers: Headers,
  body: Uint8Array,
  secrets: readonly Secret[],
  now: Date,
): Verdict {
  const { name, timestamp: time } = scheme
  const written = firstOf(headers, scheme.header)!
  const given = signaturesOf(scheme, written)
  const id = scheme.id && firstOf(headers, scheme.id)
  const timestamp = time && timestampOf(time.from, headers, written, body)
  if (given.length === 0 || (scheme.id && !id) || (time && timestamp === undefined)) {
    return refusal(name, 'malformed_signature')
  }
  const skew = time ? skewOf(timestamp!, time.unit, now) : null
  if (skew !== null && !Number.isFinite(skew)) return refusal(name, 'malformed_signature')
  const parts = scheme.signs.map((part) => {
    if (typeof part === 'object') return part.text
    return part === 'body' ? body : ((part === 'id' ? id : timestamp) as string)
  })
  const secret = secrets.find(({ text }) => {
    const expected = hmac(scheme.algorithm, keyOf(text, scheme.key), parts)
    return given.some((signature) => isSameTag(expected, signature))
  })
  if (!secret) return { ...refusal(name, 'bad_signature'), timestampSkewSeconds: skew }
  const isLate = skew !== null && Math.abs(skew) > time!.toleranceSeconds
  return {
    valid: !isLate,
    scheme: name,
    reason: isLate ? 'timestamp_skew' : null,
    timestampSkewSeconds: skew,
    secret: isLate ? null : secret,
  }
}

/** The key that a secret stands for. What is not written as base64 is taken as it is. */
export function keyOf(secret: string, kind: SignatureScheme['key']): Uint8Array {
  const encoded = kind === 'base64' ? /^whsec_([A-Za-z0-9+/_-]+={0,2})$/.exec(secret)?.[1] : undefined
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64')
}

function signaturesOf({ written, encoding }: SignatureScheme, header: string): Buffer[] {
  const texts =
    written.as === 'pairs'
      ? pairsOf(header).flatMap(([name, value]) => (name === written.name ? [value] : []))
      : (written.as === 'list' ? header.split(' ') : [header.trim()]).flatMap((text) =>
          afterPrefix(text, written),
        )
  const isWritten = encoding === 'hex' ? /^([0-9a-f]{2})+$/i : /^[A-Za-z0-9+/]+={0,2}$/
  return texts.filter((text) => isWritten.test(text)).map((text) => Buffer.from(text, encoding))
}

function afterPrefix(text: string, { prefix, optional }: { prefix: string; optional?: true }): string[] {
  if (text.startsWith(prefix)) return [text.slice(prefix.length)]
  return optional ? [text] : []
}

const pairsOf = (header: string): [string, string][] =>
  header.split(',').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  })

function timestampOf(
  from: NonNullable<SignatureScheme['timestamp']>['from'],
  headers: Headers,
  written: string,
  body: Uint8Array,
): string | undefined {
  if ('header' in from) return firstOf(headers, from.header)
  if ('pair' in from) return pairsOf(written).find(([name]) => name === from.pair)?.[1]
  const value = fieldOf(body, from.body)
  return typeof value === 'number' ? String(value) : undefined
}

function fieldOf(body: Uint8Array, name: string): unknown {
  try {
    return (JSON.parse(Buffer.from(body).toString()) as Record<string, unknown> | null)?.[name]
  } catch {
    return undefined
  }
}

/** Seconds that the sender's clock is behind ours; not a number if there is no time to read. */
function skewOf(timestamp: string, unit: 's' | 'ms', now: Date): number {
  if (!/^\d{1,16}$/.test(timestamp)) return Number.NaN
  const seconds = unit === 's' ? Number(timestamp) : Number(timestamp) / 1000
  return Math.round(now.getTime() / 1000 - seconds)
}

const firstOf = (headers: Headers, names: readonly string[]): string | undefined =>
  names.map((name) => headers[name]).find((value) => value !== undefined && value !== '')

const refusal = (scheme: string | null, reason: NonNullable<Verdict['reason']>): Verdict => ({
  valid: false,
  scheme,
  reason,
  timestampSkewSeconds: null,
  secret: null,
})
