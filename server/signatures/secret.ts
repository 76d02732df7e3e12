import type { SecretEncoding } from './scheme.ts'

export interface Secret {
  text: string
  /** The SHA-256 of the text, to compare with a secret that a sender presents. */
  hash: Uint8Array
}

/** The HMAC key of a secret. If the scheme expects `whsec_` or base64, any other secret is used as text. */
export function hmacKey(secret: string, encoding: SecretEncoding): Uint8Array {
  if (encoding === 'plain-base64') return Buffer.from(secret, 'base64')
  const encoded = encoding === 'base64' ? /^whsec_([A-Za-z0-9+/_-]+={0,2})$/.exec(secret)?.[1] : undefined
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64')
}
