import postgres from 'postgres'

const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'
const QUERY_CANCELED = '57014'
const IDLE_IN_TRANSACTION_TIMEOUT = '25P03'

export const isUniqueViolation = (error: unknown, index: string): boolean =>
  isViolation(error, UNIQUE_VIOLATION, index)

export const isForeignKeyViolation = (error: unknown, constraint: string): boolean =>
  isViolation(error, FOREIGN_KEY_VIOLATION, constraint)

/** PostgreSQL canceled a statement, or ended a transaction that waited for too long. */
export function isTimeout(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === QUERY_CANCELED || code === IDLE_IN_TRANSACTION_TIMEOUT
}

/** Data exceptions and violated constraints: the values of the statement are the cause. */
export const isCausedByData = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^2[23]/.test(error.code)

const isViolation = (error: unknown, code: string, constraint: string): boolean =>
  error instanceof postgres.PostgresError && error.code === code && error.constraint_name === constraint
