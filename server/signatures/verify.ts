import { sha256 } from '../security/digest.ts'
import { hmac, isSameTag } from '../security/hmac.ts'
import { isEcdsaP256Signature, isEd25519Signature } from '../security/public-key.ts'
import {
  type HmacScheme,
  hmacKey,
  type JwtScheme,
  type PublicKeyScheme,
  type Secret,
  type SignatureScheme,
  type SignedScheme,
  type TimestampRule,
  type TokenScheme,
} from './scheme.ts'
import { SIGNATURE_SCHEMES } from './signature-schemes.ts'
import {
  bodyField,
  firstHeader,
  formText,
  type Headers,
  type SignedRequest,
  urlVariants,
} from './signed-request.ts'

export interface Verdict {
  valid: boolean
  /** Null if no accepted scheme's header is present. */
  scheme: SignatureScheme | null
  reason:
    | null
    | 'missing_signature'
    | 'bad_signature'
    | 'timestamp_skew'
    | 'malformed_signature'
    | 'unaccepted_scheme'
    | 'several_signatures'
  timestampSkewSeconds: number | null
  secret: Secret | null
}

/**
 * Uses the first accepted scheme with a header present, and refuses requests with none. Also refuses signatures for two
 * schemes even if only one is accepted: a later receiver could trust the other.
 */
export function verify(
  schemes: readonly SignatureScheme[],
  request: SignedRequest,
  secrets: readonly Secret[],
  now: Date,
): Verdict {
  const presentSchemes = SIGNATURE_SCHEMES.filter((known) => isPresent(known, request.headers))
  if (presentSchemes.length > 1) return refusal(null, 'several_signatures')
  const scheme = schemes.find((accepted) => isPresent(accepted, request.headers))
  if (!scheme) return refusal(null, presentSchemes.length > 0 ? 'unaccepted_scheme' : 'missing_signature')
  return 'format' in scheme
    ? verifySignature(scheme, request, secrets, now)
    : verifyToken(scheme, request.headers, secrets, now)
}

function isPresent(scheme: SignedScheme | TokenScheme | JwtScheme, headers: Headers): boolean {
  const value = firstHeader(headers, scheme.header)
  if (value === undefined) return false
  if ('format' in scheme) {
    const { format } = scheme
    return format.as !== 'one' || !format.selects || value.trimStart().startsWith(format.prefix)
  }
  const { prefix } = scheme
  return value.length > prefix.length && value.toLowerCase().startsWith(prefix.toLowerCase())
}

function verifyToken(
  scheme: TokenScheme | JwtScheme,
  headers: Headers,
  secrets: readonly Secret[],
  now: Date,
): Verdict {
  const token = firstHeader(headers, scheme.header)!.slice(scheme.prefix.length).trim()
  const tokenHash = sha256(token)
  const secret = secrets.find((each) =>
    scheme.kind === 'jwt' ? isValidJwt(token, each, now) : isSameTag(each.hash, tokenHash),
  )
  if (!secret) return refusal(scheme, 'bad_signature')
  return { valid: true, scheme, reason: null, timestampSkewSeconds: null, secret }
}

type SigningScheme = HmacScheme | PublicKeyScheme

function verifySignature(
  scheme: SigningScheme,
  request: SignedRequest,
  secrets: readonly Secret[],
  now: Date,
): Verdict {
  const header = firstHeader(request.headers, scheme.header)!
  const signatures = signaturesOf(scheme, header)
  const timestamp = scheme.timestamp && timestampOf(scheme.timestamp, request, header)
  const messages = messagesOf(scheme, request, timestamp)
  if (signatures.length === 0 || messages === null) return refusal(scheme, 'malformed_signature')
  const skew = scheme.timestamp ? skewOf(timestamp ?? '', scheme.timestamp.unit, now) : null
  if (skew !== null && !Number.isFinite(skew)) return refusal(scheme, 'malformed_signature')
  const secret = secrets.find(({ text }) =>
    messages.some((parts) => isSigned(scheme, text, parts, signatures)),
  )
  if (!secret) return { ...refusal(scheme, 'bad_signature'), timestampSkewSeconds: skew }
  const isSkewed = skew !== null && Math.abs(skew) > scheme.timestamp!.toleranceSeconds
  return {
    valid: !isSkewed,
    scheme,
    reason: isSkewed ? 'timestamp_skew' : null,
    timestampSkewSeconds: skew,
    secret: isSkewed ? null : secret,
  }
}

