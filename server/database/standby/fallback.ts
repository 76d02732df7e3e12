import { isConnectionLost } from '../pg-errors.ts'

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

/**
 * Whether a statement failed because of the standby, so that it may succeed on the primary: the connection is lost, the
 * SQLSTATE is of class 08 (connection), 40 (conflict with recovery), 53 (resources), 57 (canceled, shut down), 58
 * (disk) or XX (corruption), the role of DATABASE_READ_URL lacks a privilege (42501), or a pooler lost a prepared
 * statement (26000, 42P05). A write (25006) and every other failure is a defect of the handler.
 */
export function isStandbyFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isConnectionLost(error) || (typeof code === 'string' && STANDBY_FAILURE.test(code))
}

const STANDBY_FAILURE = /^(?:(?:08|40|53|57|58|XX)[0-9A-Z]{3}|42501|26000|42P05)$/

/** Calls `onSilence` unless stopped in time: a server that hangs neither ends a connection nor cancels a statement. */
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
