import { detached, refuseInTransaction } from './work-scope.ts'

/**
 * Shares the result of a read between all callers that request the same key in one turn of the event loop. A read never
 * joins one of an earlier turn, so each caller sees everything committed before its request.
 */
export function createSharedRead() {
  const reads = new Map<string, Promise<unknown>>()

  return function share<T>(key: string, read: () => Promise<T>): Promise<T> {
    refuseInTransaction('a shared read')
    const shared = reads.get(key) as Promise<T> | undefined
    if (shared) return shared
    if (reads.size === 0) setImmediate(() => reads.clear())
    const started = detached(read)
    reads.set(key, started)
    return started
  }
}

/** Collects the items of one turn of the event loop by their keys, and loads the results of all items of a key together. */
export function createBatch<Item, Result>(
  load: (items: Item[]) => Promise<Result[]>,
  keyOf: (item: Item) => string,
) {
  const waiting = new Map<string, { item: Item; done: PromiseWithResolvers<Result> }[]>()

  async function loadAll(key: string): Promise<void> {
    const batch = waiting.get(key)!
    waiting.delete(key)
    try {
      const results = await load(batch.map(({ item }) => item))
      for (const [index, { done }] of batch.entries()) done.resolve(results[index]!)
    } catch (error) {
      for (const { done } of batch) done.reject(error)
    }
  }

  return (item: Item): Promise<Result> => {
    refuseInTransaction('a shared read')
    const key = keyOf(item)
    const batch = waiting.get(key) ?? []
    if (batch.length === 0) detached(() => setImmediate(() => void loadAll(key)))
    waiting.set(key, batch)
    const done = Promise.withResolvers<Result>()
    batch.push({ item, done })
    return done.promise
  }
}
