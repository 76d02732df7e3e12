import { createHash, hash, timingSafeEqual } from 'node:crypto'

/** SHA-256, the stored form of API keys, session tokens and links: the plain form is never stored. */
export const sha256 = (value: string | Uint8Array): Buffer => hash('sha256', value, 'buffer')

/** Compares in constant time, for any lengths. */
export const sameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(sha256(left), sha256(right))

/** Compares a secret with the stored hash of one, in constant time. */
export const sameSecretHash = (secret: string, hash: Uint8Array): boolean =>
  hash.length === 32 && timingSafeEqual(sha256(secret), hash)

/** SHA-256 of a stream. */
export function createDigest() {
  const hasher = createHash('sha256')
  return {
    add: (chunk: Uint8Array | string): void => void hasher.update(chunk),
    hex: (): string => hasher.digest('hex'),
  }
}
