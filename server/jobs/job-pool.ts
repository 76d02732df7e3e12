import { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Connection } from '../database/connection.ts'
import { LANES } from './job.ts'

/** One listener per lane, and four that the lanes share: a query about jobs takes a millisecond, and a handler holds none. */
const CONNECTIONS = Object.keys(LANES).length + 4

/** The connections of the job library, which has no use for those of `server/database`. They open on demand. */
export function openJobPool(connection: Connection, name: string, log: Logger): Pool {
  const pool = new Pool({ connectionString: connectionString(connection, name), max: CONNECTIONS })
  // Without listeners, a connection that breaks would end this process. The next query fails, and is repeated.
  const onError = (err: Error) => log.error({ err }, 'a database connection for jobs failed')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

function connectionString(connection: Connection, name: string): string {
  const url = typeof connection === 'string' ? connection : socketUrl(connection)
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(name)}`
}

const socketUrl = ({ host, port, user, password, database }: Exclude<Connection, string>) =>
  `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
