import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { dictionary } from '../../contract/dictionary.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { ErrorBody, ErrorDetails } from '../../contract/errors.ts'
import { errorStatus } from '../../contract/responses.ts'
import { recognizeFailure } from '../endpoint/failures.ts'
import { ApiError, notFound } from '../errors.ts'

/** Anything but an ApiError becomes INTERNAL and reveals no details. */
export function renderError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asApiError(thrown)
  if (error.status >= 500)
    request.log.error({ requestId: request.id, err: error.cause ?? error }, 'request failed')
  const format = request.routeOptions.config.errors ?? 'api'
  const { status, headers, body } = toErrorResponse(error, { requestId: request.id, format })
  return reply.status(status).headers(headers).send(body)
}

export function renderUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return renderError(notFound(`${request.method} ${requestPath(request)}`), request, reply)
}

/** Drops the query, which may contain secrets. */
export const requestPath = (request: FastifyRequest): string => request.url.split('?', 1)[0]!

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const { code, statusCode } = thrown as FastifyError
  const translated = code === undefined ? undefined : FRAMEWORK_ERRORS[code]
  if (translated) return new ApiError(...translated)
  const failure = recognizeFailure(thrown)
  if (failure) return failure
  if (UNSTORABLE.has(String(code))) return new ApiError('BAD_REQUEST', UNSTORABLE_MESSAGE, { cause: thrown })
  if (statusCode !== undefined && statusCode < 500)
    return new ApiError('BAD_REQUEST', 'The request is malformed')
  return new ApiError('INTERNAL', 'Internal error; the server log contains the cause under the request id', {
    cause: thrown,
  })
}

const MALFORMED = ['BAD_REQUEST', 'The body is not valid JSON'] as const
const FRAMEWORK_ERRORS: Record<string, readonly [ErrorBody['error']['code'], string] | undefined> =
  dictionary({
    FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body exceeds this endpoint’s size limit'],
    FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json'],
    FST_ERR_CTP_INVALID_JSON_BODY: MALFORMED,
    FST_ERR_CTP_EMPTY_JSON_BODY: MALFORMED,
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'The body’s length differs from content-length'],
    FST_ERR_BAD_URL: ['BAD_REQUEST', 'The URL is not validly encoded'],
  })

/** PostgreSQL rejects NUL, and lone surrogates in JSON. Only requests can contain them, so handlers needn't check. */
const UNSTORABLE = new Set(['22021', '22P05'])
const UNSTORABLE_MESSAGE = 'The request contains NUL or broken Unicode characters'

interface ErrorResponse {
  status: number
  headers: Record<string, string>
  body: string
}

interface RequestDetails {
  requestId: string
  format: ErrorFormat
}

/** Restarts and failovers take seconds. Errors may override this. */
const RETRY_AFTER_S = '5'

export type ErrorFormat = 'api' | NonNullable<Endpoint['errors']>

export function toErrorResponse(error: ApiError, { requestId, format }: RequestDetails): ErrorResponse {
  const headers = {
    ...(error.code === 'UNAVAILABLE' && { 'retry-after': RETRY_AFTER_S }),
    ...error.headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  }
  if (format !== 'api') {
    const status = errorStatus(format, error.code)
    return { status, headers, body: JSON.stringify(oauthBodyOf(error, format)) }
  }
  const { code, message, details } = error
  const body: ErrorBody = { success: false, error: { code, message, details, requestId } }
  return { status: error.status, headers, body: JSON.stringify(body) }
}

/** RFC 6749 and RFC 8628: an error's reason is its OAuth error code. */
function oauthBodyOf({ code, status, message, details }: ApiError, format: ErrorFormat) {
  const rateLimitCode = format === 'oauth' ? 'slow_down' : 'temporarily_unavailable'
  const error =
    reasonOf(details) ??
    (code === 'RATE_LIMITED' ? rateLimitCode : status >= 500 ? 'server_error' : 'invalid_request')
  return { error, error_description: descriptionOf(message, details) }
}

/** The OAuth format has no details, so this names every invalid field. */
const descriptionOf = (message: string, details: ErrorDetails | undefined) =>
  Array.isArray(details) ? details.map(({ path, message }) => `${path} ${message}`).join('; ') : message

function reasonOf(details: ErrorDetails | undefined): string | undefined {
  if (!Array.isArray(details)) return details?.reason
  const isAbout = (field: RegExp) => details.length > 0 && details.every(({ path }) => field.test(path))
  if (isAbout(/^body\.redirect_uris(\.|$)/)) return 'invalid_redirect_uri'
  return isAbout(/^body\.scope$/) ? 'invalid_scope' : undefined
}
