/** Truncates to a number of UTF-8 bytes on a character boundary. */
export function truncateBytes(text: string, bytesMax: number): string {
  // A UTF-16 code unit is at most three bytes of UTF-8, so most texts need no counting.
  if (text.length * 3 <= bytesMax) return text
  const bytes = Buffer.from(text.slice(0, bytesMax + 1))
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** Truncates to a number of UTF-16 code units on a character boundary. */
export function truncateUnits(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : text.slice(0, unitsMax).replace(/[\uD800-\uDBFF]$/, '')
}
