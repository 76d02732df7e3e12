import type { JsonBytes } from '../../../../endpoint/json-text.ts'

const BYTES_MAX = 16_777_216
/** A quarter: one large preview must not remove all others. */
const ENTRY_BYTES_MAX = BYTES_MAX / 4

/**
 * The previews that were requested last, so that a preview is rendered once and not for every reader. The key contains the
 * organization: nobody learns from the time of a response whether another organization has the same file.
 */
export function createPreviewCache(bytesMax = BYTES_MAX, entryBytesMax = ENTRY_BYTES_MAX) {
  /** In the order of their last use. */
  const entries = new Map<string, JsonBytes>()
  let bytes = 0

  function remove(key: string): JsonBytes | undefined {
    const entry = entries.get(key)
    if (entry) bytes -= entry.bytes.length
    entries.delete(key)
    return entry
  }

  function set(key: string, entry: JsonBytes): void {
    if (entry.bytes.length > entryBytesMax) return
    remove(key)
    entries.set(key, entry)
    bytes += entry.bytes.length
    for (const oldest of entries.keys()) {
      if (bytes <= bytesMax) break
      remove(oldest)
    }
  }

  return {
    get(key: string): JsonBytes | undefined {
      const entry = remove(key)
      if (entry) set(key, entry)
      return entry
    },
    set,
  }
}
