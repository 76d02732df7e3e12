import { isConnectionLost } from '../pg-errors.ts'

/**
 * After a failure, callers skip the server during a pause. Then one caller tries it, and the others follow on success.
 * The pause doubles with each failed trial, up to a limit.
 */
export function createCircuit(pauseMsMax: number, now: () => number = () => performance.now()) {
  /** Failures in a row. Concurrent callers count once. */
  let failures = 0
  let retryAt = 0
  let isTrying = false
  return {
    isPaused: () => failures > 0 && now() < retryAt,
    /** After a pause, true for only one caller. */
    tryPass(): boolean {
      if (failures === 0) return true
      if (now() < retryAt) return false
      retryAt = now() + pauseMsMax
      isTrying = true
      return true
    },
    /** Returns whether this is the first failure after a success. */
    fail(firstPauseMs = pauseMsMax): boolean {
      if (failures > 0 && !isTrying) return false
      isTrying = false
      retryAt = now() + Math.min(pauseMsMax, firstPauseMs * 2 ** failures)
      failures++
      return failures === 1
    },
    /** Returns whether this is the first success after a failure. */
    succeed(): boolean {
      const isNew = failures > 0
      failures = 0
      isTrying = false
      return isNew
    },
  }
}

/**
 * The statement may succeed on the primary: the connection is lost, the SQLSTATE class is 08 (connection), 40 (conflict
 * with recovery), 53 (resources), 57 (canceled, shut down), 58 (disk) or XX (corruption), DATABASE_READ_URL's role
 * lacks a privilege (42501), or a pooler lost a prepared statement (26000, 42P05). A write (25006) and every other
 * failure is a handler defect.
 */
export function isStandbyFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isConnectionLost(error) || (typeof code === 'string' && STANDBY_FAILURE.test(code))
}

const STANDBY_FAILURE = /^(?:(?:08|40|53|57|58|XX)[0-9A-Z]{3}|42501|26000|42P05)$/

/** A hanging server neither ends a connection nor cancels a statement. */
export function createWatchdog(onSilence: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    start(ms: number): void {
      clearTimeout(timer)
      timer = setTimeout(onSilence, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
