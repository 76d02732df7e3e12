import type { Pool, Sql } from '../database.ts'

/** A position in the WAL of the primary, with its timeline, cluster and database. */
export interface Position {
  lsn: string
  timeline: number
  /** The identifier of the cluster, which a standby shares with its primary. */
  system: string
  database: string
}

/**
 * Reads the position of the primary. Concurrent calls share a statement, which is always sent after they began: one that
 * runs already may have read its position before the change that a call has to see.
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
 * The insert position of the WAL, not its flush position: with `synchronous_commit` off, and in transactions that write
 * unlogged tables only, a transaction is visible before its commit is flushed. A standby receives flushed WAL only, and
 * the WAL writer takes 200 ms, so the statement flushes the remaining WAL with a commit of its own. That waits for the
 * disk of the primary (`local`), and for no standby.
 */
export async function readPosition(sql: Sql): Promise<Position> {
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
