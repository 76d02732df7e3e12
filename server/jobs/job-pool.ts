import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { type Connection, parseConnection } from '../database/connection.ts'
import { isConnectionLost, isDatabaseUnavailable } from '../database/pg-errors.ts'
import { LANES } from './job.ts'

/** For all lanes: a job query takes a millisecond, and handlers use other pools. */
const SHARED_CONNECTIONS = 4
/** With one listener per lane. */
export const countJobConnections = (share = 1): number =>
  Object.keys(LANES).length + Math.ceil(SHARED_CONNECTIONS * share)
const CONNECT_TIMEOUT_MS = 10_000
const END_POLL_MS = 10
/** The job library retries this code with delays from 50 ms to 7.5 s. */
const RETRIED_CODE = '40001'

/** The job library needs its own driver's pool. */
export function openJobPool(connection: Connection, name: string, log: Logger, share = 1): Pool {
  const { tls, ...address } = parseConnection(connection)
  const pool = new JobPool({
    ...address,
    ssl: tls && { rejectUnauthorized: tls.isVerified },
    application_name: name,
    max: countJobConnections(share),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    Client: JobClient,
  } as PoolConfig)
  // Otherwise a broken connection would end this process. The next query fails and is retried.
  const onError = (err: Error) => log.error({ err }, 'a database connection for jobs failed')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * An ended pool drops waiting statements, and the job library doesn't wait until a job's end is stored, so the job
 * would repeat.
 */
export async function endJobPool(pool: Pool): Promise<void> {
  for (let waited = 0; pool.waitingCount > 0 && waited < CONNECT_TIMEOUT_MS; waited += END_POLL_MS)
    await sleep(END_POLL_MS)
  await pool.end()
}

/** Nothing waits for statements sent after the pool ended. */
const NEVER = new Promise<never>(() => {})

type Callback = Parameters<Pool['connect']>[0]

/**
 * The job library doesn't wait until a job's end is stored, so without a connection the rejection would end this
 * process. It doesn't retry lost connections, but all its statements can be repeated.
 */
class JobPool extends Pool {
  override connect(): Promise<PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): unknown {
    if (callback) return super.connect(callback)
    return this.ending ? NEVER : super.connect().catch(throwRetryable)
  }
}

class JobClient extends Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's method has many signatures
  override query(...args: any[]): any {
    const result: unknown = super.query(...(args as [string]))
    return result instanceof Promise ? result.catch(throwRetryable) : result
  }
}

function throwRetryable(error: unknown): never {
  const isLost = !(error instanceof DatabaseError) || isConnectionLost(error) || isDatabaseUnavailable(error)
  throw isLost ? Object.assign(error as Error, { code: RETRIED_CODE }) : error
}
