import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomToken } from '../../security/random.ts'
import { UNFINISHED } from './cluster.ts'

export interface Log {
  /** A file, not a pipe, because the server may outlive this process. */
  fd: number
  read(): string
  /** Makes this the cluster's log and renames the previous one to `.1`. */
  publish(): void
  discard(): void
}

const READ_BYTES_MAX = 64 * 1024
/** With less free space than one page, PostgreSQL can’t write. */
const FULL_BYTES = 8192

/** Temporary until the server is up: a failed start must not replace a concurrent one's log. */
export function openLog(dataFolder: string, logFile: string): Log {
  const draft = join(dataFolder, `${UNFINISHED}${randomToken(9)}.log`)
  const fd = openSync(draft, 'ax+', 0o600)
  let isPublished = false
  return {
    fd,
    read: () => (isPublished ? readLog(logFile) : readEnd(fd)),
    publish() {
      renameIfPresent(logFile, `${logFile}.1`)
      renameIfPresent(draft, logFile)
      isPublished = true
      closeSync(fd)
    },
    discard() {
      rmSync(draft, { force: true })
      closeSync(fd)
    },
  }
}

/** The last FATAL or PANIC line, else the last line. A full disk may keep PostgreSQL from writing either. */
export function lastMessage(log: string, freeBytes: number): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const fatal = lines.findLast((line) => /\b(FATAL|PANIC):/.test(line))
  const line =
    fatal ?? lines.at(-1) ?? (freeBytes < FULL_BYTES ? 'the disk is full' : 'no message in the log')
  return line.replace(/^.*?\b(FATAL|PANIC|ERROR|LOG|WARNING):\s*/, '').trim()
}

export function readLog(logFile: string): string {
  try {
    const fd = openSync(logFile, 'r')
    const text = readEnd(fd)
    closeSync(fd)
    return text
  } catch {
    return ''
  }
}

function readEnd(fd: number): string {
  const { size } = fstatSync(fd)
  const buffer = Buffer.alloc(Math.min(size, READ_BYTES_MAX))
  const read = readSync(fd, buffer, 0, buffer.length, size - buffer.length)
  return buffer.toString('utf8', 0, read)
}

function renameIfPresent(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
