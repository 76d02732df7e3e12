import type { Connection } from './connection.ts'
import { openDatabase, POOLS, type Pool } from './database.ts'
import { flushNotifications } from './transaction.ts'

export type Pools = Record<keyof typeof POOLS, Pool>

/** A connection still busy this long after all work has finished has lost its server. */
const END_TIMEOUT_S = 2

type PoolName = keyof typeof POOLS

/** Of each pool's connections, where PostgreSQL has too few for all processes. */
const settingsFor = (name: PoolName, share: number) => {
  const { connections, connectionsPerOrg, ...settings } = POOLS[name]
  return {
    ...settings,
    connections: Math.max(1, Math.floor(connections * share)),
    connectionsPerOrg: Math.max(1, Math.floor(connectionsPerOrg * share)),
  }
}

export const countConnections = (share = 1): number =>
  (Object.keys(POOLS) as PoolName[]).reduce((sum, name) => sum + settingsFor(name, share).connections, 0)

export const applicationName = (processId: string): string => `atrium ${processId}`

/** Connections open on demand. */
export const openPools = (connection: Connection, name: string, share = 1): Pools => ({
  requests: openDatabase(connection, name, settingsFor('requests', share)),
  heavy: openDatabase(connection, name, settingsFor('heavy', share)),
  access: openDatabase(connection, name, settingsFor('access', share)),
  background: openDatabase(connection, name, settingsFor('background', share)),
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
