import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../startup/startup-error.ts'
import type { Session } from './session.ts'

// "Atrium" in ASCII. The lock ends with its connection, so a killed owner never blocks the next one.
const OWNER_LOCK = 0x41747269756d

const RETRY_MS = 50
// PostgreSQL detects the closed connection of a killed owner with a short delay.
const LINGER_LIMIT_MS = 2000
// A live owner that lost its connection in a server crash takes the lock again within this time.
const TAKEOVER_DELAY_MS = 400

/** Makes this session the only owner of the data folder; `held` if another one stays the owner. */
export async function takeOwnership(session: Session): Promise<'taken' | 'held'> {
  const giveUpAt = Date.now() + LINGER_LIMIT_MS
  while (!(await tryOwnership(session))) {
    if (Date.now() > giveUpAt) return 'held'
    await sleep(RETRY_MS)
  }
  return 'taken'
}

/** Like `takeOwnership`, for a server that another process has started and may still own. */
export async function takeOver(session: Session): Promise<'taken' | 'held'> {
  await sleep(TAKEOVER_DELAY_MS)
  return takeOwnership(session)
}

export function anotherOwnerError(dataFolder: string): StartupError {
  return new StartupError(
    `Another Atrium is already running on ${dataFolder}. Stop it first, or set ATRIUM_DATA to another folder.`,
  )
}

async function tryOwnership({ sql }: Session): Promise<boolean> {
  const [row] = await sql`select pg_try_advisory_lock(${OWNER_LOCK}) as taken`
  return row?.taken
}
