import { setTimeout as sleep } from 'node:timers/promises'
import type { CopySession } from '../database/copy.ts'
import type { Sql } from '../database/database.ts'
import { StartupError } from '../errors.ts'

/** An arbitrary advisory lock id. Backups hold it exclusively, and object removals check it. */
const LOCK_ID = 7_164_253

/** When to retry a removal that a backup prevented. */
export const BACKUP_RETRY_MS = 60_000

/** PostgreSQL ends a killed backup's session after about two seconds. */
const LINGER_MS = 5000
const POLL_MS = 200

/**
 * Keeps every referenced object until the session closes. A later snapshot finds all its files' bytes, even for files
 * deleted during the backup.
 */
export async function blockObjectRemoval({ query }: CopySession): Promise<void> {
  const deadline = Date.now() + LINGER_MS
  for (;;) {
    const [holder] = await query<{ name: string; since: string }>(
      `select coalesce(nullif(application_name, ''), 'session ' || pid) as name,
         to_char(backend_start, 'YYYY-MM-DD HH24:MI UTC') as since
       from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and classid = 0 and objid = $1::oid and mode = 'ExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())`,
      [LOCK_ID],
    )
    if (!holder) break
    if (Date.now() > deadline) {
      throw new StartupError(
        `Another backup of this database is running: ${holder.name}, since ${holder.since}. Wait until it ends.`,
      )
    }
    await sleep(POLL_MS)
  }
  await query('select pg_advisory_lock($1::bigint)', [LOCK_ID])
}

/**
 * Returns false while a backup runs, since its snapshot may refer to the objects. No row may still refer to them: a
 * backup that begins during the removal then doesn't need them, so no transaction stays open while object storage
 * works.
 */
export async function unlessBackupRuns(sql: Sql, remove: () => Promise<void>): Promise<boolean> {
  const [row] = await sql<{ isFree: boolean }[]>`
    select pg_try_advisory_xact_lock_shared(${LOCK_ID}) as "isFree"`
  if (row?.isFree) await remove()
  return row?.isFree ?? false
}
