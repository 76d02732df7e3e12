import { access, mkdir, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import atrium from '../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import { randomHex } from '../security/random.ts'
import { createVault } from '../security/vault.ts'
import { requireSecret } from '../startup/data-folder.ts'
import { StartupError } from '../startup/startup-error.ts'
import { syncFolder } from '../storage/disk-folder.ts'
import { openObjects } from '../storage/open.ts'
import { copyObjects } from './copy-objects.ts'
import { dumpDatabase } from './dump-database.ts'
import { openInstallation, requireInstalled } from './installation.ts'
import { writeLastBackup } from './last-backup.ts'
import { type Manifest, manifestOf, writeManifest } from './manifest.ts'
import { blockObjectRemoval } from './object-removal-lock.ts'
import type { Progress } from './progress.ts'
import { formatBytes } from './sizes.ts'

interface BackupOptions {
  config: Config
  target: string
  progress: Progress
  signal: AbortSignal
}

export interface Backup {
  folder: string
  manifest: Manifest
  bytes: number
}

/**
 * Writes a consistent copy of database and objects while the server runs. The folder has a temporary name until it is
 * complete; a failure removes it.
 */
export async function backup({ config, target, progress, signal }: BackupOptions): Promise<Backup> {
  const folder = resolve(target)
  await requireAbsentOrEmpty(folder)
  const draft = `${folder}.incomplete-${randomHex(4)}`
  const manifest = await writeDraft(draft, { config, progress, signal }).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    throw error
  })
  // The operator may have created the folder, empty.
  await rmdir(folder).catch(ignoreAbsent)
  await rename(draft, folder)
  await syncFolder(dirname(folder))
  const bytes = bytesOf(manifest)
  const isComplete = manifest.objects.missing.length + manifest.objects.damaged.length === 0
  await writeLastBackup(config.dataFolder, { createdAt: manifest.createdAt, folder, bytes, isComplete })
  return { folder, manifest, bytes }
}

async function writeDraft(
  draft: string,
  { config, progress, signal }: Omit<BackupOptions, 'target'>,
): Promise<Manifest> {
  const vault = createVault(await requireSecret(config))
  const installation = await openInstallation(config, 'atrium backup', signal)
  try {
    const store = await openObjects(config, vault)
    const connection = await installation.pool.reserve()
    await requireInstalled(connection, vault)
    await blockObjectRemoval(connection)
    await makeDraft(draft)
    const { referenced, referencedCount, referencedBytes, ...database } = await dumpDatabase(
      connection,
      draft,
      {
        progress,
        signal,
      },
    )
    await requireSpace(draft, referencedBytes)
    progress.begin('Objects', { items: referencedCount, bytes: referencedBytes })
    const objects = await copyObjects({ folder: draft, store, vault, referenced, progress, signal })
    progress.end()
    connection.release()
    await rm(join(draft, referenced.file))
    const manifest = manifestOf({ atrium: atrium.version, ...database, objects })
    await syncFolder(join(draft, 'database'))
    await writeManifest(draft, manifest)
    await syncFolder(draft)
    return manifest
  } finally {
    await installation.close()
  }
}

async function requireAbsentOrEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new StartupError(`${folder} cannot be used (${error.code}). Choose another folder.`)
  })
  if (names.length === 0) return
  throw new StartupError(
    `${folder} is not empty (${names.slice(0, 3).join(', ')}). Choose a folder that does not exist, such as one with the date in its name.`,
  )
}

async function makeDraft(draft: string): Promise<void> {
  try {
    await mkdir(dirname(draft), { recursive: true })
    await mkdir(draft, { mode: 0o700 })
    await access(draft)
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    throw new StartupError(
      `The folder ${path ?? draft} cannot be created (${code}). Choose a folder that this user can write to.`,
    )
  }
}

/** A backup that cannot fit is refused before hours of copying. */
async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize > bytes) return
  throw new StartupError(
    `The objects need ${formatBytes(bytes)}, but ${dirname(folder)} has only ${formatBytes(bavail * bsize)} left. Choose another disk.`,
  )
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

const bytesOf = ({ tables, objects }: Manifest): number =>
  tables.reduce((sum, { bytes }) => sum + bytes, objects.bytes + objects.list.bytes)
