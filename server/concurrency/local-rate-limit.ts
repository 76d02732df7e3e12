/** What the guests of one link may say through this process, all together: dozens of moving pointers, and not more. */
const PER_SECOND = 300
const AT_ONCE_MAX = 600
/** Links that are remembered; what is forgotten begins anew. */
const LINKS_MAX = 1000

/** Tells whether one more word may be said by the guests of this link now. Kept here alone: it protects this process. */
export function createPace(now = Date.now) {
  const left = new Map<string, { words: number; at: number }>()
  return (link: string): boolean => {
    const at = now()
    const before = left.get(link) ?? { words: AT_ONCE_MAX, at }
    const words = Math.min(AT_ONCE_MAX, before.words + ((at - before.at) / 1000) * PER_SECOND)
    if (left.size >= LINKS_MAX && !left.has(link)) left.clear()
    left.set(link, { words: Math.max(words - 1, 0), at })
    return words >= 1
  }
}
