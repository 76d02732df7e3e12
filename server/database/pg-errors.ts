import postgres from 'postgres'

const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'
const CHECK_VIOLATION = '23514'
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'
const QUERY_CANCELED = '57014'
const IDLE_IN_TRANSACTION_TIMEOUT = '25P03'
const READ_ONLY = '25006'
const DISK_FULL = '53100'

export const isUniqueViolation = (error: unknown, index: string): boolean =>
  isViolation(error, UNIQUE_VIOLATION, index)

export const isForeignKeyViolation = (error: unknown, constraint: string): boolean =>
  isViolation(error, FOREIGN_KEY_VIOLATION, constraint)

/** PostgreSQL canceled a statement, or ended a transaction that waited for too long. */
export function isTimeout(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === QUERY_CANCELED || code === IDLE_IN_TRANSACTION_TIMEOUT
}

/** The connection is lost, or could not be opened. Whether PostgreSQL executed the statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  return severity === 'FATAL' || severity === 'PANIC' || isDriverCode(code) || isSocketCode(code)
}

/** PostgreSQL has no disk space left. */
export const isDatabaseFull = (error: unknown): boolean => (error as { code?: unknown }).code === DISK_FULL

/** Whether the database, or its primary, is unreachable. Returns false for the socket errors of other servers. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  const isOfQuery = error instanceof Error && 'query' in error
  const isRefused = severity === 'FATAL' || severity === 'PANIC' || UNAVAILABLE_CODE.test(String(code))
  return isRefused || isDriverCode(code) || code === READ_ONLY || (isOfQuery && isSocketCode(code))
}

/**
 * SQLSTATE of lost connections (08), of exhausted connections and memory (53), and of an operator's shutdown (57P).
 * PgBouncer reports 08P01 for its own limits, such as `query_wait_timeout` and `server_login_retry`.
 */
const UNAVAILABLE_CODE = /^(08...|53[2-4]00|57P0[1-5])$/

const isDriverCode = (code: unknown): boolean => DRIVER_CODES.has(String(code))
const isSocketCode = (code: unknown): boolean => SOCKET_CODES.has(String(code))

/** Error codes of the database driver, and of PostgreSQL while it stops or starts. */
const DRIVER_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  '57P01',
  '57P02',
  '57P03',
])

/**
 * Error codes of sockets. The driver adds the query to such an error, which distinguishes it from those of other
 * servers.
 */
const SOCKET_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

/** A lock was not free within `lock_timeout`, or waiting for it would have been a deadlock. */
export function isLockRefused(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED
}

export const isCheckViolation = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === CHECK_VIOLATION

/** Data exceptions and violated constraints: the values of the statement are the cause. */
export const isCausedByData = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^2[23]/.test(error.code)

const isViolation = (error: unknown, code: string, constraint: string): boolean =>
  error instanceof postgres.PostgresError && error.code === code && error.constraint_name === constraint
