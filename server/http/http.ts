import type { Socket } from 'node:net'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { newId } from '../security/ids.ts'
import { acceptBodies } from './bodies.ts'
import { serveDashboard } from './dashboard.ts'
import { serveDocs } from './docs/docs.ts'
import { renderError } from './errors.ts'
import { acceptForms } from './forms.ts'
import { safeHeaders } from './headers.ts'
import { serveHealth } from './health.ts'
import { logRequests } from './log.ts'
import { type Metrics, serveMetrics } from './metrics.ts'
import { type MountOptions, mount } from './mount.ts'
import { serveOpenApi } from './openapi.ts'

export interface HttpOptions extends MountOptions {
  log: Logger
  metrics: Metrics
  trustedProxies: string[]
  metricsToken: string | null
  isReady: () => Promise<boolean>
}

declare module 'fastify' {
  interface FastifyInstance {
    connections: ReadonlySet<Socket>
  }
}

/** The body of a request to an endpoint that declares no other limit. */
const BODY_BYTES_MAX = 131_072
const IDLE_SWEEP_MS = 50
const DRAIN_MS = 30_000

/** The web server: what every request passes through, in order, and then everything it can reach. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const setHeaders = safeHeaders(options.publicUrl)
  const http: FastifyInstance = fastify({
    loggerInstance: withoutChildren(options.log),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: BODY_BYTES_MAX,
    genReqId: (request) => validRequestId(request.headers['x-request-id']) ?? newId(),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4000 },
    // Such as an address that cannot be decoded: no hook runs for these.
    frameworkErrors: (error, request, reply) => void renderError(error, request, setHeaders(request, reply)),
  })
  http.decorate('isHttps', options.publicUrl?.startsWith('https:') ?? false)
  http.decorateRequest('call', null)
  trackConnections(http)
  http.setErrorHandler(renderError)
  http.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply)
    done()
  })
  logRequests(http, options.metrics)
  acceptBodies(http)
  await acceptForms(http)

  serveHealth(http, options.isReady)
  serveMetrics(http, options)
  const { operations } = options.invoker
  const endpoints = operations.map(({ endpoint }) => endpoint)
  serveOpenApi(http, endpoints)
  serveDocs(http, endpoints, options.publicUrl)
  for (const operation of operations) mount(http, operation, options)
  await serveDashboard(http)
  return http
}

/** Browsers connect in advance, and what was never used does not count as idle: closing has to know of it. */
function trackConnections(http: FastifyInstance): void {
  const connections = new Set<Socket>()
  http.decorate('connections', connections)
  http.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
}

/** Lets running requests finish, within reason, and then hangs up on clients that would keep their connection. */
export async function closeHttp(http: FastifyInstance): Promise<void> {
  const idle = setInterval(() => {
    http.server.closeIdleConnections()
    for (const socket of http.connections) if (socket.bytesRead === 0) socket.destroy()
  }, IDLE_SWEEP_MS)
  const late = setTimeout(() => http.server.closeAllConnections(), DRAIN_MS)
  await http.close()
  clearInterval(idle)
  clearTimeout(late)
}

/** One line per request is written in log.ts; a logger per request would only cost. */
function withoutChildren(log: Logger): FastifyBaseLogger {
  const shared = Object.create(log, { child: { value: () => shared } })
  return shared
}

/** A caller's own request id is kept if it is harmless in a log and a header. */
function validRequestId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{8,128}$/.test(given) ? given : undefined
}
