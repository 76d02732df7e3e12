import type { Readable, Writable } from 'node:stream'
import type { QueryResultRow } from 'pg'
import { from, to } from 'pg-copy-streams'
import { openClient } from './client.ts'
import type { Connection } from './connection.ts'

/** One connection that runs statements and COPY, for a transaction over whole tables. */
export interface CopySession {
  query: <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  /** Rows as text. The socket is read only as fast as the stream is. */
  copyTo: (source: string) => Readable
  /** Finishes when PostgreSQL has accepted the rows. */
  copyFrom: (target: string) => Writable
  /** Aborts when the connection is lost; the reason is the error. */
  lost: AbortSignal
  /** The cause, if `error` is the result of a lost connection. */
  lossBehind: (error: unknown) => Error | null
  close: () => void
}

/**
 * The session is idle while files are copied. The formats are those that every server reads, whatever the role's defaults are.
 */
const SETTINGS = `
  set idle_session_timeout = 0; set DateStyle = 'ISO'; set IntervalStyle = 'postgres'; set extra_float_digits = 1`

export async function openCopySession(connection: Connection, name: string): Promise<CopySession> {
  const client = await openClient(connection, { name, statementTimeoutMs: 0, idleInTransactionMs: 0 })
  const { pg } = client
  const loss = new AbortController()
  client.onLost = (error) => loss.abort(error)
  await pg.query(SETTINGS)
  // PostgreSQL ends the session of a killed process even while it waits for a lock. Not every system can check this.
  await pg.query("set client_connection_check_interval = '2s'").catch(() => {})
  return {
    query: async (text, values) => (await pg.query(text, values)).rows,
    copyTo: (source) => pg.query(to(`copy ${source} to stdout`)),
    copyFrom: (target) => pg.query(from(`copy ${target} from stdin`)),
    lost: loss.signal,
    // PostgreSQL says why it ends a session before the socket closes.
    lossBehind: (error) =>
      (error as { severity?: string }).severity === 'FATAL' ? (error as Error) : (loss.signal.reason ?? null),
    close() {
      client.onLost = () => {}
      client.close()
    },
  }
}
