import { detached, refuseInTransaction } from './work-scope.ts'

interface Options<T> {
  /** Failures are stored. */
  isFailure: (result: T) => boolean
  /** Until failed work repeats. Doubles with each failure in a row: a busy machine may have caused the first. */
  pauseMs?: number
  pauseMsMax?: number
  /** Beyond this, the oldest is removed. */
  failuresMax?: number
  now?: () => number
}

const PAUSE_MS = 5000
const PAUSE_MS_MAX = 600_000
const FAILURES_MAX = 1000

/** Concurrent callers share the work. A failure repeats only after a pause. */
export function createSingleFlight<T>(options: Options<T>) {
  const { isFailure, pauseMs = PAUSE_MS, pauseMsMax = PAUSE_MS_MAX, failuresMax = FAILURES_MAX } = options
  const { now = Date.now } = options
  const running = new Map<string, Promise<T>>()
  const failures = new Map<string, { result: T; pause: number; until: number }>()

  async function begin(key: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work()
      if (isFailure(result)) storeFailure(key, result)
      else failures.delete(key)
      return result
    } finally {
      running.delete(key)
    }
  }

  function storeFailure(key: string, result: T): void {
    const last = failures.get(key)
    const pause = last ? Math.min(2 * last.pause, pauseMsMax) : pauseMs
    failures.delete(key)
    failures.set(key, { result, pause, until: now() + pause })
    const [oldest] = failures.keys()
    if (failures.size > failuresMax) failures.delete(oldest!)
  }

  /** The key identifies the work and its organization. */
  return async (key: string, work: () => Promise<T>): Promise<T> => {
    refuseInTransaction('another call’s work')
    const failure = failures.get(key)
    if (failure && failure.until > now()) return failure.result
    const started = running.get(key) ?? detached(() => begin(key, work))
    running.set(key, started)
    return started
  }
}

/**
 * Callers requesting a key in one event loop turn share the read. It never joins an earlier turn's, so each caller sees
 * everything committed before its request.
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

/** Groups one event loop turn's items by key. */
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
