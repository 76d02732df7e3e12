/** Entries of the list itself, as the server indents it. */
const NEXT_ENTRY = /,\n {2}(?=\S)/g

/** A list's output. A block keeps the beginning of a long one: the entries in it that are complete. */
export function readCutList(text: string): { items: unknown[]; isCut: boolean } | null {
  const whole = parse(text)
  if (whole) return { items: whole, isCut: false }
  if (!text.startsWith('[')) return null
  for (const { index } of [...text.matchAll(NEXT_ENTRY)].reverse()) {
    const items = parse(`${text.slice(0, index)}]`)
    if (items) return { items, isCut: true }
  }
  return null
}

function parse(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
