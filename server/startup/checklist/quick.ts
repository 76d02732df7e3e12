import type { Config } from '../../config/config.ts'
import type { Sql } from '../../database/database.ts'
import type { Check } from './check.ts'
import { checkConfiguration } from './configuration.ts'
import { checkBackup, checkDisk } from './storage.ts'

export async function runQuickChecklist(config: Config, sql: Sql, now: Date): Promise<Check[]> {
  const storageChecks = await Promise.all([checkDisk(config), checkBackup(sql, now)])
  return [...checkConfiguration(config), ...storageChecks]
}
