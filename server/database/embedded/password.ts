import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomToken } from '../../security/random.ts'
import { StartupError } from '../../startup/startup-error.ts'
import { UNFINISHED } from './cluster.ts'

/** The password of the database: created once, before the cluster. */
export async function readOrCreatePassword(dataFolder: string, clusterExists: boolean): Promise<string> {
  const file = join(dataFolder, 'postgres.password')
  const stored = await read(file)
  if (stored) return stored
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

// A hard link is atomic, so two concurrent first starts read the same password.
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
