/** The beginning of a text, at most so many bytes as UTF-8, never half a character. */
export function truncateBytes(text: string, bytesMax: number): string {
  // A unit of UTF-16 is at most three bytes of UTF-8, so most texts need no counting.
  if (text.length * 3 <= bytesMax) return text
  const bytes = Buffer.from(text.slice(0, bytesMax + 1))
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** The beginning of a text, at most so many units of UTF-16, never half a character. */
export function truncateUnits(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : text.slice(0, unitsMax).replace(/[\uD800-\uDBFF]$/, '')
}
