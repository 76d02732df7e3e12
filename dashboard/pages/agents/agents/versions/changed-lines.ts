/** The lines between the common start and the common end of two texts. */
export function changedLines(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, next] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  return { removed: old.slice(start, old.length - end), added: next.slice(start, next.length - end) }
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'))
