/**
 * A circuit breaker for a server that may fail. After a failure, no caller uses the server during a pause; then one
 * caller tries it, and the others follow if that succeeds. The pause doubles with each failed trial, up to a limit.
 */
export function createCircuit(pauseMsMax: number, now: () => number = () => performance.now()) {
  /** Failures in a row, where those of concurrent callers count once. */
  let failures = 0
  let retryAt = 0
  let isTrying = false
  return {
    isPaused: () => failures > 0 && now() < retryAt,
    /** Whether this caller may use the server; at the end of a pause, true for one caller. */
    tryPass(): boolean {
      if (failures === 0) return true
      if (now() < retryAt) return false
      retryAt = now() + pauseMsMax
      isTrying = true
      return true
    },
    /** Records a failure. Returns whether it is the first one after a success. */
    fail(firstPauseMs = pauseMsMax): boolean {
      if (failures > 0 && !isTrying) return false
      isTrying = false
      retryAt = now() + Math.min(pauseMsMax, firstPauseMs * 2 ** failures)
      failures++
      return failures === 1
    },
    /** Records a success. Returns whether it is the first one after a failure. */
    succeed(): boolean {
      const isNew = failures > 0
      failures = 0
      isTrying = false
      return isNew
    },
  }
}
