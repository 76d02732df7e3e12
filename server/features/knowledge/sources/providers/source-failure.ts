/** Ends the sync. Thrown by providers, caught by the engine. */
export class SourceFailure extends Error {
  readonly means: 'try_again' | 'refused' | 'not_found' | 'connection_expired'
  readonly retryAt: Date | null

  constructor(means: SourceFailure['means'], message: string, retryAt: Date | null = null) {
    super(message)
    this.means = means
    this.retryAt = retryAt
  }
}
