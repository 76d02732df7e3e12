/** The first error rejects, after running work has settled. */
export async function inParallel<T>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // A generator queues concurrent `next` calls, so workers never share an item.
  const iterator = items[Symbol.asyncIterator]()
  let hasFailed = false
  const worker = async () => {
    try {
      while (!hasFailed) {
        const next = await iterator.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      hasFailed = true
      throw error
    }
  }
  const results = await Promise.allSettled(Array.from({ length: limit }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
