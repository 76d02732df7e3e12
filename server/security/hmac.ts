import { createHmac, timingSafeEqual } from 'node:crypto'

export type HmacAlgorithm = 'sha256' | 'sha1'

/** The tag of `parts`, one after the other, under a key. */
export function hmac(
  algorithm: HmacAlgorithm,
  key: Uint8Array,
  parts: readonly (string | Uint8Array)[],
): Buffer {
  const tag = createHmac(algorithm, key)
  for (const part of parts) tag.update(part)
  return tag.digest()
}

/** Whether two tags are the same, in a time that does not tell where they differ. */
export const isSameTag = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
