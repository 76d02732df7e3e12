export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Uploads are text in UTF-8, or in UTF-16 with a byte order mark, which the first two bytes show. */
export function encodingOf(head: Uint8Array): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}

interface Part {
  encoding: TextEncoding
  /** The position of the bytes in the file. */
  offset: number
  isLast: boolean
}

/** The characters that lie within these bytes, and the number of bytes up to the end of the last of them. */
export function decodePart(bytes: Buffer, { encoding, offset, isLast }: Part) {
  const start = startOf(bytes, encoding, offset)
  const end = isLast ? bytes.length : endOf(bytes, encoding, offset)
  return {
    text: new TextDecoder(encoding, { ignoreBOM: offset > 0 }).decode(bytes.subarray(start, end)),
    used: end,
  }
}

/** Skips the rest of a character that begins before these bytes. */
function startOf(bytes: Buffer, encoding: TextEncoding, offset: number): number {
  if (encoding !== 'utf-8') return offset % 2
  let start = 0
  while (offset > 0 && start < 3 && isContinuation(bytes[start])) start++
  return start
}

/** Leaves out a character that ends after these bytes. */
function endOf(bytes: Buffer, encoding: TextEncoding, offset: number): number {
  const { length } = bytes
  if (encoding !== 'utf-8') {
    const end = length - ((length + offset) % 2)
    const unit = encoding === 'utf-16le' ? bytes[end - 1]! : bytes[end - 2]!
    const isHighSurrogate = unit >= 0xd8 && unit <= 0xdb
    return isHighSurrogate ? end - 2 : end
  }
  let lead = length - 1
  while (lead > length - 4 && lead > 0 && isContinuation(bytes[lead])) lead--
  const needed = lengthOf(bytes[lead]!)
  return lead + needed > length ? lead : length
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}
