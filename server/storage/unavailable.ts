/** The object store fails: it cannot be reached, does not respond in time, refuses its credentials, or is full. */
export class ObjectStoreUnavailable extends Error {
  /** Nothing more can be written; stored objects can still be read. */
  readonly isFull: boolean

  constructor(cause: unknown, { isFull = false } = {}) {
    super(`The object store failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ObjectStoreUnavailable'
    this.isFull = isFull
  }
}

/** The disk of this server, where uploads and large bodies wait, fails or is full. The bucket may work. */
export class ServerDiskUnavailable extends Error {
  readonly isFull: boolean

  constructor(cause: Error, { isFull }: { isFull: boolean }) {
    super(`The disk of the server failed: ${cause.message}`, { cause })
    this.name = 'ServerDiskUnavailable'
    this.isFull = isFull
  }
}

/** The error codes of a full, broken, unmounted or read-only disk; a request that the client aborts has other codes. */
const DISK_FAILURES = 'EIO EROFS EACCES EPERM EMFILE ENFILE ENOENT ENOTDIR ESTALE'.split(' ')
const DISK_FULL = ['ENOSPC', 'EDQUOT']

/** How a disk failed; null if the error is of something else. */
export function diskFailureOf(error: unknown): 'full' | 'broken' | null {
  const code = String((error as NodeJS.ErrnoException).code)
  if (DISK_FULL.includes(code)) return 'full'
  return DISK_FAILURES.includes(code) ? 'broken' : null
}
