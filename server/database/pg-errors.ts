import { DatabaseError } from 'pg'

/** A connection couldn't be opened, or was lost. */
export class ConnectionError extends Error {
  /** The socket's code, such as `ECONNREFUSED`, or our own, such as `CONNECTION_CLOSED`. */
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'
const CHECK_VIOLATION = '23514'
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'
const SERIALIZATION_FAILURE = '40001'
const QUERY_CANCELED = '57014'
const IDLE_IN_TRANSACTION_TIMEOUT = '25P03'
const INVALID_STATEMENT_NAME = '26000'
const DISK_FULL = '53100'

export const isUniqueViolation = (error: unknown, index: string): boolean =>
  isViolation(error, UNIQUE_VIOLATION, index)

export const isForeignKeyViolation = (error: unknown, constraint: string): boolean =>
  isViolation(error, FOREIGN_KEY_VIOLATION, constraint)

/** PostgreSQL canceled a statement, or ended a transaction that waited too long. */
export function isTimeout(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === QUERY_CANCELED || code === IDLE_IN_TRANSACTION_TIMEOUT
}

/** Whether PostgreSQL executed the statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof DatabaseError && (isFatal(error) || SESSION_ENDED.has(error.code ?? ''))
}

export const isDatabaseFull = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === DISK_FULL

/** False for other servers' errors. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof DatabaseError && (isFatal(error) || UNAVAILABLE.test(error.code ?? ''))
}

/**
 * Lost connections (08), exhausted connections and memory (53), a stopping server (57P), and a server that isn't the
 * primary. PgBouncer reports 08P01 for its own limits, such as `query_wait_timeout`.
 */
const UNAVAILABLE = /^(08...|53[2-4]00|57P0[1-5]|25006)$/

/** Servers translate the severity, but not the code. */
const isFatal = ({ severity }: DatabaseError) => severity === 'FATAL' || severity === 'PANIC'

/** The server is stopping, has crashed, or is starting. */
const SERVER_STATES = ['57P01', '57P02', '57P03']
const SESSION_ENDED = new Set([...SERVER_STATES, '57P05', IDLE_IN_TRANSACTION_TIMEOUT, '25P04'])

/** Another attempt may soon succeed: the server is restarting, or a proxy has none yet. */
export function isOpeningRetryable(error: unknown): boolean {
  if (error instanceof ConnectionError) return RESTARTING.has(error.code)
  return error instanceof DatabaseError && SERVER_STATES.includes(error.code ?? '')
}

const RESTARTING = new Set(['CONNECTION_CLOSED', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'])

/** PostgreSQL didn't execute a prepared statement: a pooler discarded it, or a migration changed its columns. */
export function isPreparedStatementLost(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return error.code === INVALID_STATEMENT_NAME || error.routine === 'RevalidateCachedQuery'
}

/** A lock wasn't free within `lock_timeout`, or waiting would have been a deadlock. */
export function isLockRefused(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED
}

/**
 * Concurrent statements caused a rollback: another attempt may succeed. Operators may set `lock_timeout` and
 * `default_transaction_isolation` for the role or database.
 */
export const isContended = (error: unknown): boolean =>
  isLockRefused(error) || (error as { code?: unknown }).code === SERIALIZATION_FAILURE

export const isCheckViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === CHECK_VIOLATION

/** Data exceptions and violated constraints, caused by the statement's values. */
export const isCausedByData = (error: unknown): boolean =>
  error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')

const isViolation = (error: unknown, code: string, constraint: string): boolean =>
  error instanceof DatabaseError && error.code === code && error.constraint === constraint
