import { Busy } from '../errors.ts'
import { clientSignal, isContinuing, refuseInTransaction } from './work-scope.ts'

/** Minimum once a call has begun a change, so it doesn't stop halfway. */
const CONTINUED_WAIT_MS = 30_000

interface SemaphoreOptions {
  /** As in `Too many exports are running: try again in a moment`. */
  name: string
  permits: number
  /** So one key never has every permit. Default: `permits`. */
  permitsPerKey?: number
  /** The next is refused with RATE_LIMITED. Default: unlimited. */
  waitingPerKeyMax?: number
  /**
   * Waiting tasks across keys. Beyond this, the key with the most loses its last one to UNAVAILABLE, so busy keys can't
   * fill the queue. Default: unlimited.
   */
  waitingMax?: number
  /** Then a task is refused with UNAVAILABLE. */
  waitMs: number
  retryAfterS?: number
  /**
   * Allowed in a database transaction. Only for tasks that wait for nothing else: a transaction waiting for them then
   * waits for no other.
   */
  isLeaf?: boolean
}

/** Returns a permit. Idempotent. */
export type Release = () => void

interface WaitingTask {
  begin: () => void
  refuse: (reason: unknown) => void
}

interface KeyQueue {
  running: number
  /** In arrival order. */
  waiting: Set<WaitingTask>
}

export type Semaphore = ReturnType<typeof createSemaphore>

/**
 * Keys, usually organizations, take turns: each waiting key below its own limit starts one task before any starts a
 * second. A key's tasks start in arrival order. Operations take constant time until the queue is full.
 */
export function createSemaphore(options: SemaphoreOptions) {
  const { permits, permitsPerKey = permits, waitingPerKeyMax = Infinity, waitingMax = Infinity } = options
  const keys = new Map<string, KeyQueue>()
  /** Waiting and below their own limit, in turn order. */
  const ready = new Set<string>()
  let running = 0
  let waiting = 0

  function tryAcquire(key: string): Release | undefined {
    if (!options.isLeaf) refuseInTransaction(`one of the ${options.name}`)
    if (running >= permits) return undefined
    const queue = keys.get(key) ?? { running: 0, waiting: new Set() }
    return queue.running < permitsPerKey ? start(key, queue) : undefined
  }

  /** Rejects after `waitMs`, when `signal` aborts (with its reason), or when the current call's client has gone. */
  async function acquire(key: string, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted()
    const release = tryAcquire(key)
    if (release) return release
    const queue = keys.get(key) ?? { running: 0, waiting: new Set() }
    if (queue.waiting.size >= waitingPerKeyMax) throw tooMany('RATE_LIMITED')
    if (waiting >= waitingMax) displaceFor(queue)
    const client = clientSignal()
    client?.throwIfAborted()
    return wait(
      key,
      queue,
      [signal, client].filter((each) => each !== undefined),
    )
  }

  /** Refuses the last task of the key with the most waiting. Fails if this key would have as many. */
  function displaceFor(queue: KeyQueue): void {
    const longest = [...keys.values()].reduce((one, other) =>
      other.waiting.size > one.waiting.size ? other : one,
    )
    if (longest.waiting.size <= queue.waiting.size + 1) throw tooMany('UNAVAILABLE')
    ;[...longest.waiting].at(-1)!.refuse(tooMany('UNAVAILABLE'))
  }

  function wait(key: string, queue: KeyQueue, signals: AbortSignal[]): Promise<Release> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(deadline)
        for (const signal of signals) signal.removeEventListener('abort', leave)
        remove(key, queue, task)
      }
      const begin = () => {
        stopWaiting()
        resolve(start(key, queue))
      }
      const refuse = (reason: unknown) => {
        stopWaiting()
        forgetIfUnused(key, queue)
        reject(reason)
      }
      const leave = ({ target }: Event) => refuse((target as AbortSignal).reason)
      const task: WaitingTask = { begin, refuse }
      const waitMs = isContinuing() ? Math.max(options.waitMs, CONTINUED_WAIT_MS) : options.waitMs
      const deadline = setTimeout(() => refuse(tooMany('UNAVAILABLE')), waitMs)
      for (const signal of signals) signal.addEventListener('abort', leave, { once: true })
      keys.set(key, queue)
      queue.waiting.add(task)
      waiting++
      if (queue.running < permitsPerKey) ready.add(key)
    })
  }

  function start(key: string, queue: KeyQueue): Release {
    keys.set(key, queue)
    running++
    queue.running++
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      running--
      queue.running--
      if (queue.waiting.size > 0) ready.add(key)
      else forgetIfUnused(key, queue)
      startNext()
    }
  }

  function startNext(): void {
    const [key] = ready
    if (key === undefined || running >= permits) return
    const queue = keys.get(key)!
    const [next] = queue.waiting
    next!.begin()
    // After all other waiting keys.
    ready.delete(key)
    if (queue.waiting.size > 0 && queue.running < permitsPerKey) ready.add(key)
  }

  function remove(key: string, queue: KeyQueue, task: WaitingTask): void {
    queue.waiting.delete(task)
    waiting--
    if (queue.waiting.size === 0) ready.delete(key)
  }

  function forgetIfUnused(key: string, queue: KeyQueue): void {
    if (queue.running === 0 && queue.waiting.size === 0) keys.delete(key)
  }

  const tooMany = (code: 'RATE_LIMITED' | 'UNAVAILABLE') =>
    new Busy(code, `Too many ${options.name} are running: try again in a moment`, options.retryAfterS)

  return {
    tryAcquire,
    /** For work that outlives a function, such as a response still being sent. */
    acquire,
    run: async <T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
      const release = await acquire(key, signal)
      try {
        return await task()
      } finally {
        release()
      }
    },
    waitingOf: (key: string): number => keys.get(key)?.waiting.size ?? 0,
    size: () => ({ running, waiting, keys: keys.size }),
  }
}
