import { isContended, isDatabaseFull, isDatabaseUnavailable } from '../database/pg-errors.ts'
import { ObjectStoreUnavailable, ServerDiskUnavailable } from '../storage/unavailable.ts'

/**
 * The database, the file storage or the disk is full or doesn't respond. The work itself is fine, so the attempt
 * doesn't count.
 */
export const isPassing = (error: unknown): boolean =>
  error instanceof ObjectStoreUnavailable ||
  error instanceof ServerDiskUnavailable ||
  isDatabaseFull(error) ||
  isDatabaseUnavailable(error) ||
  isContended(error)

/** Until the next attempt. */
export const PASSING_MS = 30_000
