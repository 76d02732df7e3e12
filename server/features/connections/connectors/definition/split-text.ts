/** Parts of at most `max` UTF-16 units, which end at a paragraph, a line or a space where one is near the end. */
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
  // Half of a surrogate pair is not a character.
  const isHigh = /[\uD800-\uDBFF]/.test(text[max - 1]!)
  return isHigh ? max - 1 : max
}
