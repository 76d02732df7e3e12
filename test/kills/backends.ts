import type { Pool } from '../../server/database/database.ts'

/** The connections that wait for this advisory lock. */
export const listStoppedBackends = (sql: Pool, lock: number) => sql<{ pid: number; name: string }[]>`
  select l.pid, a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.objid = ${lock} and not l.granted
    and l.database = (select oid from pg_database where datname = current_database())`

/** Those of these connections that are still open. */
export const listOpenBackends = (sql: Pool, pids: readonly number[]) =>
  sql`select from pg_stat_activity where pid = any(${pids})`
