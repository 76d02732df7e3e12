import { once } from 'node:events'
import { chmod, lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomToken } from '../../security/random.ts'
import { StartupError } from '../../startup/startup-error.ts'
import { type Cluster, UNFINISHED, USER } from './cluster.ts'
import { spawnAs } from './run-as.ts'

// Not every system has the first; the second is PostgreSQL's own, but splits words for search by ASCII rules.
const LOCALES = [
  ['--locale=C.UTF-8'],
  ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
]

/** Leaves a cluster that the bundled server can open: made if absent, checked and handed to its owner if not. */
export async function initialise(cluster: Cluster): Promise<void> {
  if ((await readMajor(cluster.folder)) === null) await create(cluster)
  const major = await readMajor(cluster.folder)
  if (major !== cluster.binaries.major) {
    throw new StartupError(
      `The database in ${cluster.folder} was made by PostgreSQL ${major}, but this Atrium brings ${cluster.binaries.major}. ` +
        'Start the Atrium that made it, or move its content over with pg_dump of that version and DATABASE_URL.',
    )
  }
  await handOver(cluster)
}

/** The major version of the cluster in this folder, or null where there is none. */
export async function readMajor(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.trim() || null
}

/** For the owner alone: what it removes may be another start that has lost the race and is about to learn it. */
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
    if ((await readMajor(cluster.folder)) !== null) return
    throw new StartupError(
      failure
        ? `PostgreSQL could not create its database: ${failure}. Mend this and start again; nothing was kept.`
        : `${cluster.folder} holds something else than a PostgreSQL database. Move it away, or set ATRIUM_DATA to another folder.`,
    )
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => {})
  }
}

/** Null when it worked, else what went wrong. */
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
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const [code, signal] = await once(child, 'close')
  if (code === 0) return null
  const errors = complaints.split('\n').filter((line) => /error|fatal/i.test(line))
  return (errors[0] ?? complaints.trim()) || `initdb ended with ${signal ?? code}`
}

// Another first start was faster: its cluster is as good as ours.
function ignoreOccupied(error: NodeJS.ErrnoException): void {
  if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(error.code ?? '')) throw error
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync()
  await handle.close()
}

// A copied or restored folder may have another owner or laxer modes, and PostgreSQL refuses both.
async function handOver({ folder, runAs }: Cluster): Promise<void> {
  const { uid, mode } = await stat(folder)
  if (uid !== runAs.owner.uid) await chownTree(folder, runAs.owner)
  if (mode & 0o077) await chmod(folder, 0o700)
}

// The folder itself comes last: until it has changed hands, an interrupted walk is begun again.
async function chownTree(folder: string, owner: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? chownTree(path, owner) : lchown(path, owner.uid, owner.gid))
  }
  await lchown(folder, owner.uid, owner.gid)
}
