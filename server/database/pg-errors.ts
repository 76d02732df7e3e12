import postgres from 'postgres'

const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown, index: string): boolean =>
  isViolation(error, UNIQUE_VIOLATION, index)

export const isForeignKeyViolation = (error: unknown, constraint: string): boolean =>
  isViolation(error, FOREIGN_KEY_VIOLATION, constraint)

const isViolation = (error: unknown, code: string, constraint: string): boolean =>
  error instanceof postgres.PostgresError && error.code === code && error.constraint_name === constraint
