import { AsyncLocalStorage } from 'node:async_hooks'
import { Busy } from '../errors.ts'
import type { Release } from './semaphore.ts'

export interface TurnLimits {
  /** A lone key may use all of them. */
  running: number
  /** While other keys are active. */
  runningPerKey: number
  /**
   * Starts per event loop iteration while other keys are active. A handler that refuses its request ends before the
   * next iteration, so `runningPerKey` alone would let all run in one.
   */
  startsPerKey: number
  /** Across all untrusted keys: one client can have any number of networks. */
  untrustedStarts: number
  waitingPerKey: number
  waiting: number
  /** A trusted key counts as active this long after its last request, so a quiet key finds free turns. */
  activeMs: number
  /**
   * A handler running longer is waiting (for a lock, a model, a slow client) and stops counting. Eight that compute
   * this long would have blocked the event loop anyway.
   */
  countedMs: number
  deadlineMs: number
}

/** A key has few database connections, so more than eight handlers mostly wait for each other. */
const LIMITS: TurnLimits = {
  running: 32,
  runningPerKey: 8,
  startsPerKey: 4,
  untrustedStarts: 8,
  waitingPerKey: 500,
  waiting: 4000,
  activeMs: 1000,
  countedMs: 1000,
  deadlineMs: 5000,
}
const SWEEP_MS = 100

/** An organization, its guests, or an anonymous client's network. */
export interface TurnKey {
  name: string
  /** Starts its first handler at once. Anonymous clients don't: one client can have any number of networks. */
  isTrusted: boolean
}

interface Queue {
  key: TurnKey
  running: number
  /** In arrival order. */
  waiting: Set<Waiting>
}

interface Waiting {
  queue: Queue
  arrivedAt: number
  begin: () => void
  refuse: (reason: unknown) => void
}

interface Running {
  queue: Queue
  startedAt: number
}

export type Turns = ReturnType<typeof createTurns>

/**
 * Each waiting key starts one handler before any starts a second. A lone key is limited only by what the process can
 * run.
 */
