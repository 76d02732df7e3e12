import type { Config } from '../../config/config.ts'
import type { Check } from './check.ts'
import { checkConfiguration } from './configuration.ts'
import { checkBackup, checkDisk } from './storage.ts'

/** What needs no connection: a server in production shows at its start how many of these are not as they should be. */
export async function runQuickChecklist(config: Config, now: Date): Promise<Check[]> {
  const stored = await Promise.all([checkDisk(config), checkBackup(config, now)])
  return [...checkConfiguration(config), ...stored]
}
