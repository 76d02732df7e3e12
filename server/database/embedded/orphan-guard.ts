import { spawn } from 'node:child_process'
import type { Cluster } from './cluster.ts'
import { CHILD_ENVIRONMENT } from './run-as.ts'

export interface OrphanGuard {
  /** Idempotent. */
  start(): void
  release(): void
}

/**
 * Requests a fast shutdown when the pipe closes without a line: this process has ended and has not stopped the server.
 * The lock file proves that the pid still belongs to the server of this folder.
 */
const SCRIPT = `read -r line && exit
[ "$(head -n 1 "$2/postmaster.pid" 2>/dev/null)" = "$1" ] && kill -INT "$1"`

/** Stops the server when this process ends without stopping it, for example by SIGKILL. */
export function createOrphanGuard(pid: number, { folder }: Cluster): OrphanGuard {
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
  // In its own session: a signal to the group of this process, such as Ctrl-C, does not end it.
  const shell = spawn('sh', ['-c', SCRIPT, 'atrium-orphan-guard', String(pid), folder], {
    cwd: '/',
    env: CHILD_ENVIRONMENT,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell the server runs on, and the next start takes it over.
  shell.once('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  // The type does not say that a pipe is a socket. A referenced one would keep this process running.
  const socket = shell.stdin as typeof shell.stdin & { unref(): void }
  socket.unref()
  return socket
}
