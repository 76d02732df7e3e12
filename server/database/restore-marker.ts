import { StartupError } from '../startup/startup-error.ts'
import type { Sql } from './database.ts'

/** Marks the database as incomplete until `END_RESTORE`. A table, because it has to exist before the migrations. */
export async function beginRestore(sql: Sql): Promise<void> {
  await sql`create table restore_incomplete (started_at timestamptz not null default now())`
}

/** A statement for the transaction that completes the restore. */
export const END_RESTORE = 'drop table restore_incomplete'

export async function requireNoRestore(sql: Sql): Promise<void> {
  const [row] = await sql<{ isIncomplete: boolean }[]>`
    select to_regclass('public.restore_incomplete') is not null as "isIncomplete"`
  if (!row?.isIncomplete) return
  throw new StartupError(
    'This database is incomplete: a restore into it is running, or was interrupted. If none is running, delete everything in ' +
      'the data folder except the file "secret" (or, with DATABASE_URL, create an empty database), and restore again.',
  )
}
