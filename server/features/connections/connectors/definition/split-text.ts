/** Ends parts at a paragraph, line or space if one is near. `max` is in UTF-16 units. */
export function splitText(text: string, max: number): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > max) {
    const end = endOf(rest, max)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? parts : [...parts, rest]
}

function endOf(text: string, max: number): number {
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(separator, max)
    if (at > max / 2) return at
  }
  // Half a surrogate pair isn't a character.
  const isHigh = /[\uD800-\uDBFF]/.test(text[max - 1]!)
  return isHigh ? max - 1 : max
}
