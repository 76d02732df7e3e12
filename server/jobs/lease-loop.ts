import { inTrace, type SpanStart, type Tracer, withTracer } from '../observability/tracing.ts'
import type { DatabaseClock } from '../processes/database-clock.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'
import { type Poller, type Polling, startPoller } from './poller.ts'

/** A claim costs the same for one item as for many. */
const REFILL_DEBOUNCE_MS = 5

export interface LeaseLoop<Item> extends Omit<Polling, 'poll'> {
  /** Claims nothing while this process's clock is wrong. Running items continue. */
  clock: Pick<DatabaseClock, 'isRight'>
  /** Null for work that continues during suspensions. */
  suspensions: Pick<Suspensions, 'list' | 'find' | 'onSuspended'> | null
  concurrency: number
  claimMax: number
  /** Items with the same key share a limit, which `claim` applies. */
  keyOf: (item: Item) => string
  /** Without it, no item may continue. */
  perKey?: number
  /** Items that leave some of their key's places to others. */
  bulk?: { is: (item: Item) => boolean; perKey: number }
  /** The lease expires if this process is killed, so it must outlast every run, or the run must renew it. */
  claim: (request: ClaimRequest) => Promise<readonly Item[]>
  run: (item: Item, slot: Slot) => Promise<void>
  tracer?: Tracer | null
  /** Null: the run begins its own span. Default: one trace per item. */
  spanOf?: (item: Item) => SpanStart | null
  /** After this, a stop aborts running items for another process. Without it, a stop waits. */
  handOverMs?: number
  /** Called if the run throws. Without it, the item waits until its lease expires. */
  release?: (item: Item, error: unknown) => Promise<void>
}

export interface Slot {
  /** True while there is capacity, so no other item waits. Otherwise release the lease: the next claim decides. */
  mayContinue: () => boolean
  /** On shutdown or suspension, end the current work and leave the rest to the next claim. */
  handOver: AbortSignal
}

export interface ClaimRequest {
  running: ReadonlyMap<string, number>
  runningBulk: ReadonlyMap<string, number>
  suspended: readonly string[]
  limit: number
}

/** Any number of processes can run the same loop on one database. */
export async function startLeaseLoop<Item>(loop: LeaseLoop<Item>) {
  const { name, log, keyOf } = loop
  const running = new Map<Promise<void>, Item>()
  const handOver = new AbortController()
  const controllers = new Map<AbortController, string>()
  const canHandOver = loop.handOverMs !== undefined
  let refill: NodeJS.Timeout | undefined
  let poller: Poller | undefined
  let isStopped = false

  async function claimDue(): Promise<boolean> {
    const limit = Math.min(loop.claimMax, loop.concurrency - running.size)
    if (isStopped || limit === 0 || !loop.clock.isRight()) return false
    const suspended = loop.suspensions?.list() ?? []
    const items = await loop.claim({ running: count(), runningBulk: countBulk(), suspended, limit })
    for (const item of items) begin(item)
    // A claim may leave items for the next one, to take turns.
    return items.length > 0
  }

  const count = () => countEach([...running.values()].map(keyOf))
  const isBulk = (item: Item) => loop.bulk?.is(item) === true
  const countBulk = () => countEach([...running.values()].filter(isBulk).map(keyOf))

  function refillNow(): void {
    refill = undefined
    poller?.wake()
  }

  function begin(item: Item): void {
    const done = runItem(item).finally(() => {
      running.delete(done)
      refill ??= setTimeout(refillNow, REFILL_DEBOUNCE_MS)
    })
    running.set(done, item)
  }

  async function runItem(item: Item): Promise<void> {
    const controller = canHandOver ? controllerOf(item) : null
    try {
      const signal = controller ? AbortSignal.any([handOver.signal, controller.signal]) : handOver.signal
      const slot = { mayContinue: () => mayContinue(item), handOver: signal }
      const { tracer = null, spanOf } = loop
      const start = tracer && (spanOf ? spanOf(item) : { name: `process ${name}`, kind: 'consumer' as const })
      if (start)
        await inTrace(
          tracer,
          () => start,
          () => loop.run(item, slot),
        )
      else await withTracer(tracer, () => loop.run(item, slot))
    } catch (err) {
      log.error({ err, key: keyOf(item) }, `could not process one of the ${name}`)
      await loop
        .release?.(item, err)
        .catch((cause: unknown) => log.warn({ err: cause }, `could not release a lease of ${name}`))
    } finally {
      if (controller) controllers.delete(controller)
    }
  }

  /** Aborts immediately if the organization was suspended during the claim. */
  function controllerOf(item: Item): AbortController {
    const controller = new AbortController()
    controllers.set(controller, keyOf(item))
    if (loop.suspensions?.find(keyOf(item))) controller.abort()
    return controller
  }

  function mayContinue(item: Item): boolean {
    const key = keyOf(item)
    if (isStopped || !loop.clock.isRight() || loop.suspensions?.find(key)) return false
    if (isBulk(item) && (countBulk().get(key) ?? 0) >= loop.bulk!.perKey) return false
    return running.size < loop.concurrency && (count().get(key) ?? 0) < (loop.perKey ?? 0)
  }

  if (canHandOver)
    loop.suspensions?.onSuspended((orgId) => {
      for (const [controller, key] of controllers) if (key === orgId) controller.abort()
    })

  poller = await startPoller({ ...loop, poll: claimDue })

  return {
    async stop(): Promise<void> {
      isStopped = true
      await poller.stop()
      const timer =
        loop.handOverMs === undefined ? undefined : setTimeout(() => handOver.abort(), loop.handOverMs)
      await Promise.all(running.keys())
      clearTimeout(timer)
      clearTimeout(refill)
    },
  }
}

function countEach(keys: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
