import { ERROR_STATUS, type ErrorCode, type ErrorDetails } from '../contract/errors.ts'

/** The message is sent to the caller; `cause` appears only in the log. Rendered in http/errors.ts. */
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
    'You have view-only access to this organization’s files: you can’t edit in any of its workspaces',
    {
      reason: 'view_only',
    },
  )

/**
 * Too much work waits, for the caller's organization (RATE_LIMITED) or overall (UNAVAILABLE). Not an ApiError, so code
 * that takes one as an answer, such as "this number is invalid", never mistakes a full queue for it.
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

  asApiError(): ApiError {
    return new ApiError(this.code, this.message, {
      details: { reason: 'busy' },
      headers: { 'retry-after': String(this.retryAfterS) },
    })
  }
}

/** `path` names the field as in `body.name`. */
export const badField = (path: string, message: string) =>
  new ApiError('BAD_REQUEST', `${path} ${message}`, { details: [{ path, message }] })

export const stale = () =>
  new ApiError('PRECONDITION_FAILED', 'The record has changed since you read it: read it again and retry', {
    details: { reason: 'stale' },
  })

/** A failure the operator can fix: `explain.ts` prints the message without a stack trace. */
export class StartupError extends Error {}
