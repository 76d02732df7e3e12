import type { Logger } from 'pino'
import { StartupError } from '../../startup/startup-error.ts'
import type { Connection } from '../connection.ts'
import { openDatabase, type Pool } from '../database.ts'
import { type Position, readPosition } from './position.ts'
import { problemOf, type Replay, readReplay, timelineProblemOf } from './replay.ts'

const ONE = {
  connections: 1,
  connectionsPerOrg: 1,
  statementTimeoutMs: 5000,
  idleTimeoutS: null,
  waitMs: 60_000,
}
const END_TIMEOUT_S = 1

/**
 * Refuses a DATABASE_READ_URL that is not a standby of the primary. An unreachable server may become reachable later.
 */
export async function requireStandby(connection: Connection, url: string, log: Logger): Promise<void> {
  const primary = openDatabase(connection, 'atrium standby check', ONE)
  try {
    const { problem, warning } = await inspectStandby(primary, url)
    if (problem) throw new StartupError(`${problem}. ${REMEDY}`)
    if (warning) log.warn(`${warning}: the primary runs all lists until that changes`)
  } finally {
    await primary.end({ timeout: END_TIMEOUT_S })
  }
}

export const REMEDY =
  'Set it to the address of one streaming standby of the server at DATABASE_URL, with the same database, or remove it.'

interface Inspection {
  /** Why the server can never be used. */
  problem?: string
  /** Why the server cannot be used now. */
  warning?: string
  replay?: Replay
}

/** Checks DATABASE_READ_URL, for the startup and the checklist of the operator. */
export async function inspectStandby(primary: Pool, url: string): Promise<Inspection> {
  const position = await readPosition(primary)
  const standby = openDatabase(url, 'atrium standby check', ONE)
  try {
    const replay = await readReplay(standby, position)
    return { replay, ...verdictOf(replay, position) }
  } catch (error) {
    return { warning: `DATABASE_READ_URL cannot be reached: ${(error as Error).message}` }
  } finally {
    await standby.end({ timeout: END_TIMEOUT_S })
  }
}

function verdictOf(replay: Replay, position: Position): Pick<Inspection, 'problem' | 'warning'> {
  const problem = problemOf(replay, position)
  if (problem) return { problem: `DATABASE_READ_URL ${problem}` }
  const warning = timelineProblemOf(replay, position)
  return warning ? { warning: `DATABASE_READ_URL ${warning}` } : {}
}
