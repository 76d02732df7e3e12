import { openClient } from './client.ts'
import type { Connection } from './connection.ts'
import { createFairPool, type Pool } from './fair-pool.ts'
import { SILENCE, type SilenceSettings, watchSilence } from './silent-session.ts'

export type { Pool } from './fair-pool.ts'
export type { Fragment } from './query.ts'
export type { Sql } from './sql.ts'

interface PoolSettings {
  connections: number
  connectionsPerOrg: number
  /** PostgreSQL cancels a statement after this time. Zero: never. */
  statementTimeoutMs: number
  /** Where statements have no limit: when another session checks that the server still works on one. */
  silence?: SilenceSettings
  /** Null: never. */
  idleTimeoutS: number | null
  /** For a connection. */
  waitMs: number
  /** Short single statements wait for no transaction, so a transaction may wait for them. */
  isLeaf?: boolean
}

/** Transactions wait for handler code, never for a client: one idle this long is a defect. */
const IDLE_IN_TRANSACTION_MS = 10_000

/** One pool per kind of work, so none takes another's connections. */
export const POOLS = {
  requests: {
    connections: 10,
    connectionsPerOrg: 6,
    statementTimeoutMs: 15_000,
    idleTimeoutS: null,
    waitMs: 5_000,
  },
  /** Endpoints the contract declares `heavy`. */
  heavy: {
    connections: 4,
    connectionsPerOrg: 2,
    statementTimeoutMs: 120_000,
    idleTimeoutS: 60,
    waitMs: 60_000,
  },
  /** Access checks and rate limits while a transaction waits. Each is one short statement. */
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
    silence: SILENCE,
    idleTimeoutS: 60,
    waitMs: 120_000,
  },
} as const satisfies Record<string, PoolSettings>

/** For tests and benchmarks. */
export const SINGLE_USER: PoolSettings = {
  connections: 10,
  connectionsPerOrg: 10,
  statementTimeoutMs: 0,
  idleTimeoutS: null,
  waitMs: 120_000,
}

/** Timestamps are read as ISO 8601 text with milliseconds, as in every response, and `bigint` as a number. */
export const openDatabase = (
  connection: Connection,
  name: string,
  settings: PoolSettings = SINGLE_USER,
): Pool =>
  createFairPool({
    ...settings,
    open: async () => {
      const { statementTimeoutMs, silence } = settings
      const client = await openClient(connection, {
        name,
        statementTimeoutMs,
        idleInTransactionMs: statementTimeoutMs === 0 ? 0 : IDLE_IN_TRANSACTION_MS,
      })
      return silence ? watchSilence(client, () => openClient(connection, LOOK), silence) : client
    },
  })

/** Settings of the session that looks after a silent one. */
const LOOK = { name: 'atrium look', statementTimeoutMs: 5000, idleInTransactionMs: 5000 }
