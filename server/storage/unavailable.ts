/** Unreachable, too slow, refusing its credentials, or full. */
export class ObjectStoreUnavailable extends Error {
  /** Stored objects can still be read. */
  readonly isFull: boolean

  constructor(cause: unknown, { isFull = false } = {}) {
    super(`The object store failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ObjectStoreUnavailable'
    this.isFull = isFull
  }
}

/** Uploads and large bodies wait there. The bucket may still work. */
export class ServerDiskUnavailable extends Error {
  readonly isFull: boolean

  constructor(cause: Error, { isFull }: { isFull: boolean }) {
    super(`The server’s disk failed: ${cause.message}`, { cause })
    this.name = 'ServerDiskUnavailable'
    this.isFull = isFull
  }
}

/** Codes for a broken, unmounted or read-only disk. Client aborts have other codes. */
const DISK_FAILURES = 'EIO EROFS EACCES EPERM EMFILE ENFILE ENOENT ENOTDIR ESTALE'.split(' ')
const DISK_FULL = ['ENOSPC', 'EDQUOT']

export function diskFailure(error: unknown): 'full' | 'broken' | null {
  const code = String((error as NodeJS.ErrnoException).code)
  if (DISK_FULL.includes(code)) return 'full'
  return DISK_FAILURES.includes(code) ? 'broken' : null
}
