import { isContended, isDatabaseFull, isDatabaseUnavailable, isTimeout } from '../database/pg-errors.ts'
import { ApiError, Busy } from '../errors.ts'
import { ObjectStoreUnavailable, ServerDiskUnavailable } from '../storage/unavailable.ts'

/** For every transport, with the reason and when to retry. Null for any other error. */
export function recognizeFailure(thrown: unknown): ApiError | null {
  if (thrown instanceof Busy) return thrown.asApiError()
  if (isTimeout(thrown)) return tookTooLong(thrown)
  if (isContended(thrown)) return contended(thrown)
  const fullPart = fullPartOf(thrown)
  if (fullPart) {
    const [message, reason] = FULL[fullPart]
    const headers = { 'retry-after': FULL_RETRY_S }
    return new ApiError('INSUFFICIENT_STORAGE', message, { details: { reason }, headers, cause: thrown })
  }
  const part = unavailablePartOf(thrown)
  if (!part) return null
  const [message, reason] = UNAVAILABLE[part]
  return new ApiError('UNAVAILABLE', message, { details: { reason }, cause: thrown })
}

/** In seconds: an operator has to make space first. */
const FULL_RETRY_S = '60'

const tookTooLong = (cause: unknown) =>
  new ApiError('UNAVAILABLE', 'The database took too long to respond: try again, or request less data', {
    cause,
    details: { reason: 'timeout' },
  })

const contended = (cause: unknown) =>
  new ApiError('UNAVAILABLE', 'Another change to the same records is in progress: try again in a moment', {
    cause,
    details: { reason: 'busy' },
    headers: { 'retry-after': '1' },
  })

const UNAVAILABLE = {
  database: ['The database is unavailable', 'database_unavailable'],
  objectStorage: ['Object storage is unavailable', 'object_storage_unavailable'],
  serverDisk: ["The server's disk cannot be used", 'server_disk_unavailable'],
} as const

const FULL = {
  database: ['Nothing was stored: the database disk is full', 'database_full'],
  objectStorage: ['Nothing was stored: the file storage is full', 'object_storage_full'],
  serverDisk: ["Nothing was stored: the server's disk is full", 'server_disk_full'],
} as const

function fullPartOf(thrown: unknown): keyof typeof FULL | null {
  if (thrown instanceof ObjectStoreUnavailable) return thrown.isFull ? 'objectStorage' : null
  if (thrown instanceof ServerDiskUnavailable) return thrown.isFull ? 'serverDisk' : null
  return isDatabaseFull(thrown) ? 'database' : null
}

/** Codes alone are ambiguous: a bucket also refuses connections. */
function unavailablePartOf(thrown: unknown): keyof typeof UNAVAILABLE | null {
  if (thrown instanceof ObjectStoreUnavailable) return 'objectStorage'
  if (thrown instanceof ServerDiskUnavailable) return 'serverDisk'
  return isDatabaseUnavailable(thrown) ? 'database' : null
}
