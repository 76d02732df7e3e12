import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartupError } from '../../errors.ts'
import type { Connection } from '../connection.ts'
import { openDatabase, type Pool, type Sql } from '../database.ts'

/**
 * 31 ms in total. A standby in the same data center replays a commit within a few milliseconds. A list that waits
 * longer is slower than on the primary.
 */
const PAUSES_MS = [1, 2, 4, 8, 16]

interface Replay {
  isInRecovery: boolean
  timeline: number
  system: string
  database: string
  hasReached: boolean
  lagBytes: number
  /** Since the last replayed transaction. Null if there was none. */
  lagSeconds: number | null
}

export class StandbyBehind extends Error {}
/** Not a standby of the primary, or not on its timeline. */
export class UnsuitableStandby extends Error {}

export async function catchUp(sql: Sql, position: Position): Promise<void> {
  for (const pause of [...PAUSES_MS, null]) {
    const replay = await readReplay(sql, position)
    const problem = problemOf(replay, position) ?? timelineProblemOf(replay, position)
    if (problem) throw new UnsuitableStandby(problem)
    if (replay.hasReached) return
    if (pause !== null) await sleep(pause)
  }
  throw new StandbyBehind('it has not replayed the latest changes in time')
}

/** Reads only memory and the server's small control file. */
export async function readReplay(sql: Sql, { lsn }: Position): Promise<Replay> {
  const [row] = await sql<[Replay]>`
    select pg_is_in_recovery() as "isInRecovery", (pg_control_checkpoint()).timeline_id as timeline,
      (pg_control_system()).system_identifier::text as system, current_database() as database,
      coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as "hasReached",
      greatest(0, pg_wal_lsn_diff(${lsn}::pg_lsn, coalesce(pg_last_wal_replay_lsn(), '0/0')))::float8 as "lagBytes",
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "lagSeconds"`
  return row
}

/** Why a server can never be the primary's standby. */
function problemOf(replay: Replay, position: Position): string | null {
  if (!replay.isInRecovery) return 'is not a standby: it is not in recovery'
  if (replay.system !== position.system)
    return 'is not a standby of DATABASE_URL: it belongs to another cluster'
  if (replay.database !== position.database)
    return `is the database "${replay.database}", and DATABASE_URL is "${position.database}"`
  return null
}

/**
 * After a failover, the former primary's standby may have replayed changes the new one never had, so positions can't be
 * compared. The standby shows its last restart point's timeline, possibly some minutes old.
 */
const timelineProblemOf = ({ timeline }: Replay, position: Position): string | null =>
  timeline === position.timeline
    ? null
    : `was on timeline ${timeline} at its last restart point, and the primary is on ${position.timeline}`

/** In the primary's WAL. */
interface Position {
  lsn: string
  timeline: number
  /** Cluster identifier, shared by a standby and its primary. */
  system: string
  database: string
}

/**
 * Concurrent calls share a statement sent after they began: one already running may have read its position before the
 * change a call must see.
 */
export function createPositionReader(primary: Pool): () => Promise<Position> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Position> | null = null
  return () => {
    next ??= running.then(() => {
      next = null
      const position = readPosition(primary)
      running = position.catch(() => {})
      return position
    })
    return next
  }
}

/**
 * The WAL's insert position, not its flush position: with `synchronous_commit` off, and in transactions that write only
 * unlogged tables, a transaction is visible before its commit is flushed. A standby receives only flushed WAL, and the
 * WAL writer takes 200 ms, so the statement flushes the rest with its own commit. That waits for the primary's disk
 * (`local`), and for no standby.
 */
async function readPosition(sql: Sql): Promise<Position> {
  const [row] = await sql<[Position]>`
    select pg_current_wal_insert_lsn()::text as lsn,
      ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline,
      (pg_control_system()).system_identifier::text as system, current_database() as database,
      set_config('synchronous_commit', 'local', true),
      case when pg_current_wal_insert_lsn() <> pg_current_wal_flush_lsn()
        then pg_logical_emit_message(true, 'atrium', '')::text end`
  const { lsn, timeline, system, database } = row
  return { lsn, timeline, system, database }
}

const ONE = {
  connections: 1,
  connectionsPerOrg: 1,
  statementTimeoutMs: 5000,
  idleTimeoutS: null,
  waitMs: 60_000,
}
const END_TIMEOUT_S = 1

/** Only warns about an unreachable server, which may become reachable later. */
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
  'Set it to one streaming standby for the DATABASE_URL server, with the same database, or remove it.'

interface Inspection {
  /** Permanent. */
  problem?: string
  /** Temporary. */
  warning?: string
  replay?: Replay
}

/** For startup and the operator's checklist. */
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
