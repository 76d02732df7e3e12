import type { Readable } from 'node:stream'

/**
 * Objects are immutable, and complete or absent even after a crash. The database knows which record owns an object.
 * Methods throw `ObjectStoreUnavailable` if the disk or bucket fails.
 */
export interface ObjectStore {
  /** If `content` throws, rethrows its error and leaves nothing behind. */
  put: (key: string, content: AsyncIterable<Uint8Array>) => Promise<void>
  /**
   * `end` is inclusive. Empty if the object ends before `start`, null if it doesn't exist. If you stop early, destroy
   * the stream.
   */
  get: (key: string, range?: ByteRange) => Promise<Readable | null>
  /** In bytes. Null if there is no such object. */
  size: (key: string) => Promise<number | null>
  /** Fails if the source doesn't exist. */
  copy: (from: string, to: string) => Promise<void>
  /** Succeeds if absent. Also removes partial writes on this disk. */
  remove: (key: string) => Promise<void>
  readUrl: (key: string, options: ReadUrlOptions) => Promise<string>
  /**
   * Where uploads bypass this server, the URL can be reused until it expires: copy the object before relying on a
   * content check.
   */
  writeUrl: (key: string, options: WriteUrlOptions) => Promise<string>
  /** This server then checks `writeUrl` uploads as they arrive. */
  readonly uploadsPassThrough: boolean
  /** For the startup banner. Contains no secrets. */
  readonly description: string
  /** Called once at boot. Throws a `StartupError` with the remedy. */
  check: () => Promise<void>
  ping: () => Promise<void>
  /** Absent if nothing watches the store. */
  lastCheck?: () => StorageCheck
  /** Only writes too old to be in progress. */
  removePartialWrites: (now: Date) => Promise<void>
}

export interface StorageCheck {
  available: boolean
  /** Writes fail for lack of space. */
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
  baseUrl: string
}

interface WriteUrlOptions {
  expiresAt: Date
  /** Exact, in bytes. */
  size: number
  baseUrl: string
}

const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{32}$/

/** Nothing else may become part of a path or bucket key. */
export const isObjectKey = (key: string): boolean => KEY.test(key)

/** Throws on anything else, which is a bug in the caller. */
export function partsOfKey(key: string): { org: string; name: string } {
  if (!isObjectKey(key)) throw new Error('Not an object key')
  const [org, name] = key.split('/') as [string, string]
  return { org, name }
}
