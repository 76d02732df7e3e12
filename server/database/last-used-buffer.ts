const FLUSH_MS = 2000

/**
 * Collects ids whose "last used" time is to be written, and writes them together, off the path of any request. A
 * failed write is dropped: the next use brings the id again.
 */
export function createTouches(write: (ids: string[]) => Promise<unknown>, onError: (error: unknown) => void) {
  let ids = new Set<string>()
  const flush = async () => {
    if (ids.size === 0) return
    const batch = [...ids]
    ids = new Set()
    await write(batch).catch(onError)
  }
  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  return {
    add: (id: string) => void ids.add(id),
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

export type Touches = ReturnType<typeof createTouches>
