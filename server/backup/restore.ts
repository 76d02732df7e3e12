import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pino from 'pino'
import { counted } from '../../contract/counted.ts'
import { inParallel } from '../concurrency/in-parallel.ts'
import type { Config } from '../config/config.ts'
import { openCopySession } from '../database/copy.ts'
import { ACCEPT_NEW_SECRET, beginRestore, secretFingerprint } from '../database/installation-state.ts'
import { LOCK_ID, migrateTo } from '../database/migrate.ts'
import { StartupError } from '../errors.ts'
import { migrateJobs } from '../jobs/worker.ts'
import { releaseOrphanedJobs } from '../jobs/worker-heartbeat.ts'
import { createVault, type Vault } from '../security/vault.ts'
import { readSecret } from '../startup/data-folder.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import { openObjects } from '../storage/open.ts'
import { listRelations } from './catalog.ts'
import { backupObjects, OBJECT_CONCURRENCY } from './copy-objects.ts'
import { connect, type Installation, startEmbeddedInstallation } from './installation.ts'
import { loadDatabase } from './load-database.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { readCopiedObjects } from './parts.ts'
import type { Progress } from './progress.ts'
import { type Patience, SILENCE_MS, withSilenceLimit } from './silence.ts'
import { verifyBackup } from './verify.ts'

interface RestoreOptions {
  config: Config
  source: string
  /** Restores without the backup's secret: values encrypted with it stay unreadable. */
  acceptsNewSecret: boolean
  progress: Progress
  signal: AbortSignal
  silenceMs?: number
}

const SHOWN_MAX = 5

/** Fills an empty installation from a backup. Until the last transaction commits, no server starts on it. */
export async function restore(
  options: RestoreOptions,
): Promise<{ manifest: Manifest; isSameSecret: boolean }> {
  const { config, progress, signal, silenceMs = SILENCE_MS } = options
  const folder = resolve(options.source)
  const manifest = await readManifest(folder)
  const { vault, isSameSecret } = await openVault(options, manifest)
  await requireEmptyFolder(config)
  await verifyBackup(folder, manifest, { progress, signal })
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 })
  const installation = config.databaseUrl
    ? await connect(config.databaseUrl, 'restore', { signal, waits: true })
    : await startEmbeddedInstallation(config.dataFolder, 'restore', { signal })
  try {
    await withSilenceLimit('Creating the schema', { signal, silenceMs: SILENCE_MS }, async () => {
      await claimEmptyDatabase(installation)
      await migrateTo(installation.pool, manifest.migrations)
      await migrateJobs(installation.pool, installation.connection, pino({ level: 'silent' }))
    })
    const store = await withSilenceLimit('Opening the file storage', { signal, silenceMs }, () =>
      openObjects(config, vault),
    )
    await restoreObjects(store, { folder, manifest, vault, progress, signal, silenceMs })
    await loadTables(installation, folder, manifest, { progress, signal, silenceMs })
    await releaseOrphanedJobs(installation.pool)
  } finally {
    await installation.close()
  }
  return { manifest, isSameSecret }
}

async function loadTables(
  { connection, name }: Installation,
  folder: string,
  manifest: Manifest,
  options: Patience & { progress: Progress },
): Promise<void> {
  const session = await openCopySession(connection, name)
  const close = () => session.close()
  options.signal.addEventListener('abort', close)
  try {
    await loadDatabase(session, folder, manifest, {
      ...options,
      signal: AbortSignal.any([options.signal, session.lost]),
    })
  } catch (error) {
    const cause = options.signal.aborted ? null : session.lossBehind(error)
    if (!cause) throw error
    throw new StartupError(
      `The connection to PostgreSQL was lost (${cause.message}). The database stays empty and ` +
        'marked as incomplete: delete it and restore again.',
    )
  } finally {
    options.signal.removeEventListener('abort', close)
    session.close()
  }
}

