import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { type Connection, parseConnection } from '../database/connection.ts'
import { isConnectionLost, isDatabaseUnavailable } from '../database/pg-errors.ts'
import { LANES } from './job.ts'

/**
 * One listener per lane, and four shared connections: a query about jobs takes a millisecond, and handlers use other
 * pools.
 */
const CONNECTIONS = Object.keys(LANES).length + 4
const CONNECT_TIMEOUT_MS = 10_000
const END_POLL_MS = 10
/** The job library repeats a statement that failed with this code, with a delay that grows from 50 ms to 7.5 s. */
const RETRIED_CODE = '40001'

/** The connections of the job library, which needs a pool of its driver. They open on demand. */
export function openJobPool(connection: Connection, name: string, log: Logger): Pool {
  const { tls, ...address } = parseConnection(connection)
  const pool = new JobPool({
    ...address,
    ssl: tls && { rejectUnauthorized: tls.isVerified },
    application_name: name,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    Client: JobClient,
  } as PoolConfig)
  // Without listeners, a connection that breaks would end this process. The next query fails, and is repeated.
  const onError = (err: Error) => log.error({ err }, 'a database connection for jobs failed')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Ends a pool after the statements that wait for a connection: an ended pool drops them, and the job library does not
 * wait until the end of a job is stored. A job whose end is lost would be repeated.
 */
export async function endJobPool(pool: Pool): Promise<void> {
  for (let waited = 0; pool.waitingCount > 0 && waited < CONNECT_TIMEOUT_MS; waited += END_POLL_MS)
    await sleep(END_POLL_MS)
  await pool.end()
}

/** The result of statements that the job library sends after the end of a pool: nothing waits for them. */
const NEVER = new Promise<never>(() => {})

type Callback = Parameters<Pool['connect']>[0]

/**
 * The job library does not wait until the end of a job is stored: without a connection, the rejection would end this
 * process. It repeats statements that fail with certain codes, which do not include those of lost connections; all of
 * its statements can be repeated.
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
