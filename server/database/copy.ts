import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { Client, type QueryResultRow } from 'pg'
import { from, to } from 'pg-copy-streams'
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
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
/** A lost network is noticed even while no statement runs. */
const KEEP_ALIVE_MS = 30_000
const END_TIMEOUT_MS = 1000

/**
 * No time limits: tables take as long as they take, and the session is idle while files are copied. The formats are
 * those that every server reads, whatever the role's defaults are.
 */
const SETTINGS = `
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set idle_session_timeout = 0;
  set TimeZone = 'UTC'; set DateStyle = 'ISO'; set IntervalStyle = 'postgres'; set extra_float_digits = 1`

export async function openCopySession(connection: Connection, name: string): Promise<CopySession> {
  const socket = new Socket()
  const client = createClient(connection, name, socket)
  const loss = new AbortController()
  let isClosing = false
  const onLost = (error: Error) => {
    if (!isClosing) loss.abort(error)
  }
  client.on('error', onLost)
  client.on('end', () => onLost(new Error('Connection terminated')))
  await client.connect()
  await client.query(SETTINGS)
  // PostgreSQL ends the session of a killed process even while it waits for a lock. Not every system can check this.
  await client.query("set client_connection_check_interval = '2s'").catch(() => {})
  return {
    query: async (text, values) => (await client.query(text, values)).rows,
    copyTo: (source) => client.query(to(`copy ${source} to stdout`)),
    copyFrom: (target) => client.query(from(`copy ${target} from stdin`)),
    lost: loss.signal,
    // PostgreSQL says why it ends a session before the socket closes.
    lossBehind: (error) =>
      (error as { severity?: string }).severity === 'FATAL' ? (error as Error) : (loss.signal.reason ?? null),
    async close() {
      isClosing = true
      const timer = setTimeout(() => socket.destroy(), END_TIMEOUT_MS)
      await client.end().catch(() => {})
      clearTimeout(timer)
      socket.destroy()
    },
  }
}

/** A client that is not connected yet. */
export const createClient = (connection: Connection, name: string, socket = new Socket()): Client =>
  new Client({
    ...(typeof connection === 'string' ? { connectionString: withTlsModes(connection) } : connection),
    application_name: name,
    stream: () => socket,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })

/** In these modes libpq does not verify the certificate; this driver does, unless it is told to behave like libpq. */
const withTlsModes = (url: string): string =>
  /[?&]sslmode=(require|prefer)\b/.test(url) ? `${url}&uselibpqcompat=true` : url
