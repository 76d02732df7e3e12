import type { ErrorBody, ErrorDetails } from '../../contract/errors.ts'
import type { ApiError } from '../errors.ts'

export interface ErrorResponse {
  status: number
  headers: Record<string, string>
  body: string
}

interface Requested {
  requestId: string
  format: 'api' | 'oauth'
}

/** The response to an error, before and after routing alike. */
export function errorResponseOf(error: ApiError, { requestId, format }: Requested): ErrorResponse {
  const headers = {
    ...error.headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  }
  if (format === 'oauth') {
    const status = error.status >= 500 ? error.status : 400
    return { status, headers, body: JSON.stringify(oauthBodyOf(error)) }
  }
  const { code, message, details } = error
  const body: ErrorBody = { success: false, error: { code, message, details, requestId } }
  return { status: error.status, headers, body: JSON.stringify(body) }
}

/** Per RFC 6749 and RFC 8628: the reason of an error is its OAuth error code, 400 every status below 500. */
function oauthBodyOf({ code, status, message, details }: ApiError) {
  const error =
    reasonOf(details) ??
    (code === 'RATE_LIMITED' ? 'slow_down' : status >= 500 ? 'server_error' : 'invalid_request')
  return { error, error_description: descriptionOf(message, details) }
}

/** Has no details, so it names every invalid field. */
const descriptionOf = (message: string, details: ErrorDetails | undefined) =>
  Array.isArray(details) ? details.map(({ path, message }) => `${path} ${message}`).join('; ') : message

function reasonOf(details: ErrorDetails | undefined): string | undefined {
  if (!Array.isArray(details)) return details?.reason
  const isScope = details.length > 0 && details.every(({ path }) => path === 'body.scope')
  return isScope ? 'invalid_scope' : undefined
}
