import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../errors.ts'
import { toErrorResponse } from '../errors.ts'

interface BodyTimeLimit {
  /** A body must deliver `bytesMin` bytes per window, or end. */
  windowMs: number
  bytesMin: number
  sweepMs: number
}

/** 500 bytes per second: slow uploads continue, stalled bodies last half a minute. */
const BODY_TIME_LIMIT: BodyTimeLimit = { windowMs: 30_000, bytesMin: 15_000, sweepMs: 5000 }

export interface TimeLimits {
  headersMs: number
  body: BodyTimeLimit
}

export const TIME_LIMITS: TimeLimits = { headersMs: 20_000, body: BODY_TIME_LIMIT }
export const HEADERS_SWEEP_MS = 5000

export function createBodyLimit(limit: BodyTimeLimit) {
  const progress = createBodyProgress<IncomingMessage, FastifyReply>(limit, (_message, reply) =>
    endEarly(reply, tooSlow(limit)),
  )
  return {
    replyOn: progress.replyOn,
    applyTo(http: FastifyInstance): void {
      http.addHook('onRequest', (request, reply, done) => {
        if (hasBody(request.raw)) progress.watch(request.raw, reply)
        done()
      })
      http.addHook('onResponse', (request, _reply, done) => {
        progress.release(request.raw)
        done()
      })
      const sweep = setInterval(progress.sweep, limit.sweepMs).unref()
      http.addHook('onClose', (_, done) => {
        clearInterval(sweep)
        done()
      })
    },
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined ||
  (headers['content-length'] !== undefined && headers['content-length'] !== '0')

const tooSlow = ({ windowMs }: BodyTimeLimit) =>
  new ApiError('REQUEST_TIMEOUT', `The body arrived too slowly: ${windowMs / 1000} s without enough progress`)

/** Closes the connection so that a handler reading the body stops. */
export function endEarly(reply: FastifyReply, error: ApiError): void {
  const { raw, request } = reply
  // The remaining body is only being discarded.
  if (reply.sent || raw.headersSent) {
    request.raw.destroy()
    return
  }
  // From here on, Fastify ignores the handler's outcome.
  reply.hijack()
  const format = request.routeOptions.config.errors ?? 'api'
  const { status, headers, body } = toErrorResponse(error, { requestId: request.id, format })
  const length = { 'content-length': Buffer.byteLength(body) }
  raw.writeHead(status, { ...definedHeaders(reply), ...headers, ...length, connection: 'close' })
  raw.end(body, () => request.raw.destroy())
}

const definedHeaders = (reply: FastifyReply) =>
  Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined))

type IncomingBody = Pick<IncomingMessage, 'complete' | 'destroyed' | 'readableLength'> & {
  socket: { bytesRead: number }
}

interface Window<R> {
  reply: R
  startedAt: number
  bytesBefore: number
}

/** `sweep` passes each slow body to `expire` once. */
export function createBodyProgress<M extends IncomingBody, R>(
  { windowMs, bytesMin }: Pick<BodyTimeLimit, 'windowMs' | 'bytesMin'>,
  expire: (message: M, reply: R) => void,
  now: () => number = () => performance.now(),
) {
  const windows = new Map<M, Window<R>>()

  const windowOf = ({ socket }: M, reply: R): Window<R> => ({
    reply,
    startedAt: now(),
    bytesBefore: socket.bytesRead,
  })

  function check(message: M, { reply, startedAt, bytesBefore }: Window<R>): void {
    if (message.complete || message.destroyed) {
      windows.delete(message)
      return
    }
    // Buffered bytes: the server is slow, not the client.
    if (message.readableLength > 0) {
      windows.set(message, windowOf(message, reply))
      return
    }
    if (now() - startedAt < windowMs) return
    if (message.socket.bytesRead - bytesBefore >= bytesMin) {
      windows.set(message, windowOf(message, reply))
      return
    }
    windows.delete(message)
    expire(message, reply)
  }

  return {
    watch: (message: M, reply: R): void => void windows.set(message, windowOf(message, reply)),
    /** Unfinished bodies stay observed. */
    release: (message: M): void => {
      if (message.complete) windows.delete(message)
    },
    sweep: (): void => {
      for (const [message, window] of windows) check(message, window)
    },
    replyOn: (socket: unknown): R | undefined =>
      [...windows].find(([message]) => message.socket === socket && !message.complete)?.[1].reply,
    size: () => windows.size,
  }
}
