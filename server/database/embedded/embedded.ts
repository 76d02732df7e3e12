import { readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../errors.ts'
import { findBinaries } from './binaries.ts'
import { type Cluster, clusterFolder, PORT, USER } from './cluster.ts'
import { guard } from './guard.ts'
import { initialise, readMajorVersion, readOrCreatePassword, removeUnfinished } from './initialise.ts'
import { anotherOwnerError, findOwner, takeOver, takeOwnership } from './ownership.ts'
import { findPostmaster } from './postmaster.ts'
import { type OpenServer, reachServer } from './reach.ts'
import { chooseRunAs, type RunAs } from './run-as.ts'
import { type Server, shutDown } from './server.ts'
import { prepareSocketFolder } from './socket-folder.ts'

export interface EmbeddedServer {
  /** `host` is the socket folder. */
  connection: Server['connection']
  /** Resolves with the reason if the server stops without a `stop()` call. */
  died: Promise<string>
  stop(): Promise<void>
}

interface EmbeddedOptions {
  /** Such as `fsync: 'off'` for tests. */
  settings?: Record<string, string>
  /** For root, in order of preference. */
  runAs?: RunAs[]
  purpose?: string
  /** Gets a line while a self-ending command, such as a backup, has the server. */
  onWait?: (line: string) => void
  /** PostgreSQL or `initdb` has started, and takes a while. */
  onSpawn?: () => void
}

const CLAIMS_MAX = 5
const WAIT_MS = 1000
const WAIT_LINE_MS = 60_000

/** May take over a killed Atrium's server. One process owns it at a time. */
export async function startEmbedded(
  dataFolder: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedServer> {
  try {
    const cluster = await prepare(await realpath(dataFolder), options)
    const openServer = await claim(cluster, options.onWait)
    try {
      if (openServer.isFresh) await removeUnfinished(cluster.dataFolder)
      await ensureDatabase(openServer)
    } catch (error) {
      await shutDown(openServer.server)
      throw error
    }
    return guard(cluster, openServer)
  } catch (error) {
    throw toStartupError(error, dataFolder)
  }
}

async function prepare(dataFolder: string, options: EmbeddedOptions): Promise<Cluster> {
  const folder = clusterFolder(dataFolder)
  const binaries = await findBinaries()
  const runAs = chooseRunAs([binaries.folder, dataFolder], options.runAs)
  const cluster = {
    dataFolder,
    folder,
    logFile: join(dataFolder, 'postgres.log'),
    password: await readOrCreatePassword(dataFolder, (await readMajorVersion(folder)) !== null),
    socketFolder: await prepareSocketFolder(dataFolder, runAs.owner),
    binaries,
    runAs,
    settings: options.settings ?? {},
    purpose: options.purpose ?? 'Atrium server',
    onSpawn: options.onSpawn ?? (() => {}),
  }
  await initialise(cluster)
  return cluster
}

async function claim(cluster: Cluster, onWait = (_line: string) => {}): Promise<OpenServer> {
  let saidAt = Number.NEGATIVE_INFINITY
  for (let failures = 0; ; ) {
    const openServer = await reachServer(cluster)
    const take = openServer.isFresh ? takeOwnership : takeOver
    const outcome = await take(openServer.session, cluster.purpose).catch((error) => {
      failures++
      if (failures === CLAIMS_MAX) throw error
      return 'lost'
    })
    if (outcome === 'taken') {
      openServer.server.orphanGuard.start()
      return openServer
    }
    const owner = outcome === 'held' ? await findOwner(openServer.session).catch(() => null) : null
    openServer.session.close()
    if (owner?.isCommand) {
      if (Date.now() - saidAt >= WAIT_LINE_MS) {
        onWait(`Waiting for ${owner.name}, which has used ${cluster.dataFolder} since ${owner.since} …`)
        saidAt = Date.now()
      }
      await sleep(WAIT_MS)
    } else if (outcome === 'held') throw anotherOwnerError(cluster.dataFolder, owner)
    // Otherwise the server stopped during the claim, because its owner is shutting down. The next round starts a new
    // one.
  }
}

async function ensureDatabase({ session: { sql }, server: { connection } }: OpenServer): Promise<void> {
  const name = sql(connection.database)
  const [existing] = await sql`select from pg_database where datname = ${connection.database}`
  if (!existing) await sql`create database ${name}`
  // Statement errors quote values, which don't belong in a log. The client receives them anyway.
  await sql`alter database ${name} set log_min_messages = 'log'`
}

function toStartupError(error: unknown, dataFolder: string): unknown {
  const { code = '', path, message } = error as NodeJS.ErrnoException
  if (error instanceof StartupError || !path) return error
  const remedy = ['EACCES', 'EPERM'].includes(code) ? 'Start Atrium as the user who owns it' : 'Fix this'
  return new StartupError(
    `The folder ${dataFolder} cannot be used for the database (${message}). ${remedy}, or set ATRIUM_DATA to another folder.`,
  )
}

/** Running or not. */
export const hasCluster = async (dataFolder: string): Promise<boolean> =>
  (await readMajorVersion(clusterFolder(dataFolder))) !== null

/** Another process owns the server. Null if none runs. */
export async function findRunningServer(dataFolder: string): Promise<Server['connection'] | null> {
  const folder = await realpath(dataFolder)
  const socketFolder = findPostmaster(clusterFolder(folder))?.socketFolder
  if (!socketFolder) return null
  const password = (await readFile(join(folder, 'postgres.password'), 'utf8')).trim()
  return { host: socketFolder, port: PORT, user: USER, password, database: USER }
}
