import { Busy } from '../errors.ts'
import { clientSignal, isContinuing, refuseInTransaction } from './work-scope.ts'

/** How long a call waits at least once it has begun a change, so that it does not stop halfway. */
const CONTINUED_WAIT_MS = 30_000

interface SemaphoreOptions {
  /** The noun for the tasks, as in `Too many exports are running: try again in a moment`. */
  name: string
  /** How many tasks run in parallel. */
  permits: number
  /** How many tasks of one key run in parallel, so that one key never has every permit. Default: `permits`. */
  permitsPerKey?: number
  /** How many tasks of one key wait at most; the next one is refused with RATE_LIMITED. Default: any number. */
  waitingPerKeyMax?: number
  /**
   * How many tasks of all keys wait at most. Beyond this, the last task of the key with the most waiting tasks is
   * refused with UNAVAILABLE, so that keys with many tasks cannot fill the queue. Default: any number.
   */
  waitingMax?: number
  /** How long a task waits at most; then it is refused with UNAVAILABLE. */
  waitMs: number
  /** The `retry-after` of a refusal. */
  retryAfterS?: number
  /**
   * Allows tasks inside a database transaction. Only for tasks that wait for nothing else while they run: a transaction
   * that waits for them then waits for no other transaction.
   */
  isLeaf?: boolean
}

/** Ends the use of a permit. Calling it again has no effect. */
export type Release = () => void

interface WaitingTask {
  begin: () => void
  refuse: (reason: unknown) => void
}

interface KeyQueue {
  running: number
  /** In the order of arrival. */
  waiting: Set<WaitingTask>
}

export type Semaphore = ReturnType<typeof createSemaphore>

/**
 * Runs a limited number of tasks in parallel and takes turns between keys, usually organizations: of the keys that wait and
 * are below their own limit, each starts one task before any of them starts a second one. Tasks of one key start in
 * their order of arrival. Arriving, starting and leaving cost the same however many tasks wait, until the queue is full.
 */
export function createSemaphore(options: SemaphoreOptions) {
  const { permits, permitsPerKey = permits, waitingPerKeyMax = Infinity, waitingMax = Infinity } = options
  const keys = new Map<string, KeyQueue>()
  /** The keys that wait and are below their own limit, in the order of their turns. */
  const ready = new Set<string>()
  let running = 0
  let waiting = 0

  /** Takes a permit if one is free now. */
  function tryAcquire(key: string): Release | undefined {
    if (!options.isLeaf) refuseInTransaction(`one of the ${options.name}`)
    if (running >= permits) return undefined
    const queue = keys.get(key) ?? { running: 0, waiting: new Set() }
    return queue.running < permitsPerKey ? start(key, queue) : undefined
  }

  /**
   * Resolves when a permit is free. Rejects after `waitMs`, with the reason of `signal` if that aborts first, and when
   * the client of the current call has gone.
   */
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

  /** Refuses the last task of the key with the most waiting tasks; fails if this key would have as many. */
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
    // The next turn of the key comes after the turns of all other waiting keys.
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
    /** For work that does not end with a function, such as a response that is still being sent. */
    acquire,
    /** Runs a task with a permit. */
    run: async <T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
      const release = await acquire(key, signal)
      try {
        return await task()
      } finally {
        release()
      }
    },
    waitingOf: (key: string): number => keys.get(key)?.waiting.size ?? 0,
    /** How many tasks run and wait, and how many keys they have. */
    size: () => ({ running, waiting, keys: keys.size }),
  }
}
