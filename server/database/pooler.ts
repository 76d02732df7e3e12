import type { Logger } from 'pino'
import { StartupError } from '../startup/startup-error.ts'
import type { Connection } from './connection.ts'
import { openDatabase, type Pool } from './database.ts'
import { isConnectionLost } from './pg-errors.ts'

/** Sends a statement without parameters by the simple protocol: poolers may lose prepared statements. */
export type Session = (statement: string) => PromiseLike<readonly { value?: unknown }[]>

const PROBE = {
  connections: 1,
  connectionsPerOrg: 1,
  statementTimeoutMs: 15_000,
  idleTimeoutS: null,
  waitMs: 60_000,
}
const PROBED_TIMEOUT = '15s'

const PROTOCOL_VIOLATION = '08P01'
const END_TIMEOUT_S = 2

/**
 * Refuses a connection pooler that gives each transaction another session of PostgreSQL. With such a pooler,
 * notifications do not arrive, locks are held by another client or forever, and prepared statements are missing.
 */
export async function requireSessions(connection: Connection, log: Logger): Promise<void> {
  const pools = [
    openDatabase(connection, 'pooler probe', PROBE),
    openDatabase(connection, 'pooler probe', PROBE),
  ]
  const [first, second] = pools.map(sessionOf) as [Session, Session]
  try {
    if (await sharesSessions(first, second)) throw new StartupError(TRANSACTION_MODE)
    const [limit] = await first("select current_setting('statement_timeout') as value")
    if (limit?.value !== PROBED_TIMEOUT)
      log.warn(
        'the connection pooler ignores the time limits of statements: set query_timeout and idle_transaction_timeout there',
      )
  } catch (error) {
    throw refusedParameterError(error) ?? error
  } finally {
    await Promise.all(pools.map((pool) => pool.end({ timeout: END_TIMEOUT_S })))
  }
}

export const sessionOf =
  (pool: Pool): Session =>
  (statement) =>
    pool.unsafe<{ value?: unknown }[]>(statement).simple()

/**
 * Whether transactions of two clients use the same session, or those of one client use different ones. A pooler without
 * other clients gives a client its former session again, so a second client begins a transaction: the pooler gives it
 * the session that was returned last, or another one, which changes the next session of the first client.
 */
export async function sharesSessions(first: Session, second: Session): Promise<boolean> {
  const backend = await backendOf(first)
  if ((await backendOf(first)) !== backend || (await refusesTransactions(second))) return true
  try {
    return (await backendOf(second)) === backend || (await backendOf(first)) !== backend
  } finally {
    await second('rollback')
  }
}

/** Begins a transaction. A pooler in statement mode closes the connection instead, and accepts other statements. */
async function refusesTransactions(session: Session): Promise<boolean> {
  try {
    await session('begin')
    return false
  } catch (error) {
    if (!isConnectionLost(error) && (error as { code?: unknown }).code !== PROTOCOL_VIOLATION) throw error
    // The driver reports the refusal once more, to the next statement.
    await backendOf(session).catch(() => backendOf(session))
    return true
  }
}

const backendOf = async (session: Session): Promise<unknown> =>
  (await session('select pg_backend_pid() as value'))[0]?.value

const TRANSACTION_MODE =
  'DATABASE_URL is a connection pooler in transaction or statement mode, which gives each transaction another session of PostgreSQL. ' +
  'Atrium needs a session per connection: for notifications, locks and prepared statements. ' +
  'Set pool_mode = session for this database (PgBouncer), or connect to PostgreSQL directly.'

function refusedParameterError(error: unknown): StartupError | null {
  const { code, message = '' } = error as { code?: string; message?: string }
  const name = /unsupported startup parameter:? "?([\w.]+)/.exec(message)?.[1]
  if (code !== PROTOCOL_VIOLATION || !name) return null
  return new StartupError(
    `The connection pooler at DATABASE_URL refuses the parameter ${name}. Add "ignore_startup_parameters = statement_timeout, ` +
      'idle_in_transaction_session_timeout" to pgbouncer.ini, and limit the time of statements there: query_timeout, idle_transaction_timeout.',
  )
}
