import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '../contract/errors.ts'

/** An error whose message is sent to the caller; `cause` appears in the log only. Rendered in http/errors.ts. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: ErrorDetails | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: ErrorOptions & Extras = {}) {
    super(message, options)
    this.name = 'ApiError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

interface Extras {
  details?: ErrorDetails
  headers?: Record<string, string>
}

/** `find(...) ?? raise(notFound('Feedback'))` */
export function raise(error: Error): never {
  throw error
}

export const notFound = (resource: string, details?: ErrorDetails) =>
  new ApiError('NOT_FOUND', `${resource} not found`, { details })
export const badRequest = (message: string) => new ApiError('BAD_REQUEST', message)
export const conflict = (message: string) => new ApiError('CONFLICT', message)
export const unauthorized = (message: string, details?: ErrorDetails) =>
  new ApiError('UNAUTHORIZED', message, { details })
export const forbidden = (message: string, details?: ErrorDetails) =>
  new ApiError('FORBIDDEN', message, { details })

export const viewOnly = () => forbidden('You have view-only access to this project', { reason: 'view_only' })
export const rootViewOnly = () =>
  forbidden(
    'You have view-only access to the files of this organization: you can edit in none of its workspaces',
    {
      reason: 'view_only',
    },
  )

/**
 * More work waits than is allowed: of the caller's organization (RATE_LIMITED) or of all (UNAVAILABLE). It is not an
 * ApiError, so that code which takes one as an answer, such as "this number is invalid", never takes a full queue for it.
 */
export class Busy extends Error {
  readonly code: 'RATE_LIMITED' | 'UNAVAILABLE'
  readonly retryAfterS: number

  constructor(code: Busy['code'], message: string, retryAfterS = 5) {
    super(message)
    this.name = 'Busy'
    this.code = code
    this.retryAfterS = retryAfterS
  }

  /** The response to a caller who can try again. */
  asApiError(): ApiError {
    return new ApiError(this.code, this.message, {
      details: { reason: 'busy' },
      headers: { 'retry-after': String(this.retryAfterS) },
    })
  }
}

/** Invalid input; `path` names the field as in `body.name`. */
export const badField = (path: string, message: string) =>
  new ApiError('BAD_REQUEST', `${path} ${message}`, { details: [{ path, message }] })

export const stale = () =>
  new ApiError('PRECONDITION_FAILED', 'The record has changed since you read it: read it again and retry', {
    details: { reason: 'stale' },
  })

/** A failure that the operator can fix: `explain.ts` prints the message without a stack trace. */
export class StartupError extends Error {}
