import { access, constants, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomHex } from '../security/random.ts'
import { StartupError } from '../startup/startup-error.ts'

/** Whatever is being written changes at least this often; another process may be at it. */
const LEFTOVER_AFTER_MS = 60 * 60 * 1000

/** Makes the folders and proves that bytes can be kept there. */
export async function prepareFolder(folder: string, unfinished: string): Promise<void> {
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    await tryWriting(join(unfinished, `probe.${randomHex(8)}`))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const remedy =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full, make room on it'
        : 'make it writable for this user, set ATRIUM_DATA to another folder'
    throw new StartupError(
      `The folder of the objects ${folder} cannot be used (${code}): ${remedy}, or set ATRIUM_OBJECTS to a bucket.`,
    )
  }
}

async function tryWriting(path: string): Promise<void> {
  try {
    await writeFile(path, 'Objects can be written here.\n', { flag: 'wx', mode: 0o600, flush: true })
  } finally {
    await rm(path, { force: true })
  }
}

/** What a crash left half-written. */
export async function removeOldLeftovers(unfinished: string): Promise<void> {
  const before = Date.now() - LEFTOVER_AFTER_MS
  for (const name of await readdir(unfinished)) {
    const path = join(unfinished, name)
    // Another process may have finished or removed it since.
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
    if (changed < before) await rm(path, { force: true })
  }
}

/** The same for one object that is given up for good, without waiting for the next start. */
export async function removeLeftoversOf(unfinished: string, name: string): Promise<void> {
  const leftovers = (await readdir(unfinished)).filter((file) => file.startsWith(`${name}.`))
  for (const file of leftovers) await rm(join(unfinished, file), { force: true })
}

/** A folder that survives a power cut: every new level is made known to the one above it. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let made = folder; ; made = dirname(made)) {
    await syncFolder(dirname(made))
    if (made === first) return
  }
}

/** Writes down what was added to, moved in or removed from a folder. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}
