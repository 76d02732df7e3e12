import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { ApiError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { toErrorResponse } from '../errors.ts'
import { endEarly } from './time-limits.ts'

interface ClientErrorOptions {
  log: Logger
  headers: Record<string, string>
  replyOn: (socket: Socket) => FastifyReply | undefined
}

/** For malformed request lines and oversized headers, which Fastify can't route. */
export const clientErrorHandler =
  ({ log, headers, replyOn }: ClientErrorOptions) =>
  (thrown: Error & { code?: string }, socket: Socket): void => {
    if (thrown.code === 'ECONNRESET' || !socket.writable || isAnswered(socket)) {
      socket.destroy()
      return
    }
    const error = asApiError(thrown.code)
    const reply = replyOn(socket)
    if (reply) {
      endEarly(reply, error)
      return
    }
    const requestId = newId()
    log.info({ requestId, status: error.status, cause: thrown.code }, 'refused before routing')
    endSocket(socket, error, { ...headers, 'x-request-id': requestId })
  }

/** Node doesn't pass `CONNECT` on as a request. */
export function refuseTunnels({ server }: FastifyInstance, headers: Record<string, string>): void {
  server.on('connect', (_request, socket) =>
    endSocket(socket as Socket, new ApiError('NOT_FOUND', 'CONNECT is not supported'), {
      ...headers,
      'x-request-id': newId(),
    }),
  )
}

function endSocket(socket: Socket, error: ApiError, headers: Record<string, string>): void {
  const response = toErrorResponse(error, { requestId: headers['x-request-id']!, format: 'api' })
  const lines = Object.entries({
    ...headers,
    ...response.headers,
    'content-length': String(Buffer.byteLength(response.body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  const start = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`
  socket.end([start, ...lines, '', response.body].join('\r\n'), () => socket.destroy())
}

/** More bytes would corrupt the response Node is sending. */
const isAnswered = (socket: Socket & { _httpMessage?: { headersSent: boolean } | null }) =>
  socket._httpMessage?.headersSent === true

function asApiError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ApiError('HEADERS_TOO_LARGE', 'The URL and the headers exceed 16 KB')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('REQUEST_TIMEOUT', 'The request headers arrived too slowly')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new ApiError('PAYLOAD_TOO_LARGE', 'The body’s chunk extensions are too large')
  return new ApiError('BAD_REQUEST', 'The request is not valid HTTP/1.1')
}
