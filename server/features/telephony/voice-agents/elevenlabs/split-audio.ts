export type BodyPart =
  /** `head` is the text before the recording. */
  { kind: 'start'; head: string } | { kind: 'audio'; bytes: Buffer } | { kind: 'end' }

export class TooLargeError extends Error {}

const KEY = 'full_audio'
/** `data.full_audio`: inside two objects. */
const DEPTH = 2
const [QUOTE, BACKSLASH, COLON, SPACE] = [0x22, 0x5c, 0x3a, 0x20]
const OPENING = new Set(Buffer.from('{['))
const CLOSING = new Set(Buffer.from('}]'))

/**
 * Decodes `data.full_audio`, base64 up to 200 MB, in parts. Returns the small rest as text, with an empty string for
 * the recording. Speech is inside JSON strings, which can't contain a key.
 */
export async function* splitAudio(
  content: AsyncIterable<Uint8Array>,
  { textBytesMax }: { textBytesMax: number },
): AsyncGenerator<BodyPart, string> {
  const text: Buffer[] = []
  let size = 0
  const addText = (bytes: Buffer) => {
    size += bytes.length
    if (size > textBytesMax) throw new TooLargeError()
    if (bytes.length > 0) text.push(Buffer.from(bytes))
  }
  const scan = createKeyScan()
  let decode: ReturnType<typeof createDecoder> | null = null
  for await (const chunk of content) {
    let remaining = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    while (remaining.length > 0) {
      if (decode) {
        const end = remaining.indexOf(QUOTE)
        const bytes = decode(end < 0 ? remaining : remaining.subarray(0, end), end >= 0)
        if (bytes.length > 0) yield { kind: 'audio', bytes }
        if (end < 0) break
        yield { kind: 'end' }
        decode = null
        // The closing quote belongs to the text.
        addText(remaining.subarray(end, end + 1))
        remaining = remaining.subarray(end + 1)
        continue
      }
      const start = scan(remaining)
      addText(start < 0 ? remaining : remaining.subarray(0, start))
      if (start < 0) break
      yield { kind: 'start', head: Buffer.concat(text).toString() }
      decode = createDecoder()
      remaining = remaining.subarray(start)
    }
  }
  return Buffer.concat(text).toString()
}

function createKeyScan(): (bytes: Buffer) => number {
  let depth = 0
  let isInString = false
  let isEscaped = false
  let current = ''
  /** Followed only by spaces so far. */
  let lastString: string | null = null
  let isValueNext = false
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          isInString = false
          lastString = current
          continue
        }
        if (current.length <= KEY.length) current += String.fromCharCode(byte)
        continue
      }
      if (byte <= SPACE) continue
      if (byte === QUOTE) {
        if (isValueNext) {
          isValueNext = false
          return at + 1
        }
        isInString = true
        current = ''
        lastString = null
        continue
      }
      isValueNext = byte === COLON && lastString === KEY && depth === DEPTH
      lastString = null
      if (OPENING.has(byte)) depth++
      else if (CLOSING.has(byte)) depth--
    }
    return -1
  }
}

/** Some JSON encoders write `\/` for a slash. */
function createDecoder(): (bytes: Buffer, isLast: boolean) => Buffer {
  let undecoded = ''
  return (bytes, isLast) => {
    const letters = undecoded + bytes.toString('latin1').replaceAll('\\', '')
    const wholeLength = isLast ? letters.length : letters.length - (letters.length % 4)
    undecoded = letters.slice(wholeLength)
    return Buffer.from(letters.slice(0, wholeLength), 'base64')
  }
}
