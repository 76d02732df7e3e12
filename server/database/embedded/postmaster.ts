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

/** Whichever process started it. */
export function findPostmaster(folder: string): Postmaster | null {
  const lines = read(lockFileOf(folder))?.split('\n') ?? []
  const pid = Number(lines[0])
  return isPostmaster(pid, folder) ? { pid, socketFolder: lines[4]?.trim() || null } : null
}

/** Another program may have reused the pid. */
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
 * PostgreSQL removes a killed server's locks itself unless its old pid is in use again, which is common after a
 * container restart.
 */
export function removeStaleLocks(folder: string, socketFolder: string): void {
  removeIfStale(lockFileOf(folder), folder)
  removeIfStale(`${socketPath(socketFolder)}.lock`, folder)
}

function lockFileOf(folder: string): string {
  return join(folder, 'postmaster.pid')
}

// Of two concurrent starts, the slower could remove the lock of the server the faster one started. So the file is
// renamed first, and restored if its content has changed.
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
