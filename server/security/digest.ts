import { createHash, hash, timingSafeEqual } from 'node:crypto'

/** API keys, session tokens and links are stored only like this. */
export const sha256 = (value: string | Uint8Array): Buffer => hash('sha256', value, 'buffer')

/** Constant time, for any lengths. */
export const sameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(sha256(left), sha256(right))

/** Constant time. */
export const sameSecretHash = (secret: string, hash: Uint8Array): boolean =>
  hash.length === 32 && timingSafeEqual(sha256(secret), hash)

export function createDigest() {
  const hasher = createHash('sha256')
  return {
    add: (chunk: Uint8Array | string): void => void hasher.update(chunk),
    hex: (): string => hasher.digest('hex'),
  }
}
