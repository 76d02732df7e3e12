import type { HmacAlgorithm } from '../security/hmac.ts'

/** `verify` checks every scheme. */
export type SignatureScheme = HmacScheme | PublicKeyScheme | TokenScheme | JwtScheme

export interface HmacScheme extends SignedScheme {
  kind: 'hmac'
  algorithm: HmacAlgorithm
  key: SecretEncoding
}

/**
 * The receiver's secret is the sender's public key: hex for `ed25519`, base64 DER (SPKI) for `ecdsa-p256`, which signs
 * as DER over SHA-256.
 */
export interface PublicKeyScheme extends SignedScheme {
  kind: 'ed25519' | 'ecdsa-p256'
}

/** The sender presents the secret itself. The prefix is case-insensitive. */
export interface TokenScheme {
  kind: 'token'
  name: string
  header: readonly string[]
  prefix: string
}

/** A JWT signed with the secret (HS256). Doesn't cover the body. */
export interface JwtScheme extends Omit<TokenScheme, 'kind'> {
  kind: 'jwt'
}

export interface SignedScheme {
  name: string
  /** The first one present is used. */
  header: readonly string[]
  encoding: 'hex' | 'base64'
  format: SignatureFormat
  signs: readonly SignedPart[]
  /** Headers for the message id, where it's signed. */
  id?: readonly string[]
  eventIdField?: string
  timestamp?: TimestampRule
  handshake?: Handshake
}

/** The response to a body with this `type` echoes one field. */
interface Handshake {
  type: string
  echo: string
}

/**
 * `one`: after a prefix, which may be `optional`, or `selects` the scheme if others share the header. `list`:
 * space-separated, each prefixed. `pairs`: `name=value`, possibly with the timestamp.
 */
type SignatureFormat =
  | { as: 'one'; prefix: string; optional?: true; selects?: true }
  | { as: 'list'; prefix: string }
  | { as: 'pairs'; name: string }

/**
 * `form`: parameters sorted by name, each as name and value. A URL with `bodySHA256` signs the body by that digest
 * instead.
 */
type SignedPart = 'id' | 'timestamp' | 'body' | 'url' | 'form' | { text: string }

export interface TimestampRule {
  from: { header: readonly string[] } | { pair: string } | { body: string }
  /** `iso`: `2026-11-16T12:00:00Z`. */
  unit: 's' | 'ms' | 'iso'
  toleranceSeconds: number
}

/** The secret as text, or the bytes encoded in a `whsec_` or base64 secret. */
type SecretEncoding = 'text' | 'base64' | 'plain-base64'

export interface Secret {
  text: string
  /** SHA-256, to compare with a presented secret. */
  hash: Uint8Array
}

/** With `base64`, a secret without `whsec_` is used as text. */
export function hmacKey(secret: string, encoding: SecretEncoding): Uint8Array {
  if (encoding === 'plain-base64') return Buffer.from(secret, 'base64')
  const encoded = encoding === 'base64' ? /^whsec_([A-Za-z0-9+/_-]+={0,2})$/.exec(secret)?.[1] : undefined
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64')
}
