import { hostname } from 'node:os'
import type { Sql } from '../database/database.ts'

interface LastBackup {
  /** Snapshot time. */
  createdAt: string
  host: string
  folder: string
  bytes: number
  /** Objects the file storage had lost or changed. */
  lackingObjects: number
}

/** A daily backup may be late. After two days without one, operators are warned. */
const BACKUP_OVERDUE_HOURS = 48
const HOUR_MS = 3_600_000

/** Call once the backup is complete, verified and under its final name. */
export async function writeLastBackup(sql: Sql, backup: Omit<LastBackup, 'host'>): Promise<void> {
  const { createdAt, folder, bytes, lackingObjects } = backup
  await sql`
    insert into last_backup (created_at, host, folder, bytes, lacking_objects)
    values (${createdAt}, ${hostname()}, ${folder}, ${bytes}, ${lackingObjects})
    on conflict (only_row) do update set created_at = excluded.created_at, host = excluded.host,
      folder = excluded.folder, bytes = excluded.bytes, lacking_objects = excluded.lacking_objects
    where last_backup.created_at < excluded.created_at`
}

/** Whether the table exists: a new version may back up a database it hasn't migrated yet. */
export async function recordsBackups(sql: Sql): Promise<boolean> {
  const [row] = await sql<
    { exists: boolean }[]
  >`select to_regclass('public.last_backup') is not null as exists`
  return row?.exists ?? false
}

interface BackupState {
  last: LastBackup | null
  installedAt: string
  /** The last backup, or the installation if there is none, is more than two days old. */
  isOverdue: boolean
}

export async function readBackupState(sql: Sql, now: Date): Promise<BackupState> {
  const [last] = await sql<LastBackup[]>`
    select created_at as "createdAt", host, folder, bytes, lacking_objects as "lackingObjects" from last_backup`
  const [installation] = await sql<
    { createdAt: string }[]
  >`select created_at as "createdAt" from installation`
  const installedAt = installation?.createdAt ?? now.toISOString()
  const ageMs = now.getTime() - Date.parse(last?.createdAt ?? installedAt)
  return { last: last ?? null, installedAt, isOverdue: ageMs > BACKUP_OVERDUE_HOURS * HOUR_MS }
}
