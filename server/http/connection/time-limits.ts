import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from '../../errors.ts'
import { errorResponseOf } from '../errors.ts'

interface BodyTimeLimit {
  /** A body has to deliver `bytesMin` bytes in each window of this length, or end. */
  windowMs: number
  bytesMin: number
  sweepMs: number
}

/** 500 bytes per second: a slow upload continues while data arrives, and an unfinished body stays for half a minute. */
const BODY_TIME_LIMIT: BodyTimeLimit = { windowMs: 30_000, bytesMin: 15_000, sweepMs: 5000 }

export interface TimeLimits {
  /** How long the headers of a request may take to arrive. */
  headersMs: number
  body: BodyTimeLimit
}

export const TIME_LIMITS: TimeLimits = { headersMs: 20_000, body: BODY_TIME_LIMIT }
/** How often Node checks for connections whose headers are late. */
export const HEADERS_SWEEP_MS = 5000

/** Ends every request, on any route, whose body stops arriving. */
export function createBodyLimit(limit: BodyTimeLimit) {
  const progress = createBodyProgress<IncomingMessage, FastifyReply>(limit, (_message, reply) =>
    endEarly(reply, tooSlow(limit)),
  )
  return {
    /** The reply to the request whose body arrives on this connection. */
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

/** Responds while the body is still arriving, and closes the connection, so that a handler that reads the body stops. */
export function endEarly(reply: FastifyReply, error: ApiError): void {
  const { raw, request } = reply
  // The response was sent before the body was complete, and the rest of the body is only discarded.
  if (reply.sent || raw.headersSent) {
    request.raw.destroy()
    return
  }
  // From here on Fastify ignores the outcome of the handler.
  reply.hijack()
  const format = request.routeOptions.config.errors ?? 'api'
  const { status, headers, body } = errorResponseOf(error, { requestId: request.id, format })
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

/** Follows bodies while they arrive. `sweep` passes those that are too slow to `expire`, once each. */
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
    // Received bytes wait in the buffer: the server reads too slowly, not the client.
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
    /** Stops observing an answered message, unless its body is unfinished. */
    release: (message: M): void => {
      if (message.complete) windows.delete(message)
    },
    sweep: (): void => {
      for (const [message, window] of windows) check(message, window)
    },
    /** The reply to the request whose body arrives on this connection. */
    replyOn: (socket: unknown): R | undefined =>
      [...windows].find(([message]) => message.socket === socket && !message.complete)?.[1].reply,
    size: () => windows.size,
  }
}
