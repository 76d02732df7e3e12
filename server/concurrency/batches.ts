import { Busy } from '../errors.ts'
import { clientSignal, detached, refuseInTransaction } from './work-scope.ts'

interface BatchItem {
  /** Items with the same key are never in one batch. */
  key?: string
  bytes: number
}

interface BatchOptions<Item, Result> {
  /** The noun for the items, as in `Too many events are waiting: try again in a moment`. */
  name: string
  /** Runs the items of one group; the results have the order of the items. */
  run: (group: string, items: Item[]) => Promise<Result[]>
  /** Whether one item may be why a batch failed: each of its items is then run separately. */
  isCausedByItem: (error: unknown) => boolean
  /** How many batches of one group run in parallel. */
  running: number
  /** The most that one batch contains; a larger item is a batch of its own. */
  items: number
  bytes: number
  /** In a group where this much waits, the next item is refused with RATE_LIMITED. */
  waitingItems: number
  waitingBytes: number
  /** How long an item waits at most; then it is refused with UNAVAILABLE. */
  waitMs: number
}

interface WaitingItem<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

interface Group<Item, Result> {
  running: number
  bytes: number
  waiting: WaitingItem<Item, Result>[]
}

/**
 * Runs an item immediately. Items that arrive while the limit of their group is reached run together in the next batch.
 * Groups do not wait for each other.
 */
export function createBatches<Item extends BatchItem, Result>(options: BatchOptions<Item, Result>) {
  type Entry = WaitingItem<Item, Result>
  const groups = new Map<string, Group<Item, Result>>()

  /** Takes the first items that fit. The other items, and items with the key of a taken one, continue to wait. */
  function takeBatch(group: Group<Item, Result>): Entry[] {
    const batch: Entry[] = []
    const keys = new Set<string>()
    const remaining: Entry[] = []
    let bytes = 0
    for (const entry of group.waiting) {
      const { item } = entry
      const isFull = batch.length >= options.items || (batch.length > 0 && bytes + item.bytes > options.bytes)
      if (isFull || (item.key !== undefined && keys.has(item.key))) remaining.push(entry)
      else {
        batch.push(entry)
        if (item.key !== undefined) keys.add(item.key)
        bytes += item.bytes
      }
    }
    group.waiting = remaining
    group.bytes -= bytes
    return batch
  }

  async function runBatch(name: string, batch: Entry[]): Promise<void> {
    const items = batch.map(({ item }) => item)
    try {
      const results = await options.run(name, items)
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!)
    } catch (error) {
      if (batch.length > 1 && options.isCausedByItem(error)) {
        for (const entry of batch) await runBatch(name, [entry])
      } else for (const { reject } of batch) reject(error)
    }
  }

  function startNext(name: string, group: Group<Item, Result>): void {
    while (group.running < options.running && group.waiting.length > 0) {
      group.running++
      void runBatch(name, takeBatch(group)).finally(() => {
        group.running--
        startNext(name, group)
      })
    }
    if (group.running === 0) groups.delete(name)
  }

  /** Takes an item out of the queue that waited too long, or whose client has gone. */
  function leave(group: Group<Item, Result>, entry: Entry, reason: unknown): void {
    const at = group.waiting.indexOf(entry)
    if (at < 0) return
    group.waiting.splice(at, 1)
    group.bytes -= entry.item.bytes
    entry.reject(reason)
  }

  const tooMany = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
    new Busy(code, `Too many ${options.name} are waiting: try again in a moment`, 1)

  return {
    async add(name: string, item: Item): Promise<Result> {
      refuseInTransaction(`one of the ${options.name}`)
      const client = clientSignal()
      client?.throwIfAborted()
      const group = groups.get(name) ?? { running: 0, bytes: 0, waiting: [] }
      const { waitingItems, waitingBytes } = options
      if (group.waiting.length >= waitingItems || group.bytes >= waitingBytes) throw tooMany('RATE_LIMITED')
      groups.set(name, group)
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      const entry: Entry = { item, resolve, reject }
      group.waiting.push(entry)
      group.bytes += item.bytes
      // A batch serves several calls, so it belongs to none of them.
      detached(() => startNext(name, group))
      const onAbort = () => leave(group, entry, client!.reason)
      const deadline = setTimeout(() => leave(group, entry, tooMany('UNAVAILABLE')), options.waitMs).unref()
      client?.addEventListener('abort', onAbort, { once: true })
      try {
        return await promise
      } finally {
        clearTimeout(deadline)
        client?.removeEventListener('abort', onAbort)
      }
    },
    /** How many groups have running items. */
    size: () => groups.size,
  }
}