async function openVault({ config, acceptsNewSecret }: RestoreOptions, manifest: Manifest) {
  const secret = await readSecret(config)
  const vault = createVault(secret ?? '')
  const isSameSecret = secret !== null && secretFingerprint(vault) === manifest.secretFingerprint
  if (isSameSecret || acceptsNewSecret) return { vault, isSameSecret }
  const problem = secret
    ? 'The configured secret doesn’t match the backup.'
    : `There is no secret: ATRIUM_SECRET is not set, and ${join(config.dataFolder, 'secret')} does not exist.`
  throw new StartupError(
    `${problem} Backups do not contain the secret, and without it the webhook secrets, connections, provider keys and ` +
      'authenticator apps in this backup can’t be decrypted. Set ATRIUM_SECRET to the backed-up server’s secret, ' +
      `or copy its file "secret" into ${config.dataFolder}. If the secret is lost, restore everything else with ${ACCEPT_NEW_SECRET}.`,
  )
}

/** Fails if the data folder has a database or objects. The secret's file may already exist. */
async function requireEmptyFolder({ dataFolder, databaseUrl, objects }: Config): Promise<void> {
  const names = await namesIn(dataFolder)
  const contents: string[] = []
  if (!databaseUrl && names.includes('postgres')) contents.push('a database (postgres)')
  if (objects.kind === 'disk') {
    const organizations = (await namesIn(join(dataFolder, 'objects'))).filter((name) => name !== 'tmp')
    if (organizations.length > 0)
      contents.push(`objects from ${counted(organizations.length, 'organization')} (objects)`)
  }
  if (contents.length === 0) return
  throw new StartupError(
    `The data folder ${dataFolder} already contains ${contents.join(' and ')}. A restore never overwrites anything: set ATRIUM_DATA ` +
      'to an empty folder. If an earlier restore was interrupted, delete everything in the folder except the file "secret".',
  )
}

/** Under the migration lock: a server that starts now finds either its tables or the marker. */
async function claimEmptyDatabase({ pool }: Installation): Promise<void> {
  await pool.begin(async (inside) => {
    await inside`select pg_advisory_xact_lock(${LOCK_ID})`
    const relations = await listRelations(inside)
    if (relations.length === 0) return beginRestore(inside)
    const shown = `${relations.slice(0, SHOWN_MAX).join(', ')}${relations.length > SHOWN_MAX ? ', …' : ''}`
    throw new StartupError(
      `The database is not empty: it has ${relations.length} tables (${shown}). A restore never overwrites anything: create an empty ` +
        'database and set DATABASE_URL to it.' +
        (relations.includes('restore_incomplete')
          ? ' An earlier restore into this database was interrupted; the database can be dropped.'
          : ''),
    )
  })
}

/** Skips objects the store still has, such as in a bucket: objects never change. */
async function restoreObjects(
  store: ObjectStore,
  options: Patience & { folder: string; manifest: Manifest; vault: Vault; progress: Progress },
): Promise<void> {
  const { folder, manifest, progress } = options
  const { count, bytes, list } = manifest.objects
  const copies = backupObjects(folder, options.vault)
  progress.begin('Objects', { items: count, bytes })
  await inParallel(readCopiedObjects(folder, list), OBJECT_CONCURRENCY, async (object) => {
    await withSilenceLimit(`Restoring the object ${object.key}`, options, async ({ pulse }) => {
      if ((await store.size(object.key)) === object.bytes) return
      const content = await copies.get(object.key)
      if (content === null) throw new Error(`The object ${object.key} has disappeared from the backup`)
      await store.put(object.key, withPulse(content, pulse))
    })
    progress.addBytes(object.bytes)
    progress.addItem()
  })
  progress.end()
}

async function* withPulse(content: AsyncIterable<Uint8Array>, pulse: () => void) {
  for await (const chunk of content) {
    yield chunk
    pulse()
  }
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
