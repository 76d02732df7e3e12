import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../errors.ts'
import type { Session } from './session.ts'

// "Atrium" in ASCII. The lock ends with its connection, so a killed owner never blocks the next one.
const OWNER_LOCK = 0x41747269756d

// PostgreSQL cuts the name of a session after 63 bytes.
const HOST_CHARACTERS = 20
const RETRY_MS = 50
// PostgreSQL detects the closed connection of a killed owner with a short delay.
const LINGER_LIMIT_MS = 2000
// A live owner that lost its connection in a server crash takes the lock again within this time.
const TAKEOVER_DELAY_MS = 400

/** The program whose commands own a folder for a short time. */
export const COMMAND = 'atrium-server'

/** Which process this is, in messages of others. */
export const describeProcess = (): string =>
  `process ${process.pid} on ${hostname().slice(0, HOST_CHARACTERS)}`

/**
 * Makes this session the only owner of the data folder; `held` if another one stays the owner. The name of the session
 * tells others for what purpose.
 */
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

/** Like `takeOwnership`, for a server that another process has started and may still own. */
export async function takeOver(session: Session, purpose: string): Promise<'taken' | 'held'> {
  await sleep(TAKEOVER_DELAY_MS)
  return takeOwnership(session, purpose)
}

interface Owner {
  /** What it does, and which process it is. */
  name: string
  since: string
  /** Whether it is a command, which ends by itself, and not a server. */
  isCommand: boolean
}

/** The owner of the data folder; null if it has just released it. */
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
