import type { Readable } from 'node:stream'

/**
 * Stores the bytes of files. Objects are immutable, with random keys of the form `<organization>/<random>`. An object is
 * complete or absent, even after a crash. Which record an object belongs to is stored in the database. A method throws
 * `ObjectStoreUnavailable` if the disk or the bucket fails.
 */
export interface ObjectStore {
  /** Stores everything that `content` yields. If `content` throws, rethrows its error and leaves nothing behind. */
  put: (key: string, content: AsyncIterable<Uint8Array>) => Promise<void>
  /**
   * The bytes of the object from `start` up to and including `end`; none if the object ends before `start`; all bytes
   * without a range. Null if there is no such object. A caller that does not read to the end must destroy the stream.
   */
  get: (key: string, range?: ByteRange) => Promise<Readable | null>
  /** The size in bytes, null if there is no such object. */
  size: (key: string) => Promise<number | null>
  /** Copies the bytes to a new object. Fails if the source does not exist. */
  copy: (from: string, to: string) => Promise<void>
  /** Succeeds if the object does not exist. Also removes partial writes under the key on this disk. */
  remove: (key: string) => Promise<void>
  /** A signed URL that reads this object until it expires. */
  readUrl: (key: string, options: ReadUrlOptions) => Promise<string>
  /**
   * A signed URL that writes this object. Where uploads do not pass through this server, the URL can be used again until
   * it expires: copy the object to another key before relying on a check of its content.
   */
  writeUrl: (key: string, options: WriteUrlOptions) => Promise<string>
  /** Whether uploads to a `writeUrl` pass through this server, which then checks them as they arrive. */
  readonly uploadsPassThrough: boolean
  /** For the startup banner: where objects are stored, without secrets. */
  readonly description: string
  /** Called once at boot: prepares the store, or throws a `StartupError` with the remedy. */
  check: () => Promise<void>
  /** Throws if objects cannot be read and written now. */
  ping: () => Promise<void>
  /** The result of the last check in the background. Absent if nothing watches the store. */
  lastCheck?: () => StorageCheck
  /** Removes the partial writes that killed processes have left, once they are too old to be in progress. */
  removePartialWrites: (now: Date) => Promise<void>
}

export interface StorageCheck {
  /** Whether objects can be read. */
  available: boolean
  /** Whether writes fail because no space is left. */
  full: boolean
  checkedAt: Date
  /** Null while the store works. */
  problem: string | null
}

export interface ByteRange {
  start: number
  end: number
}

interface ReadUrlOptions {
  expiresAt: Date
  mimeType: string
  disposition: string
  /** The public URL of this server, for stores that serve objects through it. */
  baseUrl: string
}

interface WriteUrlOptions {
  expiresAt: Date
  /** The upload must have exactly this many bytes. */
  size: number
  baseUrl: string
}

const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{32}$/

/** Keys are `<organization>/<32 hex>`; nothing else may become part of a path or a bucket key. */
export const isObjectKey = (key: string): boolean => KEY.test(key)

/** The two parts of a key. Throws on anything else, which is a bug of the calling code. */
export function partsOfKey(key: string): { org: string; name: string } {
  if (!isObjectKey(key)) throw new Error('Not an object key')
  const [org, name] = key.split('/') as [string, string]
  return { org, name }
}
