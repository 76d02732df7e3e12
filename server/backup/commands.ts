import { join } from 'node:path'
import { readConfig } from '../config/config.ts'
import { ACCEPT_NEW_SECRET } from '../database/installation-state.ts'
import { backup } from './backup.ts'
import { createProgress, formatBytes } from './progress.ts'
import { restore } from './restore.ts'

const SHOWN_MAX = 10

/** If the object store lacks bytes, the backup has everything else, and the exit code informs the operator. */
export async function runBackup(target: string, signal: AbortSignal): Promise<'ok' | 'failed'> {
  const config = readConfig()
  const { folder, manifest, bytes } = await backup({
    config,
    target,
    progress: createProgress(process.stdout),
    signal,
  })
  const { missing, damaged } = manifest.objects
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  print(
    `\nBackup of ${manifest.createdAt}: ${folder}`,
    `  ${rows.toLocaleString('en')} rows in ${manifest.tables.length} tables, ${manifest.objects.count.toLocaleString('en')} objects, ${formatBytes(bytes)}`,
    `  Not included: the secret (${config.secret ? 'ATRIUM_SECRET' : join(config.dataFolder, 'secret')}). Store a copy elsewhere: encrypted values need it.`,
  )
  report('The object store is missing these objects, which files refer to', missing)
  report('The bytes of these objects differ from those that were uploaded', damaged)
  return missing.length + damaged.length === 0 ? 'ok' : 'failed'
}

export async function runRestore(
  source: string,
  acceptsNewSecret: boolean,
  signal: AbortSignal,
): Promise<'ok' | 'failed'> {
  const config = readConfig()
  const progress = createProgress(process.stdout)
  const { manifest, isSameSecret } = await restore({ config, source, acceptsNewSecret, progress, signal })
  const start = isSameSecret ? 'npm start' : `npm start -- ${ACCEPT_NEW_SECRET}`
  print(
    `\nRestored the backup of ${manifest.createdAt}, made by Atrium ${manifest.atrium}.`,
    `  Next: ${start}. The start upgrades the schema if this version is newer.`,
    '  Make sure that the backed-up server is no longer running: both would send the same emails and webhooks.',
  )
  report('The bytes of these files were already missing when the backup was made', manifest.objects.missing)
  return 'ok'
}

const print = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`)

function report(problem: string, keys: string[]): void {
  if (keys.length === 0) return
  const rest = keys.length > SHOWN_MAX ? [`and ${keys.length - SHOWN_MAX} others, in manifest.json`] : []
  print(`\n${problem} (${keys.length}):`, ...[...keys.slice(0, SHOWN_MAX), ...rest].map((key) => `  ${key}`))
}
