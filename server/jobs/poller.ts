import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createCoalescedTask } from '../concurrency/coalesced-task.ts'
import type { Fragment, Pool, Sql } from '../database/database.ts'

export interface Polling {
  /** Names the work in log messages, such as `deliveries`. */
  name: string
  pool: Pool
  log: Logger
  /** The time between two polls while there is work. */
  pollMs: number
  /** A NOTIFY on this channel means that work may be due. */
  channel?: string
  /** Returns a row while there is work, now or later. Without any, nothing is polled. Default: there always is. */
  waiting?: (sql: Sql) => Fragment
  /** Does work that is due. True: there may be more. Called once at a time. */
  poll: () => Promise<boolean>
}

export interface Poller {
  /** Polls now, and until no work waits. */
  wake: () => void
  /** Polls at intervals, until no work waits. */
  resume: () => void
  /** Waits for the poll in progress, for a limited time. */
  stop: () => Promise<void>
}

/** After failures, the pause doubles up to this time; a notification ends it. */
const BACKOFF_MS_MAX = 10_000
/** Processes that start together don't poll together: each pause is up to this share shorter or longer. */
const JITTER = 0.1
const STOP_MS_MAX = 10_000
const LOOK_MS = 5000

/**
 * Polls for work until stopped: at once when it is notified, else at intervals, and not at all while no work waits. Then
 * one statement, shared by all pollers of the process, looks for new work every few seconds, in case a notification was lost.
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
    timer = setTimeout(polls.schedule, pause * (1 - JITTER + 2 * JITTER * Math.random()))
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
      // Work that was notified during the look may be missing in its result.
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

/** Asks for all pollers of a pool in one statement which of them have work. */
function createLook(pool: Pool, log: Logger, lookMs: number) {
  const all = new Set<Looking>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const asked = [...all].map((looking) => ({ ...looking, wakesBefore: looking.wakes() }))
    const exists = asked.map(({ query }, n) => pool`${n === 0 ? pool`` : pool`,`} exists (${query(pool)})`)
    try {
      const [row] = await pool<{ found: boolean[] }[]>`select jsonb_build_array(${exists}) as found`
      for (const [n, { onResult, wakesBefore }] of asked.entries()) onResult(row!.found[n]!, wakesBefore)
    } catch (err) {
      // The pollers continue as they are: those with work notice the problem themselves.
      log.debug({ err }, 'could not look for waiting work')
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
