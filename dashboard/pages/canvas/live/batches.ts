const FRAME_MS = 16

/** Collects what comes in quick succession and hands it on together: thousands of changes are drawn once, not each. */
export function inBatches<T>(take: (items: T[]) => void) {
  let waiting: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const items = waiting
    waiting = []
    if (items.length > 0) take(items)
  }

  return {
    add(item: T) {
      waiting.push(item)
      timer ??= setTimeout(flush, FRAME_MS)
    },
    /** Hands on what waits, now. */
    flush,
  }
}
