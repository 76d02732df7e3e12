import { openClient } from './client.ts'
import type { Connection } from './connection.ts'
import { createFairPool, type Pool } from './fair-pool.ts'

export type { Pool } from './fair-pool.ts'
export type { Fragment } from './query.ts'
export type { Sql } from './sql.ts'

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
export const SINGLE_USER: PoolSettings = {
  connections: 10,
  connectionsPerOrg: 10,
  statementTimeoutMs: 0,
  idleTimeoutS: null,
  waitMs: 120_000,
}

/** Timestamps are read as ISO 8601 texts with milliseconds, as every response has them, and `bigint` as a number. */
export const openDatabase = (
  connection: Connection,
  name: string,
  settings: PoolSettings = SINGLE_USER,
): Pool =>
  createFairPool({
    ...settings,
    open: () =>
      openClient(connection, {
        name,
        statementTimeoutMs: settings.statementTimeoutMs,
        idleInTransactionMs: settings.statementTimeoutMs === 0 ? 0 : IDLE_IN_TRANSACTION_MS,
      }),
  })
