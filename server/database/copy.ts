import type { Readable, Writable } from 'node:stream'
import type { QueryResultRow } from 'pg'
import { from, to } from 'pg-copy-streams'
import { openClient } from './client.ts'
import type { Connection } from './connection.ts'

/** For a transaction over whole tables. */
export interface CopySession {
  query: <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  /** Rows as text. Reads the socket only as fast as the stream is consumed. */
  copyTo: (source: string) => Readable
  /** Finishes when PostgreSQL has accepted the rows. */
  copyFrom: (target: string) => Writable
  /** Aborts when the connection is lost, with the error as reason. */
  lost: AbortSignal
  /** The cause, if a lost connection led to `error`. */
  lossBehind: (error: unknown) => Error | null
  close: () => void
}

/** The session idles while files are copied. Every server reads these formats, whatever the role's defaults. */
const SETTINGS = `
  set idle_session_timeout = 0; set DateStyle = 'ISO'; set IntervalStyle = 'postgres'; set extra_float_digits = 1`

export async function openCopySession(connection: Connection, name: string): Promise<CopySession> {
  const client = await openClient(connection, { name, statementTimeoutMs: 0, idleInTransactionMs: 0 })
  const { pg } = client
  const loss = new AbortController()
  client.onLost = (error) => loss.abort(error)
  await pg.query(SETTINGS)
  // PostgreSQL ends a killed process's session even while it waits for a lock. Not every system can check this.
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
