/** A UUID v4. `crypto.randomUUID` is missing on plain http, which isn't a secure context. */
export function randomId(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * A repeated attempt reuses its key, so a lost response creates nothing twice. Another request, or one after a success,
 * gets a new key.
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
