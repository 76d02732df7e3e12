import { spawnSync } from 'node:child_process'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { randomToken } from '../../security/random.ts'
import { socketPath } from './socket-folder.ts'

export interface Postmaster {
  pid: number
  /** Where it listens; null in the first moments of its life. */
  socketFolder: string | null
}

const HALF_WRITTEN_MS = 2000

/** The live server of this cluster, whoever started it. */
export function findPostmaster(folder: string): Postmaster | null {
  const lines = read(lockFileOf(folder))?.split('\n') ?? []
  const pid = Number(lines[0])
  return isPostmaster(pid, folder) ? { pid, socketFolder: lines[4]?.trim() || null } : null
}

/** Whether this process is the server of this cluster: a number alone may belong to any program by now. */
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
 * Removes what a killed server left. PostgreSQL does so itself unless its old process number is taken again, which
 * is the rule rather than the exception after a restart of a container.
 */
export function removeStaleLocks(folder: string, socketFolder: string): void {
  removeIfStale(lockFileOf(folder), folder)
  removeIfStale(`${socketPath(socketFolder)}.lock`, folder)
}

function lockFileOf(folder: string): string {
  return join(folder, 'postmaster.pid')
}

// Two starts may judge the same file, and the slower one would remove the lock of the server that the faster one
// has started meanwhile: so it is moved aside first, and put back if it is no longer what was judged.
function removeIfStale(file: string, folder: string): void {
  const judged = read(file)
  if (judged === null || isPostmaster(Number(judged.split('\n')[0]), folder)) return
  if (judged === '' && isYoung(file)) return
  const aside = `${file}.${randomToken(6)}`
  try {
    renameSync(file, aside)
    if (read(aside) !== judged) linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  rmSync(aside, { force: true })
}

function isYoung(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs < HALF_WRITTEN_MS
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}
