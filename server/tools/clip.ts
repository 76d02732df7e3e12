export interface ClippedText {
  text: string
  /** Where the rest begins. Null if complete. */
  next: number | null
}

/**
 * At most `bytesMax` bytes as a JSON string. Ends between characters and contains at least one, so a reader always
 * reaches the end.
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
