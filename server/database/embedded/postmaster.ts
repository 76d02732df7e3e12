import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { randomToken } from '../../security/random.ts'
import { socketPath } from './socket-folder.ts'

export interface Postmaster {
  pid: number
  /** Null until the server has written it to its lock file. */
  socketFolder: string | null
}

const WRITE_TIME_MS = 2000

/** The running server of this cluster, whichever process started it. */
export function findPostmaster(folder: string): Postmaster | null {
  const lines = read(lockFileOf(folder))?.split('\n') ?? []
  const pid = Number(lines[0])
  return isPostmaster(pid, folder) ? { pid, socketFolder: lines[4]?.trim() || null } : null
}

/** Whether this process is the server of this cluster: the pid may have been reused by another program. */
export function isPostmaster(pid: number, folder: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  if (existsSync('/proc/self/cmdline')) {
    const [program = '', ...args] = read(`/proc/${pid}/cmdline`)?.split('\0') ?? []
    return basename(program) === 'postgres' && args.includes(folder)
  }
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.includes('postgres') && stdout.includes(folder)
}

/**
 * Removes the lock files of a killed server. PostgreSQL does so itself unless its old pid is in use again, which is
 * common after the restart of a container.
 */
export function removeStaleLocks(folder: string, socketFolder: string): void {
  removeIfStale(lockFileOf(folder), folder)
  removeIfStale(`${socketPath(socketFolder)}.lock`, folder)
}

function lockFileOf(folder: string): string {
  return join(folder, 'postmaster.pid')
}

// Two concurrent starts may read the same file, and the slower one would remove the lock of the server that the faster
// one has started: so the file is renamed first, and restored if its content has changed.
function removeIfStale(file: string, folder: string): void {
  const content = read(file)
  if (content === null || isPostmaster(Number(content.split('\n')[0]), folder)) return
  if (content === '' && isRecent(file)) return
  const renamed = `${file}.${randomToken(6)}`
  try {
    renameSync(file, renamed)
    if (read(renamed) !== content) linkSync(renamed, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  rmSync(renamed, { force: true })
}

function isRecent(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs < WRITE_TIME_MS
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
