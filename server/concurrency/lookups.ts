import { detached, refuseInTransaction } from './work-scope.ts'

interface LookupOptions<Key, Result> {
  /** The results are in the keys' order. */
  find: (keys: Key[]) => Promise<(Result | null)[]>
  /** Equal keys share a lookup. */
  nameOf: (key: Key) => string
  /** Searches at the same time. What is asked for meanwhile is in the next. */
  running: number
  /** Per search. */
  keys: number
}

interface Waiting<Key, Result> {
  key: Key
  done: PromiseWithResolvers<Result | null>
}

/**
 * Finds what many callers ask for with few statements. Never joins a search that has begun, so each caller sees
 * everything committed before it asked.
 */
export function createLookups<Key, Result>(options: LookupOptions<Key, Result>) {
  const { find, nameOf } = options
  const waiting = new Map<string, Waiting<Key, Result>>()
  let running = 0
  let isScheduled = false

  /** After the event loop's turn, so that requests that arrive together are found together. */
  function schedule(): void {
    if (isScheduled || running >= options.running || waiting.size === 0) return
    isScheduled = true
    detached(() => setImmediate(start))
  }

  function start(): void {
    isScheduled = false
    const taken = [...waiting].slice(0, options.keys)
    for (const [name] of taken) waiting.delete(name)
    running++
    void search(taken.map(([, entry]) => entry)).finally(() => {
      running--
      schedule()
    })
    schedule()
  }

  async function search(entries: Waiting<Key, Result>[]): Promise<void> {
    try {
      const results = await find(entries.map(({ key }) => key))
      for (const [index, { done }] of entries.entries()) done.resolve(results[index] ?? null)
    } catch (error) {
      for (const { done } of entries) done.reject(error)
    }
  }

  return (key: Key): Promise<Result | null> => {
    refuseInTransaction('a shared lookup')
    const name = nameOf(key)
    const entry = waiting.get(name) ?? { key, done: Promise.withResolvers<Result | null>() }
    waiting.set(name, entry)
    schedule()
    return entry.done.promise
  }
}
