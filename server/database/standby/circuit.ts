/**
 * Whether something that may fail is used. After a failure it is not used during a pause; then one caller tries it, and the
 * others follow if that succeeds. The pause doubles with each trial that fails, up to a limit.
 */
export function createCircuit(pauseMsMax: number, now: () => number = () => performance.now()) {
  /** Failures in a row, where those of concurrent callers count once. */
  let failures = 0
  let retryAt = 0
  let isTrying = false
  return {
    isPaused: () => failures > 0 && now() < retryAt,
    /** Whether this caller may use it; at the end of a pause, true for one caller. */
    tryPass(): boolean {
      if (failures === 0) return true
      if (now() < retryAt) return false
      retryAt = now() + pauseMsMax
      isTrying = true
      return true
    },
    /** Returns whether it worked before. */
    fail(firstPauseMs = pauseMsMax): boolean {
      if (failures > 0 && !isTrying) return false
      isTrying = false
      retryAt = now() + Math.min(pauseMsMax, firstPauseMs * 2 ** failures)
      failures++
      return failures === 1
    },
    /** Returns whether it failed before. */
    succeed(): boolean {
      const isNew = failures > 0
      failures = 0
      isTrying = false
      return isNew
    },
  }
}
