import type { Connection } from './connection.ts'
import { openDatabase, POOLS, type Pool } from './database.ts'
import { flushNotifications } from './transaction.ts'

export type Pools = Record<keyof typeof POOLS, Pool>

/** A connection still busy this long after all work has finished has lost its server. */
const END_TIMEOUT_S = 2

export const CONNECTIONS_MAX = Object.values(POOLS).reduce((sum, { connections }) => sum + connections, 0)

export const applicationName = (processId: string): string => `atrium ${processId}`

/** Connections open on demand. */
export const openPools = (connection: Connection, name: string): Pools => ({
  requests: openDatabase(connection, name, POOLS.requests),
  heavy: openDatabase(connection, name, POOLS.heavy),
  access: openDatabase(connection, name, POOLS.access),
  background: openDatabase(connection, name, POOLS.background),
})

/** Sends pending notifications first. */
export async function closePools(pools: Pools): Promise<void> {
  await Promise.all(
    Object.values(pools).map(async (pool) => {
      await flushNotifications(pool)
      await pool.end({ timeout: END_TIMEOUT_S })
    }),
  )
}
