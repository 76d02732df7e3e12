import { openClient } from '../../database/client.ts'
import type { Connection } from '../../database/connection.ts'
import { countConnections } from '../../database/pools.ts'
import { StartupError } from '../../errors.ts'
import { countJobConnections } from '../../jobs/job-pool.ts'

/** Of all processes: the owner's lock, checks of silent sessions, backups and administrators. */
const OTHER_CONNECTIONS = 5
const RESERVED_DEFAULT = 3
/** With fewer, requests for one organization could wait for one another. */
const SHARES = [1, 0.9, 0.8, 0.7, 0.6, 0.5]

/** With the one that listens for notifications. */
const connectionsOf = (share: number) => countConnections(share) + countJobConnections(share) + 1

/** A restart starts a process before another one ends. */
const needOf = (processes: number, share: number) =>
  (processes === 1 ? 1 : processes + 1) * connectionsOf(share) + OTHER_CONNECTIONS

export const connectionsMin = (processes: number): number =>
  processes === 1 ? connectionsOf(1) : needOf(processes, SHARES.at(-1)!)

/** For the embedded PostgreSQL. */
export const connectionsFor = (processes: number): number => needOf(processes, 1) + RESERVED_DEFAULT

/** The largest share of its connections that each process may open. Null: too few for this many processes. */
export const findShare = (processes: number, available: number): number | null =>
  SHARES.find((share) => needOf(processes, share) <= available) ?? null

/** Processes on other machines aren't counted. */
export async function requireShare(connection: Connection, processes: number): Promise<number> {
  const { maximum, available } = await readConnections(connection)
  const share = findShare(processes, available)
  if (share !== null) return share
  const needed = connectionsMin(processes) + maximum - available
  throw new StartupError(
    `PostgreSQL’s max_connections is ${maximum}, and ATRIUM_PROCESSES=${processes} needs at least ${needed} ` +
      `(${connectionsFor(processes)} for full speed): raise max_connections, or start fewer processes.`,
  )
}

async function readConnections(connection: Connection): Promise<{ maximum: number; available: number }> {
  const settings = { name: 'atrium start', statementTimeoutMs: 15_000, idleInTransactionMs: 15_000 }
  const client = await openClient(connection, settings)
  try {
    const [row] = await client.run({ name: '', text: READ_CONNECTIONS, types: null, columns: null }, [])
    const { maximum, reserved } = row as { maximum: string; reserved: string }
    return { maximum: Number(maximum), available: Number(maximum) - Number(reserved) }
  } finally {
    client.close()
  }
}

/** PostgreSQL 16 added the second kind. */
const READ_CONNECTIONS = `
  select current_setting('max_connections') as maximum,
    current_setting('superuser_reserved_connections')::int
      + coalesce(current_setting('reserved_connections', true), '0')::int as reserved`
