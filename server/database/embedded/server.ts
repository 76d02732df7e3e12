import { spawn } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, PORT, USER } from './cluster.ts'
import { type Log, lastMessage, openLog, readLog } from './log.ts'
import { isPostmaster, type Postmaster } from './postmaster.ts'
import { CHILD_ENVIRONMENT, spawnAs } from './run-as.ts'

/** Our child process, or a server that was already running. */
export interface Server {
  pid: number
  connection: { host: string; port: number; user: string; password: string; database: string }
  isAlive(): boolean
  lastMessage(): string
  /** Only the server's owner starts it, since it ends the server with this process. */
  orphanGuard: OrphanGuard
}

const POLL_MS = 15
// A fast shutdown first writes buffers to disk, which may be slow.
const FAST_SHUTDOWN_LIMIT_MS = 30_000
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 10_000

export function launch(cluster: Cluster): { server: Server; log: Log } {
  const settings = { ...settingsFor(cluster.socketFolder), ...cluster.settings }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(cluster.dataFolder, cluster.logFile)
  // Own process group: Ctrl-C reaches only Atrium, which then stops the server in order.
  const child = spawnAs(cluster.runAs, cluster.binaries.postgres, ['-D', cluster.folder, ...args], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  let failure: string | null = null
  child.once('error', (error) => {
    failure = error.message
  })
  child.unref()
  const pid = child.pid ?? 0
  const orphanGuard = createOrphanGuard(pid, cluster)
  // Immediately, because this process may be killed while it waits for the server.
  if (child.pid) orphanGuard.start()
  cluster.onSpawn()
  const server = {
    pid,
    connection: connectionTo(cluster, cluster.socketFolder),
    isAlive: () => failure === null && child.exitCode === null && child.signalCode === null,
    lastMessage: () => failure ?? lastMessage(log.read(), freeBytes(cluster.dataFolder)),
    orphanGuard,
  }
  return { server, log }
}

/** An already running server: orphaned by a killed Atrium, or owned by another. */
export function attachTo(cluster: Cluster, { pid, socketFolder }: Postmaster): Server {
  return {
    pid,
    connection: connectionTo(cluster, socketFolder ?? cluster.socketFolder),
    isAlive: () => isPostmaster(pid, cluster.folder),
    lastMessage: () => lastMessage(readLog(cluster.logFile), freeBytes(cluster.dataFolder)),
    orphanGuard: createOrphanGuard(pid, cluster),
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export async function shutDown(server: Server): Promise<void> {
  const isStopped = await stopBy(server, 'SIGINT', FAST_SHUTDOWN_LIMIT_MS)
  if (!isStopped) await stopBy(server, 'SIGQUIT', IMMEDIATE_SHUTDOWN_LIMIT_MS)
  server.orphanGuard.release()
}

async function stopBy(server: Server, signal: NodeJS.Signals, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  if (server.isAlive()) sendSignal(server.pid, signal)
  while (server.isAlive()) {
    if (Date.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function connectionTo(cluster: Cluster, host: string): Server['connection'] {
  return { host, port: PORT, user: USER, password: cluster.password, database: USER }
}

const SHARED_MEMORY_MIN = 64 * 1024 * 1024

/** Command-line settings, which override the configuration files. Durability keeps its default: on. */
function settingsFor(socketFolder: string): Record<string, string> {
  return {
    port: String(PORT),
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements contain user data, and more people can read a log than a database.
    log_min_error_statement: 'panic',
    ...(hasEnoughSharedMemory() ? {} : { dynamic_shared_memory_type: 'mmap' }),
  }
}

// Containers have 64 MB by default, which one parallel query can fill. Only Linux has the folder.
function hasEnoughSharedMemory(): boolean {
  if (process.platform !== 'linux') return true
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return bsize * blocks > SHARED_MEMORY_MIN
  } catch {
    return false
  }
}

interface OrphanGuard {
  /** Idempotent. */
  start(): void
  release(): void
}

/**
 * The pipe closes without a line if this process ended without stopping the server. The lock file proves the pid still
 * belongs to this folder's server.
 */
const SCRIPT = `read -r line && exit
[ "$(head -n 1 "$2/postmaster.pid" 2>/dev/null)" = "$1" ] && kill -INT "$1"`

/** Stops the server when this process ends without stopping it, for example by SIGKILL. */
function createOrphanGuard(pid: number, { folder }: Cluster): OrphanGuard {
  let pipe: NodeJS.WritableStream | undefined
  return {
    start() {
      pipe ??= startShell(pid, folder)
    },
    release() {
      pipe?.end('stopped\n')
      pipe = undefined
    },
  }
}

function startShell(pid: number, folder: string): NodeJS.WritableStream {
  // Own session: a signal to this process's group, such as Ctrl-C, doesn't end it.
  const shell = spawn('sh', ['-c', SCRIPT, 'atrium-orphan-guard', String(pid), folder], {
    cwd: '/',
    env: CHILD_ENVIRONMENT,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell the server keeps running, and the next start takes it over.
  shell.once('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  // The type doesn't say that a pipe is a socket. A referenced one would keep this process running.
  const socket = shell.stdin as typeof shell.stdin & { unref(): void }
  socket.unref()
  return socket
}
