import { statfs } from 'node:fs/promises'
import { counted } from '../../../contract/counted.ts'
import { readBackupState, recordsBackups } from '../../backup/last-backup.ts'
import { formatBytes } from '../../backup/progress.ts'
import type { Config } from '../../config/config.ts'
import type { Sql } from '../../database/database.ts'
import { type Check, failed, ok, warning } from './check.ts'

const HOUR_MS = 3_600_000
/** Lets a daily backup be two hours late. */
const BACKUP_WARNING_HOURS = 26
const BACKUP_FAILED_HOURS = 7 * 24
const FREE_BYTES_FAILED = 1e9
const FREE_BYTES_WARNING = 5e9
/** A tenth of a large disk lasts long. */
const SMALL_FREE_BYTES = 50e9
const FREE_FRACTION_WARNING = 0.1

export async function checkBackup(sql: Sql, now: Date): Promise<Check> {
  const name = 'Backup'
  const { last } = (await recordsBackups(sql)) ? await readBackupState(sql, now) : { last: null }
  if (!last)
    return failed(name, 'none is recorded: run "atrium-server backup <folder>" every day, and try a restore')
  const hours = Math.floor((now.getTime() - Date.parse(last.createdAt)) / HOUR_MS)
  const age = hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
  const text = `the last one is ${age} old (${last.folder} on ${last.host})`
  if (hours >= BACKUP_FAILED_HOURS)
    return failed(name, `${text}: run "atrium-server backup <folder>" every day`)
  if (last.lackingObjects > 0)
    return warning(
      name,
      `${text}, and lacks ${counted(last.lackingObjects, 'object')}: see its manifest.json`,
    )
  if (hours >= BACKUP_WARNING_HOURS)
    return warning(name, `${text}: run "atrium-server backup <folder>" every day`)
  return ok(name, text)
}

export async function checkDisk({ dataFolder }: Config): Promise<Check> {
  const { bavail, blocks, bsize } = await statfs(dataFolder)
  const [bytes, fraction] = [bavail * bsize, bavail / blocks]
  const text = `${formatBytes(bytes)} free in ${dataFolder} (${Math.round(fraction * 100)} %)`
  if (bytes < FREE_BYTES_FAILED)
    return failed('Disk', `${text}: a full disk stops the server; free some space`)
  const isLow = bytes < FREE_BYTES_WARNING || (fraction < FREE_FRACTION_WARNING && bytes < SMALL_FREE_BYTES)
  return isLow ? warning('Disk', `${text}: free some space`) : ok('Disk', text)
}
