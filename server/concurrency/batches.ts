import { Busy } from '../errors.ts'
import { clientSignal, detached, refuseInTransaction } from './work-scope.ts'

interface BatchItem {
  /** Items with the same key are never in one batch. */
  key?: string
  bytes: number
}

interface BatchOptions<Item, Result> {
  /** Noun for the items, as in `Too many events are waiting: try again in a moment`. */
  name: string
  /** Results are in item order. */
  run: (group: string, items: Item[]) => Promise<Result[]>
  /** Whether one item may have failed the batch. Its items then run separately. */
  isCausedByItem: (error: unknown) => boolean
  /** Parallel batches per group. */
  running: number
  /** Maximum per batch. A larger item gets its own batch. */
  items: number
  bytes: number
  /** Once this much waits in a group, the next item is refused with RATE_LIMITED. */
  waitingItems: number
  waitingBytes: number
  /** Longest wait before an item is refused with UNAVAILABLE. */
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
 * Runs items immediately. Those that arrive at their group's limit run together in the next batch. Groups don't wait
 * for each other.
 */
export function createBatches<Item extends BatchItem, Result>(options: BatchOptions<Item, Result>) {
  type Entry = WaitingItem<Item, Result>
  const groups = new Map<string, Group<Item, Result>>()

  /** Takes the first items that fit. Others, and items sharing a taken key, keep waiting. */
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

  /** Dequeues an item that waited too long or lost its client. */
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
      // A batch serves several calls, so it belongs to none.
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
    size: () => groups.size,
  }
}
