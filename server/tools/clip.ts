export interface ClippedText {
  text: string
  /** The position at which the rest begins; null if the text is complete. */
  next: number | null
}

/**
 * The part of a text from `offset` that takes at most `bytesMax` bytes as a JSON string. Ends between two characters, and
 * always contains at least one, so that a reader of parts gets to the end.
 */
export function clip(text: string, bytesMax: number, offset = 0): ClippedText {
  let bytes = 0
  let at = Math.min(offset, text.length)
  const start = at
  while (at < text.length) {
    const point = text.codePointAt(at)!
    bytes += jsonBytesOf(point)
    if (bytes > bytesMax && at > start) return { text: text.slice(start, at), next: at }
    at += point > 0xffff ? 2 : 1
  }
  return { text: text.slice(start), next: null }
}

function jsonBytesOf(point: number): number {
  if (point === 0x22 || point === 0x5c || point === 0x0a || point === 0x0d || point === 0x09) return 2
  if (point < 0x20 || (point >= 0xd800 && point <= 0xdfff)) return 6
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}
