import postgres from 'postgres'

const UNIQUE_VIOLATION = '23505'

/** Whether a statement failed because somebody else has what this unique index keeps apart. */
export const isTaken = (error: unknown, index: string) =>
  error instanceof postgres.PostgresError &&
  error.code === UNIQUE_VIOLATION &&
  error.constraint_name === index
