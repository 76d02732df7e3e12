/** Names within one folder of an archive: harmless to whoever unpacks it, and each there once. */
export function createEntryNames() {
  const taken = new Set<string>()
  /** Where counting goes on, so that a thousand of one name do not each begin at two. */
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

/** As systems compare that ignore case. */
const keyOf = (name: string) => name.normalize('NFC').toLowerCase()

/** No way out of the folder on any system: no separators, no drives, no dots alone, nothing invisible. */
function safeName(name: string): string {
  const plain = name.toWellFormed().replaceAll(/[/\\:\p{Cc}\u2028\u2029]/gu, '_')
  return /^\.{1,2}\s*$/.test(plain) ? plain.replaceAll('.', '_') : plain
}

/** `report.pdf` becomes `report (2).pdf`. */
function numbered(name: string, count: number): string {
  const ending = /(?<=.)\.[^.\s]{1,20}$/u.exec(name)?.[0] ?? ''
  return `${name.slice(0, name.length - ending.length)} (${count})${ending}`
}
