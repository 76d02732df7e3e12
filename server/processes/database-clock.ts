import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Sql } from '../database/database.ts'

const MEASURE_MS = 5000
/** Beyond this, a worker runs nothing. */
export const CLOCK_OFFSET_MS_MAX = 5000

/**
 * The database's time, shared by all processes for leases, due times and expiries. Advances with the monotonic clock
 * between measurements, so setting this machine's clock has no effect.
 */
export interface DatabaseClock {
  now: () => Date
  /** This machine's lead over the database. Negative if behind. */
  offsetMs: () => number
  /** False: claim no work. Signatures, certificates and cron depend on this machine's clock. */
  isRight: () => boolean
  onChange: (listener: (isRight: boolean) => void) => () => void
}

interface ClockOptions {
  sql: Sql
  log: Logger
  /** In milliseconds. */
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
  /** Database time when the monotonic clock was 0. */
  let base = systemTime() - performance.now()
  let wasRight = true
  /** Until measured, this machine's clock may be arbitrarily wrong. */
  let isMeasured = false
  let isStopped = false

  const time = () => base + performance.now()
  const offsetMs = () => Math.round(systemTime() - time())

  /** On every call: a machine that slept or had its clock set must not claim before the next measurement. */
  function isRight(): boolean {
    if (!isMeasured) return false
    const offset = offsetMs()
    const right = Math.abs(offset) <= CLOCK_OFFSET_MS_MAX
    if (right !== wasRight) {
      wasRight = right
      if (right) log.info('the clock agrees with the database clock again: this process runs jobs')
      else
        log.error(
          { offsetMs: offset },
          `${clockProblem(offset)}: this process runs no jobs until its machine is synchronized (NTP)`,
        )
      for (const listener of listeners) listener(right)
    }
    return right
  }

  /** Moves only as far as the response proves, so time doesn't jump, and slow responses count less. */
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
    measure().catch((err: unknown) => log.debug({ err }, 'could not read the database time'))
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

export const clockProblem = (offsetMs: number) =>
  `the clock is ${(Math.abs(offsetMs) / 1000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database clock`

/** For tests. */
export const fixedClock = (now: () => Date): DatabaseClock & { stop: () => void } => ({
  now,
  offsetMs: () => 0,
  isRight: () => true,
  onChange: () => () => {},
  stop: () => {},
})
