import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../errors.ts'
import type { Session } from './session.ts'

// "Atrium" in ASCII. The lock ends with its connection, so a killed owner never blocks the next.
const OWNER_LOCK = 0x41747269756d

// PostgreSQL cuts session names after 63 bytes.
const HOST_CHARACTERS = 20
const RETRY_MS = 50
// PostgreSQL detects a killed owner's closed connection with a short delay.
const LINGER_LIMIT_MS = 2000
// Within this time, a live owner that lost its connection in a server crash retakes the lock.
const TAKEOVER_DELAY_MS = 400

/** Commands in this program own a folder briefly. */
export const COMMAND = 'atrium-server'

/** For other processes' messages. */
export const describeProcess = (): string =>
  `process ${process.pid} on ${hostname().slice(0, HOST_CHARACTERS)}`

/** `held` if another session keeps ownership. The session's name tells others the purpose. */
export async function takeOwnership(session: Session, purpose: string): Promise<'taken' | 'held'> {
  const giveUpAt = Date.now() + LINGER_LIMIT_MS
  while (!(await tryOwnership(session))) {
    if (Date.now() > giveUpAt) return 'held'
    await sleep(RETRY_MS)
  }
  const name = `${purpose} (${describeProcess()})`
  await session.sql`select set_config('application_name', ${name}::text, false)`
  return 'taken'
}

/** Like `takeOwnership`, for a server another process started and may still own. */
export async function takeOver(session: Session, purpose: string): Promise<'taken' | 'held'> {
  await sleep(TAKEOVER_DELAY_MS)
  return takeOwnership(session, purpose)
}

interface Owner {
  /** What it does, and which process it is. */
  name: string
  since: string
  /** A command, which ends by itself, rather than a server. */
  isCommand: boolean
}

/** Null if just released. */
export async function findOwner({ sql }: Session): Promise<Owner | null> {
  const [row] = await sql`
    select application_name as name, to_char(backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI UTC') as since
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = ${OWNER_LOCK}`
  if (!row) return null
  return { name: row.name, since: row.since, isCommand: row.name.startsWith(`${COMMAND} `) }
}

export function anotherOwnerError(dataFolder: string, owner?: Owner | null): StartupError {
  const detail = owner?.name ? `: ${owner.name}, since ${owner.since}` : ''
  return new StartupError(
    `Another Atrium is already running on ${dataFolder}${detail}. Stop it first, or set ATRIUM_DATA to another folder.`,
  )
}

async function tryOwnership({ sql }: Session): Promise<boolean> {
  const [row] = await sql`select pg_try_advisory_lock(${OWNER_LOCK}) as taken`
  return row?.taken
}
