import type { HmacAlgorithm } from '../security/hmac.ts'

/** How a sender proves that a request is authentic, described as data; `verify` checks every scheme. */
export type SignatureScheme = HmacScheme | PublicKeyScheme | TokenScheme | JwtScheme

/** The sender signs the request with a shared secret. */
export interface HmacScheme extends SignedScheme {
  kind: 'hmac'
  algorithm: HmacAlgorithm
  key: SecretEncoding
}

/**
 * The sender signs the request with a private key; the secret of the receiver is the public key: in hex for `ed25519`, in
 * base64 as DER (SPKI) for `ecdsa-p256`, whose signatures are DER over SHA-256.
 */
export interface PublicKeyScheme extends SignedScheme {
  kind: 'ed25519' | 'ecdsa-p256'
}

/** The sender presents the secret itself, after a prefix that is compared without regard to case. */
export interface TokenScheme {
  kind: 'token'
  name: string
  header: readonly string[]
  prefix: string
}

/** The sender presents a JWT that is signed with the secret (HS256). It does not cover the body. */
export interface JwtScheme extends Omit<TokenScheme, 'kind'> {
  kind: 'jwt'
}

export interface SignedScheme {
  name: string
  /** The headers that may contain the signature; the first one present is used. */
  header: readonly string[]
  encoding: 'hex' | 'base64'
  format: SignatureFormat
  signs: readonly SignedPart[]
  /** The headers that may contain the message id, where it is a signed part. */
  id?: readonly string[]
  /** The field of a signed body that identifies the event. */
  eventIdField?: string
  timestamp?: TimestampRule
  handshake?: Handshake
}

/** A signed request that is not an event: the response to a body with this `type` repeats one of its fields. */
interface Handshake {
  type: string
  echo: string
}

/**
 * The format of signatures in the header. `one`: a signature after a prefix, which may be `optional`, or `selects` the
 * scheme if other schemes use the same header. `list`: several, separated by spaces, each after a prefix. `pairs`:
 * several as `name=value` in a list that may also contain the timestamp.
 */
type SignatureFormat =
  | { as: 'one'; prefix: string; optional?: true; selects?: true }
  | { as: 'list'; prefix: string }
  | { as: 'pairs'; name: string }

/**
 * `form` is the parameters of a form body, sorted by name, each as name and value. A URL with a `bodySHA256` parameter
 * signs the body by that digest instead.
 */
type SignedPart = 'id' | 'timestamp' | 'body' | 'url' | 'form' | { text: string }

export interface TimestampRule {
  from: { header: readonly string[] } | { pair: string } | { body: string }
  /** `iso`: `2026-11-16T12:00:00Z`. */
  unit: 's' | 'ms' | 'iso'
  toleranceSeconds: number
}

/** The key is the secret as text, the bytes that a `whsec_` secret encodes, or those that a secret in base64 encodes. */
type SecretEncoding = 'text' | 'base64' | 'plain-base64'

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
