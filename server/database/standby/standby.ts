import type { Logger } from 'pino'
import { createSemaphore, type Release } from '../../concurrency/semaphore.ts'
import { inTransactionScope } from '../../concurrency/work-scope.ts'
import type { Config } from '../../config/config.ts'
import { Busy } from '../../errors.ts'
import { openDatabase, type Pool, type Sql } from '../database.ts'
import { applicationName } from '../pools.ts'
import { createCircuit, createWatchdog, isStandbyFailure } from './fallback.ts'
import { catchUp, createPositionReader, readReplay, StandbyBehind, UnsuitableStandby } from './replay.ts'

export interface StandbyReads {
  /** Resolves with null if the primary must run them. `key` is the organization. */
  run: <T>(key: string, work: (sql: Sql) => Promise<T>) => Promise<{ value: T } | null>
}

/** Values other than `standby` say why the primary ran the read. */
export const READ_OUTCOMES = ['standby', 'lag', 'failure', 'paused', 'busy', 'write'] as const
export type ReadOutcome = (typeof READ_OUTCOMES)[number]

export type Standby = ReturnType<typeof openStandby>

const CONNECTIONS = 8
/** Less than `CONNECTIONS`, so one organization never has them all. */
const CONNECTIONS_PER_ORG = 4
/** Per organization. The next read runs on the primary, which has its own limits. */
const WAITING_PER_ORG_MAX = 40
/** For a connection, before the read runs on the primary. */
const WAIT_MS = 2_000
const IDLE_TIMEOUT_S = 60
/** Tests limit the rows a list reads, so a longer statement means the standby is busy otherwise. */
const STATEMENT_TIMEOUT_MS = 5000
/** Time for a connection, and for the position. The first connection, with TLS and a password, is slowest. */
const RESPONSE_MS = 1000
/** Time for all statements in a read. */
const READ_MS = 10_000
/** A hanging standby delays one list by a second in this time. */
const PAUSE_MS = 5000
/** A lagging standby often catches up quickly, and waiting costs a list 31 ms. Doubles up to `PAUSE_MS`. */
const LAG_PAUSE_MS = 250
const END_TIMEOUT_S = 2

class PrimaryFailed extends Error {}

interface StandbyOptions {
  url: string
  primary: Pool
  processId: string
  log: Logger
  pauseMs?: number
}

/** Null without DATABASE_READ_URL. */
export const openConfiguredStandby = (
  { databaseReadUrl: url }: Pick<Config, 'databaseReadUrl'>,
  options: Omit<StandbyOptions, 'url'>,
): Standby | null => (url ? openStandby({ url, ...options }) : null)

/**
 * A read sees everything committed before its request: its transaction's connection first confirms that the server has
 * replayed the primary's position. If the standby fails in any way, the primary runs the read.
 */
