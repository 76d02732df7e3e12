import type { Readable } from 'node:stream'

/**
 * Where bytes are kept. Objects are immutable and named by random keys of the form `<organization>/<random>`; an
 * object is whole or absent, after a crash as well. Which record an object belongs to is the database's to know.
 */
export interface ObjectStore {
  /** Stores everything that `content` yields. If `content` fails, it fails with the same and leaves nothing behind. */
  put: (key: string, content: AsyncIterable<Uint8Array>) => Promise<void>
  /**
   * The bytes from `start`, which lies within the object, up to and including `end`; all of them without a range. Null
   * if there is no such object. Whoever does not read to the end destroys the stream.
   */
  get: (key: string, range?: ByteRange) => Promise<Readable | null>
  /** The size in bytes, null if there is no such object. */
  size: (key: string) => Promise<number | null>
  /** A second object with the same bytes. Fails if there is no first. */
  copy: (from: string, to: string) => Promise<void>
  /** Removing what is not there is no failure. What was left half-written under the key on this disk goes as well. */
  remove: (key: string) => Promise<void>
  /** An address that reads this object without further proof, for as long as it says. */
  readUrl: (key: string, how: SignedRead) => Promise<string>
  /**
   * An address that writes this object, without further proof. Where bytes do not pass through this server it can be
   * used again until it expires: whoever needs them to stay as they were checked copies them to another key first.
   */
  writeUrl: (key: string, how: SignedWrite) => Promise<string>
  /** Whether bytes sent to a `writeUrl` come by this server, which then checks them as they arrive. */
  readonly passesThrough: boolean
  /** For the start-up text: where objects are, without secrets. */
  readonly description: string
  /** Once, before anything else: prepares the place, or says what is wrong if objects cannot be kept there. */
  check: () => Promise<void>
}

export interface ByteRange {
  start: number
  end: number
}

export interface SignedRead {
  expiresAt: Date
  mimeType: string
  disposition: string
  /** The public address of this server, for stores that read through it. */
  baseUrl: string
}

export interface SignedWrite {
  expiresAt: Date
  /** Exactly as many bytes may be sent. */
  size: number
  baseUrl: string
}
