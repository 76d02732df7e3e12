import { isUtf8 } from 'node:buffer'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Uploaded text is UTF-8, or UTF-16 with a byte order mark. */
export function detectEncoding(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}

interface TextValidator {
  accepts: (chunk: Buffer) => boolean
  isComplete: () => boolean
}

export function createTextValidator(): TextValidator {
  let encoding: TextEncoding | null = null
  /** A character that continues in the next chunk, or an incomplete byte order mark. */
  let carried: Buffer = Buffer.alloc(0)

  return {
    accepts(chunk) {
      const bytes = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk
      if (encoding === null && bytes.length < 2) {
        carried = Buffer.from(bytes)
        return !bytes.includes(0)
      }
      encoding ??= detectEncoding(bytes)
      const end = encoding === 'utf-8' ? endOfUtf8(bytes) : endOfUtf16(bytes, encoding)
      carried = Buffer.from(bytes.subarray(end))
      const whole = bytes.subarray(0, end)
      if (encoding === 'utf-8') return !whole.includes(0) && isUtf8(whole)
      return isUtf16(whole, encoding)
    },
    // A single byte hasn't been validated yet.
    isComplete: () => (encoding === null ? isUtf8(carried) : carried.length === 0),
  }
}

/** A lead byte among the last three may lack its continuation bytes. */
function endOfUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return back < continuationBytesOf(byte) + 1 ? bytes.length - back : bytes.length
  }
  return bytes.length
}

const continuationBytesOf = (lead: number) => (lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1)

/** Doesn't split surrogate pairs. */
function endOfUtf16(bytes: Buffer, encoding: TextEncoding): number {
  const even = bytes.length - (bytes.length % 2)
  if (even === 0) return 0
  const high = encoding === 'utf-16le' ? bytes[even - 1]! : bytes[even - 2]!
  return high >= 0xd8 && high <= 0xdb ? even - 2 : even
}

function isUtf16(bytes: Buffer, encoding: TextEncoding): boolean {
  const text = (encoding === 'utf-16le' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le')
  return !text.includes('\0') && text.isWellFormed()
}
