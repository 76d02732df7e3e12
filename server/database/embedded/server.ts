import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, PORT, USER } from './cluster.ts'
import { type Log, lastWords, openLog, readLog } from './log.ts'
import { isPostmaster, type Postmaster } from './postmaster.ts'
import { spawnAs } from './run-as.ts'
import { settingsFor } from './settings.ts'

/** A server process of this cluster, be it our child or one that was found. */
export interface Server {
  pid: number
  connection: { host: string; port: number; user: string; password: string; database: string }
  isAlive(): boolean
  lastWords(): string
}

const POLL_MS = 15
// A fast shutdown writes what is in memory to the disk first, which may be slow.
const FAST_SHUTDOWN_LIMIT_MS = 30_000
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 10_000

export function launch(cluster: Cluster): { server: Server; log: Log } {
  const settings = { ...settingsFor(cluster.socketFolder), ...cluster.settings }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(cluster.dataFolder, cluster.logFile)
  // A session of its own: Ctrl-C in a terminal reaches Atrium, which then stops its server in good order.
  const child = spawnAs(cluster.runAs, cluster.binaries.postgres, ['-D', cluster.folder, ...args], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  let failure: string | null = null
  child.once('error', (error) => {
    failure = error.message
  })
  child.unref()
  const server = {
    pid: child.pid ?? 0,
    connection: connectionTo(cluster, cluster.socketFolder),
    isAlive: () => failure === null && child.exitCode === null && child.signalCode === null,
    lastWords: () => failure ?? lastWords(log.read()),
  }
  return { server, log }
}

/** A server that was here before us: the orphan of a killed Atrium, or another one's. */
export function found(cluster: Cluster, { pid, socketFolder }: Postmaster): Server {
  return {
    pid,
    connection: connectionTo(cluster, socketFolder ?? cluster.socketFolder),
    isAlive: () => isPostmaster(pid, cluster.folder),
    lastWords: () => lastWords(readLog(cluster.logFile)),
  }
}

export async function shutDown(server: Server): Promise<void> {
  if (await ends(server, 'SIGINT', FAST_SHUTDOWN_LIMIT_MS)) return
  await ends(server, 'SIGQUIT', IMMEDIATE_SHUTDOWN_LIMIT_MS)
}

async function ends(server: Server, signal: NodeJS.Signals, limitMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + limitMs
  if (server.isAlive()) signalTo(server.pid, signal)
  while (server.isAlive()) {
    if (Date.now() > giveUpAt) return false
    await sleep(POLL_MS)
  }
  return true
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function connectionTo(cluster: Cluster, host: string): Server['connection'] {
  return { host, port: PORT, user: USER, password: cluster.password, database: USER }
}
