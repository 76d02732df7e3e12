import type { Pool, Sql } from '../database/database.ts'
import { StartupError } from '../startup/startup-error.ts'

/** An arbitrary advisory lock id. A backup holds it exclusively, and each removal of objects checks it. */
const LOCK_ID = 7_164_253

/** When a removal that a backup has prevented is tried again. */
export const BACKUP_RETRY_MS = 60_000

type Connection = Awaited<ReturnType<Pool['reserve']>>

/**
 * Keeps every object that a row refers to until the connection is closed: a snapshot that is taken afterwards finds the
 * bytes of all its files, including files that are deleted during the backup.
 */
export async function blockObjectRemoval(connection: Connection): Promise<void> {
  // A killed backup must not hold the lock while its session waits for a table. Not every system can check this.
  await connection`set client_connection_check_interval = '2s'`.catch(() => {})
  const [otherBackup] = await connection`
    select from pg_locks
    where locktype = 'advisory' and objid = ${LOCK_ID} and mode = 'ExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`
  if (otherBackup)
    throw new StartupError('Another backup of this database is running. Wait until it has ended.')
  await connection`select pg_advisory_lock(${LOCK_ID})`
}

/**
 * Runs `remove`. Returns false, without running it, while a backup runs, whose snapshot may refer to the objects. No row
 * may refer to them any more: a backup that begins during the removal then does not need them, so that no transaction
 * has to stay open while object storage works.
 */
export async function unlessBackupRuns(sql: Sql, remove: () => Promise<void>): Promise<boolean> {
  const [row] = await sql<{ isFree: boolean }[]>`
    select pg_try_advisory_xact_lock_shared(${LOCK_ID}) as "isFree"`
  if (row?.isFree) await remove()
  return row?.isFree ?? false
}
