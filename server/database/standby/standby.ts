import type { Logger } from 'pino'
import { createSemaphore, type Release } from '../../concurrency/semaphore.ts'
import { inTransactionScope } from '../../concurrency/work-scope.ts'
import type { Config } from '../../config/config.ts'
import { Busy } from '../../errors.ts'
import { openDatabase, type Pool, type Sql } from '../database.ts'
import { applicationNameOf } from '../pools.ts'
import { createCircuit, createWatchdog, isStandbyFailure } from './fallback.ts'
import { catchUp, createPositionReader, readReplay, StandbyBehind, UnsuitableStandby } from './replay.ts'

/** Runs reads outside of the primary. */
export interface StandbyReads {
  /** Resolves with null if the primary has to run them. `key` is the organization. */
  run: <T>(key: string, work: (sql: Sql) => Promise<T>) => Promise<{ value: T } | null>
}

/** `standby`: the standby ran the read. Otherwise, why the primary ran it. */
export const READ_OUTCOMES = ['standby', 'lag', 'failure', 'paused', 'busy', 'write'] as const
export type ReadOutcome = (typeof READ_OUTCOMES)[number]

export type Standby = ReturnType<typeof openStandby>

const CONNECTIONS = 8
/** Less than `CONNECTIONS`, so that one organization never has all of them. */
const CONNECTIONS_PER_ORG = 4
/** Reads of one organization that wait; the next one runs on the primary, which has limits of its own. */
const WAITING_PER_ORG_MAX = 40
/** How long a read waits for a connection before it runs on the primary. */
const WAIT_MS = 2_000
const IDLE_TIMEOUT_S = 60
/** Tests limit the rows that a list reads, so a longer statement means that the standby is busy with other work. */
const STATEMENT_TIMEOUT_MS = 5000
/** The time for a connection, and for the position. The slowest is the first connection, with TLS and a password. */
const RESPONSE_MS = 1000
/** The time for all statements of a read. */
const READ_MS = 10_000
/** How long a standby that failed gets no statement: one that hangs delays one list by a second in this time. */
const PAUSE_MS = 5000
/** A standby that is behind has often caught up shortly after, and waiting for it costs a list 31 ms. The pause doubles, up to `PAUSE_MS`. */
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
 * A streaming standby of the primary that runs reads. A read sees everything that was committed before its request: it
 * runs in a transaction on one connection, which has first confirmed that its server has replayed the position of the
 * primary. If the standby fails in any way, the primary runs the read.
 */
export function openStandby({ url, primary, processId, log, pauseMs = PAUSE_MS }: StandbyOptions) {
  const openPool = () =>
    openDatabase(url, applicationNameOf(processId), {
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

  /** Ends all connections, and with them the statements that wait for a server that hangs. */
  function replacePool(): void {
    const formerPool = pool
    pool = openPool()
    formerPool.end({ timeout: 0 }).catch(() => {})
  }

  /** Resolves as soon as `work` has; `onEnd` is called when its transaction has ended as well. */
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
    /** How far the standby is behind the primary; null if it does not respond in time, or is not a standby. */
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

/** Thrown by a read on the standby that needs to write. */
export class NeedsPrimary extends Error {}

export const markStandbyRead = (sql: Sql): void => void standbyReads.add(sql)

/** Call it before a write in a handler that otherwise reads: a call on the standby then starts again on the primary. */
export function requirePrimary(sql: Sql): void {
  if (standbyReads.has(sql)) throw new NeedsPrimary('This call has to write')
}
