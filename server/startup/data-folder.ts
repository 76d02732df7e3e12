import { access, constants, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { StartupError } from '../errors.ts'
import { randomToken } from '../security/random.ts'

/** The configured or stored master secret. */
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
  return secret ?? readOrCreateSecret(join(dataFolder, 'secret'))
}

export const readSecret = async ({ dataFolder, secret }: Config): Promise<string | null> =>
  secret ?? readSecretFile(join(dataFolder, 'secret'))

/** For commands run beside the server, which never create a secret. */
export async function requireSecret(config: Config): Promise<string> {
  const secret = await readSecret(config)
  if (secret !== null) return secret
  throw new StartupError(
    `There is no secret: ATRIUM_SECRET is not set, and ${join(config.dataFolder, 'secret')} cannot be read. ` +
      'Run this command as the server’s user, with the same ATRIUM_DATA or ATRIUM_SECRET.',
  )
}

const readSecretFile = async (file: string): Promise<string | null> => {
  const stored = await readFile(file, 'utf8').catch(() => '')
  return stored.trim() || null
}

/** A hard link makes processes that start together agree on one secret. */
async function readOrCreateSecret(file: string): Promise<string> {
  const stored = await readSecretFile(file)
  if (stored !== null) return stored
  const temporary = `${file}.${randomToken(6)}`
  await writeFile(temporary, `${randomToken(32)}\n`, { mode: 0o600, flush: true })
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
  return (await readFile(file, 'utf8')).trim()
}
