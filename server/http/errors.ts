import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { dictionary } from '../../contract/dictionary.ts'
import type { ErrorBody } from '../../contract/errors.ts'
import { failureOf } from '../endpoint/failures.ts'
import { ApiError, notFound } from '../errors.ts'
import { errorResponseOf } from './error-response.ts'

/** Renders every error. An error that is not an ApiError becomes INTERNAL and reveals no details. */
export function renderError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asApiError(thrown)
  if (error.status >= 500)
    request.log.error({ requestId: request.id, err: error.cause ?? error }, 'request failed')
  const format = request.routeOptions.config.errors ?? 'api'
  const { status, headers, body } = errorResponseOf(error, { requestId: request.id, format })
  return reply.status(status).headers(headers).send(body)
}

export function renderUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return renderError(notFound(`${request.method} ${pathOf(request)}`), request, reply)
}

/** The path without the query, which may contain secrets. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  const { code, statusCode } = thrown as FastifyError
  const translated = code === undefined ? undefined : FRAMEWORK_ERRORS[code]
  if (translated) return new ApiError(...translated)
  const failure = failureOf(thrown)
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
    FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body exceeds the size limit of this endpoint'],
    FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json'],
    FST_ERR_CTP_INVALID_JSON_BODY: MALFORMED,
    FST_ERR_CTP_EMPTY_JSON_BODY: MALFORMED,
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'The length of the body differs from content-length'],
    FST_ERR_BAD_URL: ['BAD_REQUEST', 'The URL is not validly encoded'],
  })

/**
 * PostgreSQL refuses text with NUL, or with a lone surrogate in JSON. Only a request can contain it, and no handler needs
 * to check each text for it.
 */
const UNSTORABLE = new Set(['22021', '22P05'])
const UNSTORABLE_MESSAGE = 'The request contains NUL or broken Unicode characters'
