import { StartupError } from '../errors.ts'
import { type DatabaseClient, openClient } from './client.ts'
import type { Connection } from './connection.ts'
import { isConnectionLost } from './pg-errors.ts'

/** Uses the simple protocol without parameters: poolers may lose prepared statements. */
export type Session = (statement: string) => Promise<readonly { value?: unknown }[]>

const SETTINGS = { name: 'pooler probe', statementTimeoutMs: 15_000, idleInTransactionMs: 15_000 }
const PROTOCOL_VIOLATION = '08P01'

/**
 * Refuses a pooler that gives each transaction another session. With one, notifications don't arrive, locks are held by
 * another client or forever, and prepared statements are missing.
 */
export async function requireSessions(connection: Connection): Promise<void> {
  const probes = [createProbe(connection), createProbe(connection)] as const
  try {
    if (await sharesSessions(probes[0].session, probes[1].session)) throw new StartupError(TRANSACTION_MODE)
  } finally {
    for (const { close } of probes) close()
  }
}

/** Reconnects after its connection was closed. */
export function createProbe(connection: Connection): { session: Session; close: () => void } {
  let client: DatabaseClient | null = null
  return {
    async session(text) {
      if (client === null || client.lossError() !== null) client = await openClient(connection, SETTINGS)
      return client.run({ name: '', text, types: null, columns: null }, [])
    },
    close: () => client?.close(),
  }
}

/**
 * True if two clients' transactions share a session, or one client's use different ones. A pooler without other clients
 * returns a client's former session, so a second client begins a transaction: it gets the session returned last, or
 * another, which changes the first client's next session.
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

/** In statement mode, a pooler closes the connection on `begin` but accepts other statements. */
async function refusesTransactions(session: Session): Promise<boolean> {
  try {
    await session('begin')
    return false
  } catch (error) {
    if (!isConnectionLost(error) && (error as { code?: unknown }).code !== PROTOCOL_VIOLATION) throw error
    return true
  }
}

const backendOf = async (session: Session): Promise<unknown> =>
  (await session('select pg_backend_pid() as value'))[0]?.value

const TRANSACTION_MODE =
  'DATABASE_URL is a connection pooler in transaction or statement mode, which gives each transaction a different PostgreSQL session. ' +
  'Atrium needs one session per connection for notifications, locks and prepared statements. ' +
  'Set pool_mode = session for this database (PgBouncer), or connect to PostgreSQL directly.'