export function openStandby({ url, primary, processId, log, pauseMs = PAUSE_MS }: StandbyOptions) {
  const openPool = () =>
    openDatabase(url, applicationName(processId), {
      connections: CONNECTIONS,
      connectionsPerOrg: CONNECTIONS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      idleTimeoutS: IDLE_TIMEOUT_S,
      waitMs: WAIT_MS,
    })
  const semaphore = createSemaphore({
    name: 'reads',
    permits: CONNECTIONS,
    permitsPerKey: CONNECTIONS_PER_ORG,
    waitMs: WAIT_MS,
  })
  const circuit = createCircuit(pauseMs)
  const positionOf = createPositionReader(primary)
  const counts = Object.fromEntries(READ_OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    ReadOutcome,
    number
  >
  let pool = openPool()

  const onPrimary = (reason: Exclude<ReadOutcome, 'standby'>): null => {
    counts[reason]++
    return null
  }

  function fail(reason: 'lag' | 'failure', err: unknown): null {
    const isNew = reason === 'lag' ? circuit.fail(LAG_PAUSE_MS) : circuit.fail()
    if (isNew) log.warn({ err }, 'the standby cannot run lists, the primary runs them')
    return onPrimary(reason)
  }

  /** Also ends statements waiting for a hanging server. */
  function replacePool(): void {
    const formerPool = pool
    pool = openPool()
    formerPool.end({ timeout: 0 }).catch(() => {})
  }

  /** Resolves as soon as `work` has. `onEnd` runs once its transaction has ended too. */
  function attempt<T>(work: (sql: Sql) => Promise<T>, onEnd: () => void): Promise<T> {
    // Runs while the transaction begins.
    const position = positionOf().catch((cause: unknown) => {
      throw new PrimaryFailed('The primary did not report its position', { cause })
    })
    position.catch(() => {})
    const usedPool = pool
    const watchdog = createWatchdog(() => usedPool === pool && replacePool())
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    watchdog.start(RESPONSE_MS)
    usedPool
      .begin(async (sql) => {
        watchdog.stop()
        const primaryPosition = await position
        watchdog.start(RESPONSE_MS)
        await catchUp(sql, primaryPosition)
        if (circuit.succeed()) log.info('the standby runs lists again')
        watchdog.start(READ_MS)
        markStandbyRead(sql)
        resolve(await inTransactionScope(() => work(sql)))
      })
      .catch(reject)
      .finally(() => {
        watchdog.stop()
        onEnd()
      })
    return promise
  }

  async function run<T>(key: string, work: (sql: Sql) => Promise<T>): Promise<{ value: T } | null> {
    if (circuit.isPaused()) return onPrimary('paused')
    if (semaphore.waitingOf(key) >= WAITING_PER_ORG_MAX) return onPrimary('busy')
    const release = await semaphore.acquire(key).catch(unlessRefused)
    if (!release) return onPrimary('busy')
    if (!circuit.tryPass()) {
      release()
      return onPrimary('paused')
    }
    try {
      const value = await attempt(work, release)
      counts.standby++
      return { value }
    } catch (error) {
      if (error instanceof NeedsPrimary) return onPrimary('write')
      // The primary reports its own failure to the caller.
      if (error instanceof PrimaryFailed) return onPrimary('failure')
      if (error instanceof StandbyBehind) return fail('lag', error)
      if (error instanceof UnsuitableStandby || isStandbyFailure(error)) return fail('failure', error)
      counts.standby++
      throw error
    }
  }

  return {
    run,
    counts: (): Readonly<Record<ReadOutcome, number>> => counts,
    /** Null if the standby doesn't respond in time, or isn't one. */
    async lag(): Promise<{ bytes: number; seconds: number } | null> {
      const late = Promise.withResolvers<null>()
      const timer = setTimeout(() => late.resolve(null), RESPONSE_MS)
      const read = positionOf().then((position) => readReplay(pool, position))
      try {
        const replay = await Promise.race([read.catch(() => null), late.promise])
        if (!replay?.isInRecovery) return null
        const { lagBytes, lagSeconds } = replay
        return { bytes: lagBytes, seconds: lagBytes === 0 ? 0 : (lagSeconds ?? 0) }
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => pool.end({ timeout: END_TIMEOUT_S }),
  } satisfies StandbyReads & Record<string, unknown>
}

/** Null for a read that waited too long. */
function unlessRefused(error: unknown): Release | null {
  if (error instanceof Busy && error.code === 'UNAVAILABLE') return null
  throw error
}

const standbyReads = new WeakSet<Sql>()

/** Thrown by a standby read that needs to write. */
export class NeedsPrimary extends Error {}

export const markStandbyRead = (sql: Sql): void => void standbyReads.add(sql)

/** Call before a write in a handler that otherwise reads: on the standby, the call restarts on the primary. */
export function requirePrimary(sql: Sql): void {
  if (standbyReads.has(sql)) throw new NeedsPrimary('This call has to write')
}
