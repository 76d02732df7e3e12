import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../startup/startup-error.ts'
import type { Session } from './session.ts'

// "Atrium" in ASCII. The lock lives as long as its connection, so that a killed owner never blocks the next one.
const OWNER_LOCK = 0x41747269756d

const RETRY_MS = 50
// The connection of an owner that was just killed is noticed a moment later.
const LINGER_LIMIT_MS = 2000
// A live owner may have lost its connection in a crash of the server, and is about to take the lock anew.
const NEWCOMER_DELAY_MS = 400

/** Makes this session the only owner of the data folder, unless another one is and stays so. */
export async function takeOwnership(session: Session): Promise<'taken' | 'held'> {
  const giveUpAt = Date.now() + LINGER_LIMIT_MS
  while (!(await tryOwnership(session))) {
    if (Date.now() > giveUpAt) return 'held'
    await sleep(RETRY_MS)
  }
  return 'taken'
}

/** The same for a server that somebody else has started, and may still own. */
export async function takeOver(session: Session): Promise<'taken' | 'held'> {
  await sleep(NEWCOMER_DELAY_MS)
  return takeOwnership(session)
}

export function anotherOwner(dataFolder: string): StartupError {
  return new StartupError(
    `Another Atrium is already running on ${dataFolder}. Stop it first, or set ATRIUM_DATA to another folder.`,
  )
}

async function tryOwnership({ sql }: Session): Promise<boolean> {
  const [row] = await sql`select pg_try_advisory_lock(${OWNER_LOCK}) as taken`
  return row?.taken
}
