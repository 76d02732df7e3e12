/** The object store fails: it cannot be reached, refuses its credentials, or its disk is full. */
export class ObjectStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The object store failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ObjectStoreUnavailable'
  }
}
