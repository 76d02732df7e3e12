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
