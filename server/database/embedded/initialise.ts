import { once } from 'node:events'
import {
  chmod,
  lchown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../errors.ts'
import { randomToken } from '../../security/random.ts'
import { type Cluster, UNFINISHED, USER } from './cluster.ts'
import { spawnAs } from './run-as.ts'

// Not every system has the first. The second is built into PostgreSQL, but splits search words by ASCII rules.
const LOCALES = [
  ['--locale=C.UTF-8'],
  ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
]

/** Creates the cluster if absent, else checks its version and owner. */
export async function initialise(cluster: Cluster): Promise<void> {
  if ((await readMajorVersion(cluster.folder)) === null) await create(cluster)
  const major = await readMajorVersion(cluster.folder)
  if (major !== cluster.binaries.major) {
    throw new StartupError(
      `The database in ${cluster.folder} was created by PostgreSQL ${major}, but this Atrium version includes ${cluster.binaries.major}. ` +
        'Start the Atrium version that created it, or migrate its content with that version’s pg_dump and DATABASE_URL.',
    )
  }
  await fixOwnerAndMode(cluster)
}

/** Null without a cluster. */
export async function readMajorVersion(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.trim() || null
}

/** Only for the owner: the files may belong to a concurrent start that another has overtaken. */
export async function removeUnfinished(dataFolder: string): Promise<void> {
  const names = await readdir(dataFolder)
  const unfinished = names.filter((name) => name.startsWith(UNFINISHED))
  await Promise.allSettled(
    unfinished.map((name) => rm(join(dataFolder, name), { recursive: true, force: true })),
  )
}

async function create(cluster: Cluster): Promise<void> {
  const draft = join(cluster.dataFolder, `${UNFINISHED}${randomToken(9)}`)
  try {
    const failure = await initdb(cluster, draft)
    if (!failure) await rename(join(draft, 'cluster'), cluster.folder).catch(ignoreOccupied)
    await sync(cluster.dataFolder)
    if ((await readMajorVersion(cluster.folder)) !== null) return
    throw new StartupError(
      failure
        ? `PostgreSQL could not create its database: ${failure}. Fix this and start again; nothing was written.`
        : `${cluster.folder} contains something other than a PostgreSQL database. Move it, or set ATRIUM_DATA to another folder.`,
    )
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
  }
}

/** Null on success, else the error message. */
async function initdb(cluster: Cluster, draft: string): Promise<string | null> {
  const { uid, gid } = cluster.runAs.owner
  const passwordFile = join(draft, 'password')
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, cluster.password, { mode: 0o600 })
  await Promise.all([lchown(passwordFile, uid, gid), lchown(draft, uid, gid)])
  let failure: string | null = null
  for (const locale of LOCALES) {
    failure = await run(cluster, [
      `--pgdata=${join(draft, 'cluster')}`,
      '--encoding=UTF8',
      '--auth=scram-sha-256',
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      ...(cluster.settings.fsync === 'off' ? ['--no-sync'] : []),
      ...locale,
    ])
    if (!failure?.includes('invalid locale name')) break
  }
  return failure
}

async function run(cluster: Cluster, args: string[]): Promise<string | null> {
  const child = spawnAs(cluster.runAs, cluster.binaries.initdb, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  cluster.onSpawn()
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text
  })
  const [code, signal] = await once(child, 'close')
  if (code === 0) return null
  const errors = errorOutput.split('\n').filter((line) => /error|fatal/i.test(line))
  return (errors[0] ?? errorOutput.trim()) || `initdb exited with ${signal ?? code}`
}

// A concurrent first start was faster, so its cluster is used.
function ignoreOccupied(error: NodeJS.ErrnoException): void {
  if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(error.code ?? '')) throw error
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}

// Copied or restored folders may have another owner or a wider mode, which PostgreSQL refuses.
async function fixOwnerAndMode({ folder, runAs }: Cluster): Promise<void> {
  const { uid, mode } = await stat(folder)
  if (uid !== runAs.owner.uid) await chownTree(folder, runAs.owner)
  if (mode & 0o077) await chmod(folder, 0o700)
}

// The folder itself comes last: until its owner changes, an interrupted run starts over.
async function chownTree(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? chownTree(path, owner) : lchown(path, owner.uid, owner.gid))
  }
  await lchown(folder, owner.uid, owner.gid)
}

/** Created once, before the cluster. */
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
