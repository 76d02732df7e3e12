import { access, constants, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { randomToken } from '../security/random.ts'
import { StartupError } from './startup-error.ts'

/** Makes the data folder if need be and returns the master secret: the configured one, or the one kept there. */
export async function openDataFolder({ dataFolder, secret }: Config): Promise<string> {
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 })
    await access(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(
      `The data folder ${dataFolder} cannot be used (${code}): make it writable for this user, or set ATRIUM_DATA to another folder.`,
    )
  }
  return secret ?? keptSecret(join(dataFolder, 'secret'))
}

/** Written aside and linked into place: two processes that start together agree on one secret. */
async function keptSecret(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept?.trim()) return kept.trim()
  const part = `${file}.${randomToken(6)}`
  await writeFile(part, `${randomToken(32)}\n`, { mode: 0o600, flush: true })
  await link(part, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(part)
  return (await readFile(file, 'utf8')).trim()
}
