import postgres from 'postgres'
import type { Connection } from './connection.ts'

/** A pool, or inside `inTransaction` the connection of that transaction. */
export type Sql = postgres.Sql<ParsedTypes> | postgres.TransactionSql<ParsedTypes>
export type Pool = postgres.Sql<ParsedTypes>
export type Fragment = postgres.PendingQuery<postgres.Row[]>

type ParsedTypes = { bigint: number; timestamp: string }

const POOL_SIZE = 10

interface PoolOptions {
  max?: number
  /** Closes connections that were unused this long. */
  idleSeconds?: number
}

/** Timestamps are parsed to ISO 8601 text with milliseconds, as every response has them; `bigint` to a number. */
export function openDatabase(
  connection: Connection,
  name: string,
  { max = POOL_SIZE, idleSeconds }: PoolOptions = {},
): Pool {
  const types = {
    bigint: { to: 20, from: [20], serialize: String, parse: Number },
    timestamp: {
      to: 1184,
      from: [1184],
      serialize: (value: Date | string) => (typeof value === 'string' ? value : value.toISOString()),
      parse: toIso,
    },
  }
  const options = {
    max,
    ...(idleSeconds && { idle_timeout: idleSeconds }),
    types,
    onnotice: () => {},
    connection: { application_name: name, TimeZone: 'UTC' },
  } as const
  if (typeof connection !== 'string') return postgres({ ...connection, ...options })
  const { url, host } = splitSocket(connection)
  return postgres(url, host ? { ...options, host } : options)
}

/** Parses `2026-11-15 02:03:44.2+00`. Slicing the text takes a fifth of the time of a `Date`. */
function toIso(text: string): string {
  const end = text.length - '+00'.length
  const milliseconds = end > 19 ? text.slice(20, Math.min(end, 23)).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

/** libpq accepts a socket as `?host=/run/postgresql`; this driver accepts it only as an option. */
function splitSocket(connection: string) {
  const url = new URL(connection)
  const host = url.searchParams.get('host')
  url.searchParams.delete('host')
  return { url: url.href, host }
}
