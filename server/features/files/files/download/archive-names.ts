/** Assigns entry names within one folder of an archive: safe to extract on any system, and unique. */
export function createEntryNames() {
  const taken = new Set<string>()
  /** The last number tried per name, so that a thousand files of one name do not each count from two. */
  const counts = new Map<string, number>()
  return {
    take(name: string): string {
      const safe = safeName(name)
      let count = counts.get(keyOf(safe)) ?? 1
      let free = count === 1 ? safe : numbered(safe, count)
      while (taken.has(keyOf(free))) free = numbered(safe, ++count)
      taken.add(keyOf(free))
      counts.set(keyOf(safe), count)
      return free
    },
  }
}

/** Case-insensitive file systems treat these names as equal. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()

/**
 * Prevents path traversal on any system: no separators, drive letters, `.`, `..` or control characters. Characters that
 * reverse the text after them would disguise the extension.
 */
function safeName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[/\\:\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '_')
  return /^\.{1,2}\s*$/.test(plain) ? plain.replaceAll('.', '_') : plain
}

/** `report.pdf` becomes `report (2).pdf`. */
function numbered(name: string, count: number): string {
  const ending = /(?<=.)\.[^.\s]{1,20}$/u.exec(name)?.[0] ?? ''
  return `${name.slice(0, name.length - ending.length)} (${count})${ending}`
}
