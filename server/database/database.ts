import postgres from 'postgres'
import type { Connection } from './connection.ts'
import { arrayTypes } from './driver/array-types.ts'
import { createSocketFactory } from './driver/open-socket.ts'
import { type TlsMode, tlsModeOf } from './driver/open-tls-socket.ts'
import { createFairPool } from './fair-pool.ts'

/** A pool, or inside `inTransaction` the connection of that transaction. */
export type Sql = postgres.Sql<ParsedTypes> | postgres.TransactionSql<ParsedTypes>
export type Pool = postgres.Sql<ParsedTypes>
export type Fragment = postgres.PendingQuery<postgres.Row[]>

type ParsedTypes = { bigint: number; timestamp: string }

interface PoolSettings {
  connections: number
  /** How many connections one organization uses in parallel. */
  connectionsPerOrg: number
  /** PostgreSQL cancels a statement after this time. Zero: never. */
  statementTimeoutMs: number
  /** A connection that is idle this long is closed. Null: never. */
  idleTimeoutS: number | null
  /** How long a statement or transaction waits for a connection. */
  waitMs: number
  /** Runs short single statements, which wait for no transaction: a transaction may therefore wait for them. */
  isLeaf?: boolean
}

/** A transaction waits for the code of a handler, never for a client: a transaction idle this long is a defect. */
const IDLE_IN_TRANSACTION_MS = 10_000

/** An unreachable server may not even refuse a connection, so each attempt has a limit. */
const CONNECT_TIMEOUT_S = 10
/** The longest pause between two attempts to connect, for which queries wait after a failover. */
const RECONNECT_PAUSE_S_MAX = 1

/** A process has one pool per kind of work, so that no kind of work takes the connections of another. */
export const POOLS = {
  requests: {
    connections: 10,
    connectionsPerOrg: 6,
    statementTimeoutMs: 15_000,
    idleTimeoutS: null,
    waitMs: 5_000,
  },
  /** Endpoints that the contract declares `heavy`. */
  heavy: {
    connections: 4,
    connectionsPerOrg: 2,
    statementTimeoutMs: 120_000,
    idleTimeoutS: 60,
    waitMs: 60_000,
  },
  /** Checks while a transaction waits: repeated checks of access, and rate limits. Each is one short statement. */
  access: {
    connections: 2,
    connectionsPerOrg: 2,
    statementTimeoutMs: 15_000,
    idleTimeoutS: 60,
    waitMs: 5_000,
    isLeaf: true,
  },
  /** Migrations, jobs, deliveries and maintenance. */
  background: {
    connections: 6,
    connectionsPerOrg: 4,
    statementTimeoutMs: 0,
    idleTimeoutS: 60,
    waitMs: 120_000,
  },
} as const satisfies Record<string, PoolSettings>

/** For programs with one user, such as tests and benchmarks. */
const SINGLE_USER: PoolSettings = {
  connections: 10,
  connectionsPerOrg: 10,
  statementTimeoutMs: 0,
  idleTimeoutS: null,
  waitMs: 120_000,
}

/** Timestamps are parsed to ISO 8601 text with milliseconds, as every response has them; `bigint` to a number. */
export function openDatabase(
  connection: Connection,
  name: string,
  settings: PoolSettings = SINGLE_USER,
): Pool {
  const types = {
    ...arrayTypes(toIso),
    bigint: { to: 20, from: [20], serialize: String, parse: Number },
    timestamp: {
      to: 1184,
      from: [1184],
      serialize: (value: Date | string) => (typeof value === 'string' ? value : value.toISOString()),
      parse: toIso,
    },
  }
  const options = {
    max: settings.connections,
    ...(settings.idleTimeoutS === null ? {} : { idle_timeout: settings.idleTimeoutS }),
    types,
    fetch_types: false,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: pauseBeforeConnecting,
    onnotice: () => {},
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      statement_timeout: settings.statementTimeoutMs,
      idle_in_transaction_session_timeout: settings.statementTimeoutMs === 0 ? 0 : IDLE_IN_TRANSACTION_MS,
    },
  } as const
  const pool = connect(connection, options)
  const { connections: permits, connectionsPerOrg: permitsPerKey, waitMs, isLeaf } = settings
  return createFairPool(pool, { permits, permitsPerKey, waitMs, ...(isLeaf && { isLeaf }) })
}

/** In seconds. Random, so that the connections of many processes do not all open at the same time. */
const pauseBeforeConnecting = (failures: number): number =>
  (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, RECONNECT_PAUSE_S_MAX)

function connect(
  connection: Connection,
  options: postgres.Options<Record<keyof ParsedTypes, postgres.PostgresType>>,
): Pool {
  const withSocket = (tls: TlsMode | null) => ({ ...options, ssl: false, socket: createSocketFactory(tls) })
  if (typeof connection !== 'string') return postgres({ ...connection, ...withSocket(null) }) as Pool
  const { url, host, tls } = splitUrl(connection)
  return postgres(url, host ? { ...withSocket(tls), host } : withSocket(tls)) as Pool
}

/** Parses `2026-11-15 02:03:44.2+00`. Slicing the text takes a fifth of the time of a `Date`. */
function toIso(text: string): string {
  const end = text.length - '+00'.length
  const milliseconds = end > 19 ? text.slice(20, Math.min(end, 23)).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

/** libpq accepts a socket as `?host=/run/postgresql`; this driver accepts it only as an option. */
function splitUrl(connection: string) {
  const url = new URL(connection)
  const host = url.searchParams.get('host')
  const tls = tlsModeOf(url.searchParams)
  for (const name of ['host', 'ssl', 'sslmode', 'sslrootcert']) url.searchParams.delete(name)
  return { url: url.href, host, tls }
}
