const FRAME_MS = 16

/** Passes one frame's items on together, so thousands of changes render once. */
export function createBatcher<T>(onBatch: (items: T[]) => void) {
  let pending: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const items = pending
    pending = []
    if (items.length > 0) onBatch(items)
  }

  return {
    add(item: T) {
      pending.push(item)
      timer ??= setTimeout(flush, FRAME_MS)
    },
    flush,
  }
}
