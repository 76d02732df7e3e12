import { createHash, hash, timingSafeEqual } from 'node:crypto'

/** SHA-256, as stored for keys, session tokens and links, whose plain form is never kept. */
export const sha256 = (value: string | Uint8Array): Buffer => hash('sha256', value, 'buffer')

/** Compares in constant time whatever the lengths. */
export const sameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(sha256(left), sha256(right))

/** SHA-256 of what arrives piece by piece. */
export function createDigest() {
  const running = createHash('sha256')
  return {
    add: (chunk: Uint8Array): void => void running.update(chunk),
    hex: (): string => running.digest('hex'),
  }
}
