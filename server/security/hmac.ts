import { createHmac, timingSafeEqual } from 'node:crypto'

export type HmacAlgorithm = 'sha256' | 'sha1'

export function hmac(
  algorithm: HmacAlgorithm,
  key: Uint8Array,
  parts: readonly (string | Uint8Array)[],
): Buffer {
  const tag = createHmac(algorithm, key)
  for (const part of parts) tag.update(part)
  return tag.digest()
}

export function createIncrementalHmac(algorithm: HmacAlgorithm, key: Uint8Array) {
  const mac = createHmac(algorithm, key)
  return {
    add: (part: string | Uint8Array): void => void mac.update(part),
    digest: (): Buffer => mac.digest(),
  }
}

/** Constant time. */
export const isSameTag = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
