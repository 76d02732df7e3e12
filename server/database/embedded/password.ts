import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomToken } from '../../security/random.ts'
import { StartupError } from '../../startup/startup-error.ts'
import { UNFINISHED } from './cluster.ts'

/** The database's password: made once, before the cluster that will hold it. */
export async function keepPassword(dataFolder: string, clusterExists: boolean): Promise<string> {
  const file = join(dataFolder, 'postgres.password')
  const kept = await read(file)
  if (kept) return kept
  if (clusterExists) {
    throw new StartupError(
      `The database exists, but its password ${file} is missing. Restore that file from a backup.`,
    )
  }
  await writeOnce(dataFolder, file, randomToken(24))
  return (await read(file)) ?? ''
}

async function read(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.trim() || null
}

// A link appears whole or not at all, so of two first starts both read the same password.
async function writeOnce(dataFolder: string, file: string, password: string): Promise<void> {
  const draft = join(dataFolder, `${UNFINISHED}${randomToken(9)}.password`)
  const handle = await open(draft, 'wx', 0o600)
  await handle.writeFile(password)
  await handle.sync()
  await handle.close()
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft, { force: true })
}
