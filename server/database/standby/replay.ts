import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../database.ts'
import type { Position } from './position.ts'

/**
 * Pauses between reads of the position of the standby, 31 ms in total. A standby in the same data center replays a commit
 * within a few milliseconds; a list that waits for longer takes longer than on the primary.
 */
const PAUSES_MS = [1, 2, 4, 8, 16]

export interface Replay {
  isInRecovery: boolean
  timeline: number
  system: string
  database: string
  hasReached: boolean
  lagBytes: number
  /** Since the last transaction that was replayed; null if there was none. */
  lagSeconds: number | null
}

/** The standby has not replayed the position in time. */
export class StandbyBehind extends Error {}
/** The server at DATABASE_READ_URL is not a standby of the primary, or not on its timeline. */
export class UnsuitableStandby extends Error {}

/** Waits until the standby has replayed everything up to a position. */
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

/** All functions of this statement read memory, or the small control file of the server. */
export async function readReplay(sql: Sql, { lsn }: Position): Promise<Replay> {
  const [row] = await sql<[Replay]>`
    select pg_is_in_recovery() as "isInRecovery", (pg_control_checkpoint()).timeline_id as timeline,
      (pg_control_system()).system_identifier::text as system, current_database() as database,
      coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as "hasReached",
      greatest(0, pg_wal_lsn_diff(${lsn}::pg_lsn, coalesce(pg_last_wal_replay_lsn(), '0/0')))::float8 as "lagBytes",
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "lagSeconds"`
  return row
}

/** Why a server can never be the standby of a primary; null if it can. */
export function problemOf(replay: Replay, position: Position): string | null {
  if (!replay.isInRecovery) return 'is not a standby: it is not in recovery'
  if (replay.system !== position.system)
    return 'is not a standby of DATABASE_URL: it belongs to another cluster'
  if (replay.database !== position.database)
    return `is the database "${replay.database}", and DATABASE_URL is "${position.database}"`
  return null
}

/**
 * After a failover, a standby of the former primary may have replayed changes that the new one never had, so that positions
 * cannot be compared. The standby shows the timeline of its last restart point, which may be some minutes old.
 */
export const timelineProblemOf = ({ timeline }: Replay, position: Position): string | null =>
  timeline === position.timeline
    ? null
    : `was on timeline ${timeline} at its last restart point, and the primary is on ${position.timeline}`
