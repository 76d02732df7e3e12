/**
 * Shares the result of a read between all callers that ask for the same key in one turn of the event loop. A read never
 * joins one of an earlier turn, so each caller sees everything committed before it asked.
 */
export function createSharedRead() {
  const reads = new Map<string, Promise<unknown>>()

  return function share<T>(key: string, read: () => Promise<T>): Promise<T> {
    const shared = reads.get(key) as Promise<T> | undefined
    if (shared) return shared
    if (reads.size === 0) setImmediate(() => reads.clear())
    const started = read()
    reads.set(key, started)
    return started
  }
}

/** Collects the items of one turn of the event loop, and loads the results of all of them at once. */
export function createBatch<Item, Result>(load: (items: Item[]) => Promise<Result[]>) {
  let waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = []

  async function loadAll(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const results = await load(batch.map(({ item }) => item))
      for (const [index, { done }] of batch.entries()) done.resolve(results[index]!)
    } catch (error) {
      for (const { done } of batch) done.reject(error)
    }
  }

  return (item: Item): Promise<Result> => {
    if (waiting.length === 0) setImmediate(() => void loadAll())
    const done = Promise.withResolvers<Result>()
    waiting.push({ item, done })
    return done.promise
  }
}
