/** One key or several in a pair of brackets, with the space before them. Their digit tells them from words. */
const BRACKETED = /\s?\[(k\d[0-9a-z]{4,11}(?:,\s?k\d[0-9a-z]{4,11})*)\]/g

const keysIn = (keys: string): string[] => keys.split(/,\s?/)

export const citedKeys = (text: string): string[] => [
  ...new Set([...text.matchAll(BRACKETED)].flatMap(([, keys]) => keysIn(keys!))),
]

/** Without the keys that nothing is known of. */
export const keepKeys = (text: string, known: ReadonlyMap<string, unknown>): string =>
  text.replace(BRACKETED, (bracket: string, keys: string) => {
    const kept = keysIn(keys).filter((key) => known.has(key))
    const space = bracket.startsWith('[') ? '' : bracket[0]
    return kept.length === 0 ? '' : `${space}[${kept.join(', ')}]`
  })

/** Texts, and the keys of each bracket between them, without the space before. */
export function splitAtKeys(text: string): (string | string[])[] {
  const pieces: (string | string[])[] = []
  let end = 0
  for (const match of text.matchAll(BRACKETED)) {
    pieces.push(text.slice(end, match.index), keysIn(match[1]!))
    end = match.index + match[0].length
  }
  return [...pieces, text.slice(end)].filter((piece) => piece !== '')
}
