/** A UUID v4. `crypto.randomUUID` is missing on plain http, which is not a secure context. */
export function randomId(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * The idempotency key of a request: the same for a repeated attempt, so that a lost response creates nothing twice, and a
 * new one for another request, or after a success.
 */
export function createRequestKey() {
  let last: { request: string; key: string } | undefined
  return {
    of: (request: unknown): string => {
      const text = JSON.stringify(request)
      if (last?.request !== text) last = { request: text, key: randomId() }
      return last.key
    },
    reset: () => {
      last = undefined
    },
  }
}
