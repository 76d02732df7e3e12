import { access, mkdir, readdir, rename, rm, rmdir, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import atrium from '../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import { openCopySession } from '../database/copy.ts'
import type { Pool } from '../database/database.ts'
import { StartupError } from '../errors.ts'
import { randomHex } from '../security/random.ts'
import { createVault, type Vault } from '../security/vault.ts'
import { requireSecret } from '../startup/data-folder.ts'
import { syncFolder } from '../storage/disk-folder.ts'
import { openObjects } from '../storage/open.ts'
import { copyObjects } from './copy-objects.ts'
import { dumpDatabase } from './dump-database.ts'
import { type Installation, openInstallation, requireInstalled } from './installation.ts'
import { recordsBackups, writeLastBackup } from './last-backup.ts'
import { createBackupManifest, type Manifest, writeManifest } from './manifest.ts'
import { blockObjectRemoval } from './object-removal-lock.ts'
import { formatBytes, type Progress } from './progress.ts'
import { SILENCE_MS, withSilenceLimit } from './silence.ts'
import { verifyBackup } from './verify.ts'

interface BackupOptions {
  config: Config
  target: string
  progress: Progress
  signal: AbortSignal
  silenceMs?: number
}

interface Backup {
  folder: string
  manifest: Manifest
  bytes: number
}

/**
 * Copies database and objects consistently while the server runs. The folder has a temporary name until it's complete
 * and verified. A failure removes it.
 */
export async function backup(options: BackupOptions): Promise<Backup> {
  const { config, signal } = options
  const folder = resolve(options.target)
  await requireAbsentOrEmpty(folder)
  const vault = createVault(await requireSecret(config))
  const installation = await openInstallation(config, 'backup', { signal, waits: true })
  try {
    await requireInstalled(installation.pool, vault)
    const draft = `${folder}.incomplete-${randomHex(4)}`
    const manifest = await writeDraft(draft, { ...options, vault, installation }).catch(
      async (error: unknown) => {
        await rm(draft, { recursive: true, force: true, maxRetries: 10 })
        throw error
      },
    )
    // The operator may have created the folder, empty.
    await rmdir(folder).catch(ignoreAbsent)
    await rename(draft, folder)
    await syncFolder(dirname(folder))
    const done = { folder, manifest, bytes: bytesOf(manifest) }
    await record(installation.pool, done)
    return done
  } finally {
    await installation.close()
  }
}

type DraftOptions = BackupOptions & { vault: Vault; installation: Installation }

async function writeDraft(draft: string, options: DraftOptions): Promise<Manifest> {
  const { config, vault, progress, installation, silenceMs = SILENCE_MS } = options
  const store = await withSilenceLimit(
    'Opening the file storage',
    { signal: options.signal, silenceMs },
    () => openObjects(config, vault),
  )
  const session = await openCopySession(installation.connection, installation.name)
  // The session protects objects from removal: without it, the file copy would have gaps.
  const signal = AbortSignal.any([options.signal, session.lost])
  const patience = { signal, silenceMs }
  try {
    await withSilenceLimit('Waiting for file removals to end', patience, () => blockObjectRemoval(session))
    await makeDraft(draft)
    const { referenced, referencedCount, referencedBytes, ...database } = await dumpDatabase(session, draft, {
      progress,
      ...patience,
    })
    await requireSpace(draft, referencedBytes)
    progress.begin('Objects', { items: referencedCount, bytes: referencedBytes })
    const objects = await copyObjects({ folder: draft, store, vault, referenced, progress, ...patience })
    progress.end()
    await session.query('select')
    await rm(join(draft, referenced.file))
    const manifest = createBackupManifest({ atrium: atrium.version, ...database, objects })
    await syncFolder(join(draft, 'database'))
    // The manifest comes last: a restore refuses a folder without it.
    await verifyBackup(draft, manifest, { progress, signal: options.signal })
    await writeManifest(draft, manifest)
    await syncFolder(draft)
    return manifest
  } catch (error) {
    const cause = options.signal.aborted ? null : session.lossBehind(error)
    throw cause ? lostError(cause) : error
  } finally {
    session.close()
  }
}

const lostError = ({ message }: Error) =>
  new StartupError(
    `The connection to PostgreSQL was lost (${message}). Nothing was kept from this backup: run it again.`,
  )

async function record(pool: Pool, { folder, manifest, bytes }: Backup): Promise<void> {
  const { missing, damaged } = manifest.objects
  const lackingObjects = missing.length + damaged.length
  try {
    if (!(await recordsBackups(pool))) return
    await writeLastBackup(pool, { createdAt: manifest.createdAt, folder, bytes, lackingObjects })
  } catch (error) {
    throw new StartupError(
      `The backup ${folder} is complete, but could not be recorded in the database (${(error as Error).message}): ` +
        'the health page does not show it.',
    )
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

/** Refuses a backup that can't fit before hours of copying. */
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