export function createTurns(options: Partial<TurnLimits> = {}, now: () => number = () => performance.now()) {
  const limits = { ...LIMITS, ...options }
  const queues = new Map<string, Queue>()
  /** Queues with waiting requests, in turn order. */
  const order = new Set<Queue>()
  /** In start order, so a sweep checks only the oldest. */
  const running = new Set<Running>()
  const waiting = new Set<Waiting>()
  let sweep: NodeJS.Timeout | undefined
  let lastKey: string | undefined
  let lastAt = -Infinity
  /** Last request by a key other than `lastKey`. */
  let otherAt = -Infinity
  /** In this event loop iteration, by key. */
  const starts = new Map<string, number>()
  let untrustedStarts = 0

  /** Returns at once if the handler may start now. `signal` is created only if it must wait. */
  function begin(key: TurnKey, signal?: () => AbortSignal): Release | Promise<Release> {
    if (key.isTrusted) arrive(key.name)
    const queue = queues.get(key.name) ?? { key, running: 0, waiting: new Set() }
    if (queue.waiting.size === 0 && mayStart(queue)) return start(queue)
    return wait(queue, signal?.())
  }

  function arrive(name: string): void {
    if (name !== lastKey) {
      otherAt = lastAt
      lastKey = name
    }
    lastAt = now()
  }

  function mayStart(queue: Queue): boolean {
    const { name, isTrusted } = queue.key
    const startsOfKey = starts.get(name) ?? 0
    if (queue.running === 0 && startsOfKey === 0 && isTrusted) return true
    if (running.size >= limits.running) return false
    if (isAlone(queue)) return true
    if (!isTrusted && untrustedStarts >= limits.untrustedStarts) return false
    return queue.running < limits.runningPerKey && startsOfKey < limits.startsPerKey
  }

  function isAlone({ key }: Queue): boolean {
    return queues.size <= 1 && now() - (key.name === lastKey ? otherAt : lastAt) > limits.activeMs
  }

  function start(queue: Queue): Release {
    const { name, isTrusted } = queue.key
    queues.set(name, queue)
    if (starts.size === 0) setImmediate(endIteration)
    starts.set(name, (starts.get(name) ?? 0) + 1)
    if (!isTrusted) untrustedStarts++
    const turn: Running = { queue, startedAt: now() }
    running.add(turn)
    queue.running++
    return () => end(turn)
  }

  function end(turn: Running): void {
    if (!running.delete(turn)) return
    turn.queue.running--
    forgetIfUnused(turn.queue)
    if (waiting.size > 0) startNext()
  }

  function endIteration(): void {
    starts.clear()
    untrustedStarts = 0
    if (waiting.size > 0) startNext()
  }

  function startNext(): void {
    let hasStarted = true
    while (hasStarted && waiting.size > 0) {
      hasStarted = false
      for (const queue of [...order]) {
        if (!mayStart(queue)) continue
        const [next] = queue.waiting
        next!.begin()
        hasStarted = true
        // After all other waiting keys.
        if (order.delete(queue) && queue.waiting.size > 0) order.add(queue)
      }
    }
  }

  async function wait(queue: Queue, signal: AbortSignal | undefined): Promise<Release> {
    signal?.throwIfAborted()
    if (queue.waiting.size >= limits.waitingPerKey) throw tooMany()
    if (waiting.size >= limits.waiting) displaceFor(queue)
    return new Promise((resolve, reject) => {
      const leave = () => task.refuse(signal!.reason)
      const remove = () => {
        signal?.removeEventListener('abort', leave)
        queue.waiting.delete(task)
        waiting.delete(task)
        if (queue.waiting.size === 0) order.delete(queue)
        if (waiting.size === 0) stopSweep()
      }
      const task: Waiting = {
        queue,
        arrivedAt: now(),
        begin: () => {
          remove()
          resolve(start(queue))
        },
        refuse: (reason) => {
          remove()
          forgetIfUnused(queue)
          reject(reason)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      queues.set(queue.key.name, queue)
      queue.waiting.add(task)
      waiting.add(task)
      order.add(queue)
      sweep ??= setInterval(sweepOld, SWEEP_MS).unref()
    })
  }

  /** Refuses the longest queue's last request. Fails if this queue would be as long. */
  function displaceFor(queue: Queue): void {
    const longest = [...order].reduce((one, other) => (other.waiting.size > one.waiting.size ? other : one))
    if (longest.waiting.size <= queue.waiting.size + 1) throw tooMany()
    ;[...longest.waiting].at(-1)!.refuse(tooMany())
  }

  function sweepOld(): void {
    for (const turn of running) {
      if (now() - turn.startedAt < limits.countedMs) break
      end(turn)
    }
    for (const task of waiting) {
      if (now() - task.arrivedAt < limits.deadlineMs) break
      task.refuse(new Busy('UNAVAILABLE', 'The server is busy: try again in a moment', 1))
    }
    if (waiting.size > 0) startNext()
  }

  function stopSweep(): void {
    clearInterval(sweep)
    sweep = undefined
  }

  function forgetIfUnused(queue: Queue): void {
    if (queue.running === 0 && queue.waiting.size === 0) queues.delete(queue.key.name)
  }

  return {
    begin,
    size: () => ({ running: running.size, waiting: waiting.size, keys: queues.size }),
  }
}

const currentTurn = new AsyncLocalStorage<Release>()

export async function inTurn<T>(turn: Release, work: () => Promise<T>): Promise<T> {
  try {
    return await currentTurn.run(turn, work)
  } finally {
    turn()
  }
}

/** Call before waiting for other servers, threads or batches, so other handlers can run. */
export const leaveTurn = (): void => currentTurn.getStore()?.()

const tooMany = () => new Busy('RATE_LIMITED', 'Too many requests are waiting: try again in a moment', 1)