type Part = string | Uint8Array

function isSigned(
  scheme: SigningScheme,
  secret: string,
  parts: readonly Part[],
  signatures: readonly Buffer[],
): boolean {
  if (scheme.kind !== 'hmac') {
    const message = Buffer.concat(parts.map((part) => Buffer.from(part)))
    const isSignature = scheme.kind === 'ed25519' ? isEd25519Signature : isEcdsaP256Signature
    return signatures.some((signature) => isSignature(secret, message, signature))
  }
  const key = hmacKey(secret, scheme.key)
  // An empty key is known to everyone.
  if (key.length === 0) return false
  const expected = hmac(scheme.algorithm, key, parts)
  return signatures.some((signature) => isSameTag(expected, signature))
}

function messagesOf(
  { signs, id }: SigningScheme,
  request: SignedRequest,
  timestamp: string | undefined,
): readonly Part[][] | null {
  const partsFor = (url: string) =>
    signs.map((part): Part | undefined => {
      if (typeof part === 'object') return part.text
      if (part === 'id') return id && firstHeader(request.headers, id)
      if (part === 'timestamp') return timestamp
      if (part === 'url') return url
      return part === 'form' ? formText(request) : request.body
    })
  const urls = signs.includes('url') ? urlVariants(request.url) : [request.url]
  const messages = urls.map(partsFor)
  const isComplete = (parts: (Part | undefined)[]): parts is Part[] => !parts.includes(undefined)
  return messages.every(isComplete) ? messages : null
}

function signaturesOf({ format, encoding }: SigningScheme, header: string): Buffer[] {
  const texts =
    format.as === 'pairs'
      ? pairsOf(header).flatMap(([name, value]) => (name === format.name ? [value] : []))
      : (format.as === 'list' ? header.split(' ') : [header.trim()]).flatMap((text) =>
          afterPrefix(text, format),
        )
  const isEncoded = encoding === 'hex' ? /^([0-9a-f]{2})+$/i : /^[A-Za-z0-9+/]+={0,2}$/
  return texts.filter((text) => isEncoded.test(text)).map((text) => Buffer.from(text, encoding))
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

function timestampOf({ from }: TimestampRule, request: SignedRequest, header: string): string | undefined {
  if ('header' in from) return firstHeader(request.headers, from.header)
  if ('pair' in from) return pairsOf(header).find(([name]) => name === from.pair)?.[1]
  const value = bodyField(request.body, from.body)
  return typeof value === 'number' ? String(value) : undefined
}

/** How far the sender's clock is behind. NaN for a malformed timestamp. */
function skewOf(timestamp: string, unit: TimestampRule['unit'], now: Date): number {
  if (unit === 'iso') {
    const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(timestamp)
    return isIso ? Math.round((now.getTime() - Date.parse(timestamp)) / 1000) : Number.NaN
  }
  if (!/^\d{1,16}$/.test(timestamp)) return Number.NaN
  const seconds = unit === 's' ? Number(timestamp) : Number(timestamp) / 1000
  return Math.round(now.getTime() / 1000 - seconds)
}

const refusal = (scheme: SignatureScheme | null, reason: NonNullable<Verdict['reason']>): Verdict => ({
  valid: false,
  scheme,
  reason,
  timestampSkewSeconds: null,
  secret: null,
})

const SKEW_SECONDS = 60

/** HS256 only. Refuses tokens without an expiry. */
function isValidJwt(token: string, { text: secret }: Secret, now: Date): boolean {
  const parts = token.split('.')
  const [header = '', claims = '', signature = ''] = parts
  if (parts.length !== 3 || secret === '' || jsonOf(header)?.alg !== 'HS256') return false
  const expected = hmac('sha256', Buffer.from(secret), [`${header}.${claims}`])
  if (!isSameTag(expected, Buffer.from(signature, 'base64url'))) return false
  const { exp, iat, nbf } = jsonOf(claims) ?? {}
  const seconds = now.getTime() / 1000
  const isPast = (time: unknown) =>
    time === undefined || (typeof time === 'number' && time <= seconds + SKEW_SECONDS)
  return typeof exp === 'number' && exp >= seconds - SKEW_SECONDS && isPast(iat) && isPast(nbf)
}

function jsonOf(part: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown> | null
  } catch {
    return null
  }
}
