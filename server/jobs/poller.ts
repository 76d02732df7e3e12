import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createCoalescedTask } from '../concurrency/coalesced-task.ts'
import type { Fragment, Pool, Sql } from '../database/database.ts'

export interface Polling {
  name: string
  pool: Pool
  log: Logger
  pollMs: number
  /** A NOTIFY here means work may be due. */
  channel?: string
  /** One true row while there is work, now or later. Otherwise polling stops. Default: always work. */
  waiting?: (sql: Sql) => Fragment
  /** True: there may be more. Never called concurrently. */
  poll: () => Promise<boolean>
}

export interface Poller {
  /** Polls now and until no work waits. */
  wake: () => void
  /** Polls at intervals until no work waits. */
  resume: () => void
  stop: () => Promise<void>
}

/** Failures double the pause up to this. A notification ends it. */
const BACKOFF_MS_MAX = 10_000
/** Keeps processes that start together from polling together. */
const JITTER = 0.1
const STOP_MS_MAX = 10_000
const LOOK_MS = 5000

/**
 * Polls when notified, otherwise at intervals, and not while no work waits. Then one statement, shared by all pollers,
 * looks every few seconds in case a notification was lost.
 */
export async function startPoller(polling: Polling, lookMs = LOOK_MS): Promise<Poller> {
  const { name, pool, log, pollMs } = polling
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let wakes = 0
  let isWaiting = true
  let isStopped = false

  const polls = createCoalescedTask(
    async () => {
      if (isStopped) return
      clearTimeout(timer)
      const hasMore = await polling.poll()
      failures = 0
      if (hasMore) polls.schedule()
      else scheduleNext()
    },
    (err) => {
      failures++
      scheduleNext()
      log.warn({ err }, `could not poll for ${name}`)
    },
  )

  function scheduleNext(): void {
    clearTimeout(timer)
    if (isStopped || !isWaiting) return
    const pause = Math.max(pollMs, Math.min(pollMs * 2 ** failures, BACKOFF_MS_MAX))
    timer = setTimeout(() => polls.schedule(), pause * (1 - JITTER + 2 * JITTER * Math.random()))
  }

  function resume(): void {
    wakes++
    if (isWaiting) return
    isWaiting = true
    scheduleNext()
  }

  function wake(): void {
    resume()
    polls.schedule()
  }

  const look = polling.waiting && shareLook(pool, log, lookMs)
  const looking = look?.add({
    query: polling.waiting!,
    wakes: () => wakes,
    onResult(hasWork, wakesBefore) {
      if (hasWork && !isWaiting) wake()
      // The result may miss work notified during the look.
      else if (!hasWork && wakes === wakesBefore) {
        isWaiting = false
        clearTimeout(timer)
      }
    },
  })
  const subscription = polling.channel ? await pool.listen(polling.channel, wake, wake) : null
  if (!subscription) wake()

  return {
    wake,
    resume,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      looking?.remove()
      subscription?.unlisten()
      const deadline = new AbortController()
      const late = sleep(STOP_MS_MAX, 'late', { signal: deadline.signal }).catch(() => null)
      const outcome = await Promise.race([polls.untilIdle(), late])
      deadline.abort()
      if (outcome === 'late') log.warn(`a poll for ${name} was still running when the server stopped`)
    },
  }
}

interface Looking {
  query: (sql: Sql) => Fragment
  wakes: () => number
  onResult: (hasWork: boolean, wakesBefore: number) => void
}

const looks = new WeakMap<Pool, ReturnType<typeof createLook>>()

function shareLook(pool: Pool, log: Logger, lookMs: number) {
  const look = looks.get(pool) ?? createLook(pool, log, lookMs)
  looks.set(pool, look)
  return look
}

function createLook(pool: Pool, log: Logger, lookMs: number) {
  const all = new Set<Looking>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const asked = [...all].map((looking) => ({ ...looking, wakesBefore: looking.wakes() }))
    // Not `exists`: PostgreSQL would ignore the query's order, which selects the index.
    const found = asked.map(({ query }, n) => pool`${n === 0 ? pool`` : pool`,`} (${query(pool)})`)
    try {
      const [row] = await pool<{ found: (true | null)[] }[]>`select jsonb_build_array(${found}) as found`
      for (const [n, { onResult, wakesBefore }] of asked.entries())
        onResult(row!.found[n] === true, wakesBefore)
    } catch (err) {
      log.warn({ err }, 'could not look for waiting work')
      for (const { onResult, wakesBefore } of asked) onResult(true, wakesBefore)
    }
    clearTimeout(timer)
    if (all.size > 0) timer = setTimeout(look, lookMs)
  }

  return {
    add(looking: Looking) {
      if (all.size === 0) timer = setTimeout(look, lookMs)
      all.add(looking)
      return {
        remove() {
          all.delete(looking)
          if (all.size === 0) clearTimeout(timer)
        },
      }
    },
  }
}
