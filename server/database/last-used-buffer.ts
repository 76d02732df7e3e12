const FLUSH_MS = 2000

/** Writes all ids in one statement, off the request path. A failed write is dropped: the next use adds the id again. */
export function createLastUsedBuffer(
  write: (ids: string[]) => Promise<unknown>,
  onError: (error: unknown) => void,
) {
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

export type LastUsedBuffer = ReturnType<typeof createLastUsedBuffer>
