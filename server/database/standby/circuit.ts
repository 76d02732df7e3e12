/**
 * Whether something that may fail is used. After a failure it is left alone for a while; then one caller tries it, and the
 * others follow if that succeeds.
 */
export function createCircuit(pauseMs: number, now: () => number = () => performance.now()) {
  let isFailing = false
  let retryAt = 0
  return {
    isPaused: () => isFailing && now() < retryAt,
    /** Whether this caller may use it; at the end of a pause, true for one caller. */
    tryPass(): boolean {
      if (!isFailing) return true
      if (now() < retryAt) return false
      retryAt = now() + pauseMs
      return true
    },
    /** Returns whether it worked before. */
    fail(): boolean {
      const isNew = !isFailing
      isFailing = true
      retryAt = now() + pauseMs
      return isNew
    },
    /** Returns whether it failed before. */
    succeed(): boolean {
      const isNew = isFailing
      isFailing = false
      return isNew
    },
  }
}
