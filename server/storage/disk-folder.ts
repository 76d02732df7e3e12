import { access, constants, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartupError } from '../errors.ts'
import { randomHex } from '../security/random.ts'

/** Newer partial files may belong to another process. */
const LEFTOVER_AFTER_MS = 60 * 60 * 1000
/** More than one block on any file system. */
const PROBE = Buffer.alloc(64 * 1024, 'Objects can be written here.\n')

export async function prepareFolder(folder: string, temporaryFolder: string): Promise<void> {
  try {
    await mkdir(temporaryFolder, { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    await writeProbe(temporaryFolder)
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

/** Not synced: the check must not slow a busy disk. */
export async function writeProbe(temporaryFolder: string): Promise<void> {
  const path = join(temporaryFolder, `probe.${randomHex(8)}`)
  try {
    await writeFile(path, PROBE, { flag: 'wx', mode: 0o600 })
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

/** Another process may have finished or removed a file since the listing. */
export async function removeOldLeftovers(folder: string, now: Date, prefix = ''): Promise<void> {
  const before = now.getTime() - LEFTOVER_AFTER_MS
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter((name) => name.startsWith(prefix))) {
    const path = join(folder, name)
    const changedAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
    if (changedAt < before) await rm(path, { force: true })
  }
}

export async function removeObjectLeftovers(temporaryFolder: string, name: string): Promise<void> {
  const leftovers = (await readdir(temporaryFolder)).filter((file) => file.startsWith(`${name}.`))
  for (const file of leftovers) await rm(join(temporaryFolder, file), { force: true })
}

/** Syncs every new level to its parent for durability. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let created = folder; ; created = dirname(created)) {
    await syncFolder(dirname(created))
    if (created === first) return
  }
}

export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}
