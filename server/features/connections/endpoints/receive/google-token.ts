import type { Outbound } from '../../../../outbound/outbound.ts'
import { isRs256Signature, type PublicJwk } from '../../../../security/public-key.ts'
import type { SignedRequest } from '../../../../signatures/signed-request.ts'
import type { Verdict } from '../../../../signatures/verify.ts'

const KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs'
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
const SKEW_S = 300
const KEYS_MS = 3_600_000
/** Anyone can send unknown key ids. */
const REFETCH_MS = 60_000
const TOKEN_LENGTH_MAX = 8000

interface ExpectedClaims {
  /** The service account's address. */
  email: string | undefined
  override: string | null
  now: Date
}

/**
 * Checks that Google signed the token for this URL and the endpoint's service account. Anyone can get a token for any
 * URL, so the email address decides.
 */
export async function verifyGoogleToken(
  outbound: Outbound,
  { url, headers }: SignedRequest,
  { email, override, now }: ExpectedClaims,
): Promise<Verdict['reason']> {
  const token = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(headers.authorization ?? '')
  if (!headers.authorization) return 'missing_signature'
  if (!token || token[0].length > TOKEN_LENGTH_MAX) return 'malformed_signature'
  const [, head, body, signature] = token as unknown as [string, string, string, string]
  const [header, claims] = [decode(head), decode(body)]
  if (header?.alg !== 'RS256' || typeof header.kid !== 'string' || !claims) return 'malformed_signature'
  const key = await keyOf(outbound, header.kid, override, now)
  if (!key) return 'bad_signature'
  const isSigned = isRs256Signature(key, `${head}.${body}`, Buffer.from(signature, 'base64url'))
  const isForEndpoint =
    ISSUERS.includes(String(claims.iss)) &&
    claims.aud === url &&
    email !== undefined &&
    claims.email === email &&
    claims.email_verified === true
  if (!isSigned || !isForEndpoint) return 'bad_signature'
  const seconds = now.getTime() / 1000
  const isCurrent = Number(claims.exp) > seconds - SKEW_S && Number(claims.iat) < seconds + SKEW_S
  return isCurrent ? null : 'timestamp_skew'
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const cache = new Map<string, { keys: Promise<readonly PublicJwk[]>; at: number }>()

async function keyOf(outbound: Outbound, kid: string, override: string | null, now: Date) {
  const url = override === null ? KEYS_URL : `${new URL(override).origin}/oauth2/v3/certs`
  const cached = cache.get(url)
  const age = cached ? Math.abs(now.getTime() - cached.at) : Number.POSITIVE_INFINITY
  const cachedKey = cached && age < KEYS_MS ? find(await cached.keys, kid) : undefined
  if (cachedKey || (cached && age < REFETCH_MS)) return cachedKey ?? null
  const entry = { keys: fetchKeys(outbound, url), at: now.getTime() }
  cache.set(url, entry)
  const keys = await entry.keys
  if (keys.length === 0) cache.delete(url)
  return find(keys, kid) ?? null
}

const find = (keys: readonly PublicJwk[], kid: string) =>
  keys.find((key) => key.kid === kid && key.kty === 'RSA')

/** Returns an empty result if unreachable: the event is refused, and Google sends it again. */
async function fetchKeys(outbound: Outbound, url: string): Promise<readonly PublicJwk[]> {
  const outcome = await outbound.request({ method: 'GET', url, timeoutMs: 5000, bytesMax: 65_536 })
  if (outcome.kind === 'failure' || outcome.response.status !== 200) return []
  try {
    const { keys } = JSON.parse(outcome.response.body.toString()) as { keys?: unknown }
    return Array.isArray(keys) ? (keys as PublicJwk[]) : []
  } catch {
    return []
  }
}
