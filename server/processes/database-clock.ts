import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Sql } from '../database/database.ts'

const MEASURE_MS = 5000
/** A worker whose clock is off by more than this runs nothing. */
export const CLOCK_OFFSET_MS_MAX = 5000

/**
 * The time of the database, which all processes share: leases, due times and expiries are judged by it. Between two
 * measurements it advances with the monotonic clock, so that setting the clock of this machine has no effect.
 */
export interface DatabaseClock {
  now: () => Date
  /** How far the clock of this machine is ahead of the database; negative if it is behind. */
  offsetMs: () => number
  /**
   * Whether this process may claim work. Other servers and libraries judge by the clock of this machine, such as
   * signatures, certificates and cron.
   */
  isRight: () => boolean
  /** Calls back when the clock becomes wrong or right. Returns a function that ends the subscription. */
  onChange: (listener: (isRight: boolean) => void) => () => void
}

interface ClockOptions {
  sql: Sql
  log: Logger
  /** The clock of this machine, in milliseconds. */
  systemTime?: () => number
  measureMs?: number
}

export async function startDatabaseClock({
  sql,
  log,
  systemTime = Date.now,
  measureMs = MEASURE_MS,
}: ClockOptions) {
  const listeners = new Set<(isRight: boolean) => void>()
  /** The time of the database when the monotonic clock was 0. */
  let base = systemTime() - performance.now()
  let wasRight = true
  /** Whether the database has told its time: until then, the clock of this machine may be off by any time. */
  let isMeasured = false
  let isStopped = false

  const time = () => base + performance.now()
  const offsetMs = () => Math.round(systemTime() - time())

  /** Compares now and not only when measuring: a machine that slept, or whose clock was set, must not claim before. */
  function isRight(): boolean {
    if (!isMeasured) return false
    const offset = offsetMs()
    const right = Math.abs(offset) <= CLOCK_OFFSET_MS_MAX
    if (right !== wasRight) {
      wasRight = right
      if (right) log.info('the clock agrees with that of the database again: this process runs jobs')
      else
        log.error(
          { offsetMs: offset },
          `${clockProblem(offset)}: this process runs no jobs until its machine is synchronized (NTP)`,
        )
      for (const listener of listeners) listener(right)
    }
    return right
  }

  /**
   * Moves only as far as the answer proves, so that the time does not jump with every measurement, and a slow answer moves
   * it less.
   */
  async function measure(): Promise<void> {
    const sentAt = performance.now()
    const [row] = await sql<{ ms: number }[]>`
      select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
    const receivedAt = performance.now()
    if (isStopped) return
    base = Math.min(Math.max(base, row!.ms - receivedAt), row!.ms - sentAt)
    const isFirst = !isMeasured
    isMeasured = true
    if (isRight() && isFirst) for (const listener of listeners) listener(true)
  }

  const tryMeasuring = () =>
    measure().catch((err: unknown) => log.debug({ err }, 'could not read the time of the database'))
  await tryMeasuring()
  const timer = setInterval(() => void tryMeasuring(), measureMs)
  timer.unref()

  return {
    now: () => new Date(time()),
    offsetMs,
    isRight,
    onChange: (listener: (isRight: boolean) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: () => {
      isStopped = true
      clearInterval(timer)
    },
  }
}

/** For a log line and the health page. */
export const clockProblem = (offsetMs: number) =>
  `the clock is ${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} that of the database`

/** A clock that tests set: it is always right. */
export const fixedClock = (now: () => Date): DatabaseClock & { stop: () => void } => ({
  now,
  offsetMs: () => 0,
  isRight: () => true,
  onChange: () => () => {},
  stop: () => {},
})
