import type { Endpoint } from '../../contract/endpoint.ts'
import type { ErrorBody, ErrorDetails } from '../../contract/errors.ts'
import { errorStatusOf } from '../../contract/responses.ts'
import type { ApiError } from '../errors.ts'

export interface ErrorResponse {
  status: number
  headers: Record<string, string>
  body: string
}

interface RequestDetails {
  requestId: string
  format: ErrorFormat
}

/** A restart or a failover takes a few seconds. An error that knows better sets its own. */
const RETRY_AFTER_S = '5'

export type ErrorFormat = 'api' | NonNullable<Endpoint['errors']>

/** The response to an error, before and after routing alike. */
export function errorResponseOf(error: ApiError, { requestId, format }: RequestDetails): ErrorResponse {
  const headers = {
    ...(error.code === 'UNAVAILABLE' && { 'retry-after': RETRY_AFTER_S }),
    ...error.headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  }
  if (format !== 'api') {
    const status = errorStatusOf(format, error.code)
    return { status, headers, body: JSON.stringify(oauthBodyOf(error, format)) }
  }
  const { code, message, details } = error
  const body: ErrorBody = { success: false, error: { code, message, details, requestId } }
  return { status: error.status, headers, body: JSON.stringify(body) }
}

/** Per RFC 6749 and RFC 8628: the reason of an error is its OAuth error code. */
function oauthBodyOf({ code, status, message, details }: ApiError, format: ErrorFormat) {
  const rateLimitCode = format === 'oauth' ? 'slow_down' : 'temporarily_unavailable'
  const error =
    reasonOf(details) ??
    (code === 'RATE_LIMITED' ? rateLimitCode : status >= 500 ? 'server_error' : 'invalid_request')
  return { error, error_description: descriptionOf(message, details) }
}

/** The OAuth format has no details, so the description names every invalid field. */
const descriptionOf = (message: string, details: ErrorDetails | undefined) =>
  Array.isArray(details) ? details.map(({ path, message }) => `${path} ${message}`).join('; ') : message

function reasonOf(details: ErrorDetails | undefined): string | undefined {
  if (!Array.isArray(details)) return details?.reason
  const isAbout = (field: RegExp) => details.length > 0 && details.every(({ path }) => field.test(path))
  if (isAbout(/^body\.redirect_uris(\.|$)/)) return 'invalid_redirect_uri'
  return isAbout(/^body\.scope$/) ? 'invalid_scope' : undefined
}
