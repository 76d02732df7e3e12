import { hmac, isSameTag } from '../security/hmac.ts'
import type { Secret } from './secret.ts'

/** The maximum clock skew of a sender. */
const SKEW_SECONDS = 60

/** Whether a JWT is signed with the secret (HS256) and valid now. A token without an expiry is refused. */
export function isValidJwt(token: string, { text: secret }: Secret, now: Date): boolean {
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
