import { access, constants, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomHex } from '../security/random.ts'
import { StartupError } from '../startup/startup-error.ts'

/** A partial file that has not changed for this long is abandoned; a newer one may belong to another process. */
const LEFTOVER_AFTER_MS = 60 * 60 * 1000

/** Creates the folders and checks that they are writable. */
export async function prepareFolder(folder: string, temporaryFolder: string): Promise<void> {
  try {
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    await writeProbe(join(temporaryFolder, `probe.${randomHex(8)}`))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const remedy =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full, free some space'
        : 'make it writable for this user, set ATRIUM_DATA to another folder'
    throw new StartupError(
      `The object folder ${folder} cannot be used (${code}): ${remedy}, or set ATRIUM_OBJECTS to a bucket.`,
    )
  }
}

async function writeProbe(path: string): Promise<void> {
  try {
    await writeFile(path, 'Objects can be written here.\n', { flag: 'wx', mode: 0o600, flush: true })
  } finally {
    await rm(path, { force: true })
  }
}

/** Removes the partial writes of crashed processes. */
export async function removeOldLeftovers(temporaryFolder: string): Promise<void> {
  const before = Date.now() - LEFTOVER_AFTER_MS
  for (const name of await readdir(temporaryFolder)) {
    const path = join(temporaryFolder, name)
    // Another process may have finished or removed the file since.
    const changedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
    if (changedAt < before) await rm(path, { force: true })
  }
}

/** Removes the partial writes of one deleted object immediately. */
export async function removeLeftoversOf(temporaryFolder: string, name: string): Promise<void> {
  const leftovers = (await readdir(temporaryFolder)).filter((file) => file.startsWith(`${name}.`))
  for (const file of leftovers) await rm(join(temporaryFolder, file), { force: true })
}

/** Creates a folder durably: every new level is synced to its parent. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let created = folder; ; created = dirname(created)) {
    await syncFolder(dirname(created))
    if (created === first) return
  }
}

/** Makes additions, renames and removals in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}
