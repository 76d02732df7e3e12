import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError, Pool, type PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { Connection } from '../database/connection.ts'
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

/** The connections of the job library, which cannot use the pool of `server/database`. They open on demand. */
export function openJobPool(connection: Connection, name: string, log: Logger): Pool {
  const pool = new Pool({
    connectionString: connectionString(connection, name),
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // Without listeners, a connection that breaks would end this process. The next query fails, and is repeated.
  const onError = (err: Error) => log.error({ err }, 'a database connection for jobs failed')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  repeatWhenLost(pool)
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

/**
 * The job library does not wait until the end of a job is stored: without a connection, the rejection would end this
 * process. It repeats statements that fail with certain codes, which do not include those of lost connections; all of
 * its statements can be repeated.
 */
function repeatWhenLost(pool: Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<PoolClient>
  pool.connect = ((callback?: unknown) => {
    if (callback) return connect(callback)
    return pool.ending ? NEVER : connect().catch(throwRetryable)
  }) as typeof pool.connect
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const result = query(...args)
      return result instanceof Promise ? result.catch(throwRetryable) : result
    }) as typeof client.query
  })
}

function throwRetryable(error: unknown): never {
  const isLost = !(error instanceof DatabaseError) || isConnectionLost(error) || isDatabaseUnavailable(error)
  throw isLost ? Object.assign(error as Error, { code: RETRIED_CODE }) : error
}

function connectionString(connection: Connection, name: string): string {
  const url = typeof connection === 'string' ? connection : socketUrl(connection)
  // This driver verifies certificates in every mode of TLS, unless it is set to behave as libpq and the other driver.
  const mode = /[?&]sslmode=(require|prefer)\b/.test(url) ? '&uselibpqcompat=true' : ''
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(name)}${mode}`
}

const socketUrl = ({ host, port, user, password, database }: Exclude<Connection, string>) =>
  `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
