import type { Config } from '../../config/config.ts'
import type { Sql } from '../../database/database.ts'
import type { Check } from './check.ts'
import { checkConfiguration } from './configuration.ts'
import { checkBackup, checkDisk } from './storage.ts'

/** Checks that take no time: a server in production prints at its start how many of them fail. */
export async function runQuickChecklist(config: Config, sql: Sql, now: Date): Promise<Check[]> {
  const storageChecks = await Promise.all([checkDisk(config), checkBackup(sql, now)])
  return [...checkConfiguration(config), ...storageChecks]
}
