import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Mcp } from '../mcp/mcp.ts'
import type { Load } from '../observability/load.ts'
import { newId } from '../security/ids.ts'
import { acceptBodies } from './bodies.ts'
import { checkResponses } from './check-responses.ts'
import { clientErrorHandler, refuseTunnels } from './connection/client-errors.ts'
import { createHostCheck } from './connection/host.ts'
import { createBodyLimit, HEADERS_SWEEP_MS, TIME_LIMITS, type TimeLimits } from './connection/time-limits.ts'
import { serveDashboard } from './dashboard.ts'
import { serveDocs } from './docs/docs.ts'
import { renderError } from './errors.ts'
import { acceptForms } from './forms.ts'
import { safeHeaders, setHeaders } from './headers.ts'
import { type Parts, serveHealth } from './health.ts'
import { logRequests } from './log.ts'
import { serveMcp } from './mcp.ts'
import { type MetricsOptions, serveMetrics } from './metrics.ts'
import { type MountOptions, mount } from './mount.ts'
import { serveOpenApi } from './openapi.ts'
import { acceptsUpgrade, type Sockets, type SocketsOptions, serveSockets } from './sockets/sockets.ts'
import { createKnownCredentials, delayStrangers } from './strangers.ts'
import { type RequestTracing, traceRequests } from './trace-requests.ts'

interface HttpOptions extends Omit<MountOptions, 'known'>, MetricsOptions {
  log: Logger
  load: Pick<Load, 'add'>
  trustedProxies: string[]
  parts: Parts
  reportFailure?: (error: unknown) => void
  onUndeclared?: (message: string) => void
  timeLimits?: TimeLimits
  mcp: Mcp
  sockets: Pick<SocketsOptions, 'routes' | 'contextFor' | 'suspensions' | 'limits'>
  /** Null while no traces are sent, so requests skip the hook. */
  tracing: RequestTracing | null
}

declare module 'fastify' {
  interface FastifyInstance {
    connections: ReadonlySet<Socket>
    sockets: Sockets
  }
}

const BODY_BYTES_MAX = 131_072
const IDLE_SWEEP_MS = 50
const DRAIN_MS = 30_000
/** Clients that keep connections use them again by then, or have closed them. */
const REPLACED_MS = 5000

/** The contract validates. This keeps Fastify from loading two memory-hungry schema compilers. */
const unused = () => {
  throw new Error('Routes have no Fastify schemas: the contract declares input and output')
}
const NO_SCHEMAS = { buildValidator: unused, buildSerializer: unused }

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { log, timeLimits = TIME_LIMITS } = options
  const headers = safeHeaders(options.publicUrl)
  const applyHeaders = setHeaders(headers)
  const requireHost = createHostCheck()
  const bodyLimit = createBodyLimit(timeLimits.body)
  const http: FastifyInstance = fastify({
    loggerInstance: withoutChildren(log),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: BODY_BYTES_MAX,
    genReqId: (request) => validRequestId(request.headers['x-request-id']) ?? newId(),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4000 },
    schemaController: { compilersFactory: NO_SCHEMAS },
    // Gives a missing header our usual error body.
    http: {
      headersTimeout: timeLimits.headersMs,
      connectionsCheckingInterval: Math.min(HEADERS_SWEEP_MS, timeLimits.headersMs),
      requireHostHeader: false,
      shouldUpgradeCallback: acceptsUpgrade(options.sockets.routes),
    },
    clientErrorHandler: clientErrorHandler({ log, headers, replyOn: bodyLimit.replyOn }),
    // For errors before routing, such as an undecodable URL. No hooks run, so nothing limits body time.
    frameworkErrors: (error, request, reply) =>
      void renderError(error, request, applyHeaders(request, reply).header('connection', 'close')),
  })
  http.decorate('isHttps', options.publicUrl?.startsWith('https:') ?? false)
  http.decorateRequest('call', null)
  http.decorateRequest('clientSignal', null)
  trackConnections(http)
  continueOnceAdmitted(http)
  refuseTunnels(http, headers)
  http.setErrorHandler((error, request, reply) => {
    options.reportFailure?.(error)
    return renderError(error, request, reply)
  })
  bodyLimit.applyTo(http)
  http.addHook('onRequest', (request, reply, done) => {
    applyHeaders(request, reply)
    requireHost(request)
    done()
  })
  if (options.tracing) traceRequests(http, options.tracing)
  logRequests(http, options)
  const known = createKnownCredentials()
  delayStrangers(http, known, options.turns)
  const { operations } = options.invoker
  const endpoints = operations.map(({ endpoint }) => endpoint)
  if (options.onUndeclared) checkResponses(http, endpoints, options.onUndeclared)
  acceptBodies(http)
  await acceptForms(http)

  serveHealth(http, options.parts)
  serveMetrics(http, options)
  serveOpenApi(http, endpoints)
  serveDocs(http, endpoints, options.publicUrl)
  serveMcp(http, { ...options, known })
  http.decorate('sockets', serveSockets(http, { ...options.sockets, publicUrl: options.publicUrl, log }))
  for (const operation of operations) mount(http, operation, { ...options, known })
  await serveDashboard(http)
  return http
}

/** Browsers open connections in advance. Node doesn't count unused ones as idle. */
function trackConnections(http: FastifyInstance): void {
  const connections = new Set<Socket>()
  http.decorate('connections', connections)
  http.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
}

/**
 * For a process that another one on its port replaces. Closing a client's idle connection could cross its next request,
 * so each connection closes after one more response, and those left after a few silent seconds at the end.
 */
export async function drainHttp(http: FastifyInstance): Promise<void> {
  http.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const endsAt = performance.now() + REPLACED_MS
  while (http.connections.size > 0 && performance.now() < endsAt) await sleep(IDLE_SWEEP_MS)
}

export async function closeHttp(http: FastifyInstance): Promise<void> {
  const idleSweep = setInterval(() => {
    http.server.closeIdleConnections()
    for (const socket of http.connections) if (socket.bytesRead === 0) socket.destroy()
  }, IDLE_SWEEP_MS)
  const deadline = setTimeout(() => http.server.closeAllConnections(), DRAIN_MS)
  await Promise.all([http.sockets.close(), http.close()])
  // Node waits only for connections that it accepted itself.
  while (http.connections.size > 0) await sleep(IDLE_SWEEP_MS)
  clearInterval(idleSweep)
  clearTimeout(deadline)
}

/** log.ts writes one line per request, so child loggers aren't needed. */
function withoutChildren(log: Logger): FastifyBaseLogger {
  const shared = Object.create(log, { child: { value: () => shared } })
  return shared
}

/** Must be safe in logs and headers. */
function validRequestId(id: string | string[] | undefined): string | undefined {
  return typeof id === 'string' && /^[A-Za-z0-9._-]{8,128}$/.test(id) ? id : undefined
}

/** Sends `100 Continue` late, so refused clients needn't send their body. */
function continueOnceAdmitted(http: FastifyInstance): void {
  const waitingRequests = new WeakSet<IncomingMessage>()
  http.server.on('checkContinue', (request, response) => {
    waitingRequests.add(request)
    http.server.emit('request', request, response)
  })
  // Node rejects these with an empty response. RFC 9110 permits ignoring them.
  http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response))
  // Runs after every `onRequest` hook, including the route's.
  http.addHook('preParsing', (request, reply, payload, done) => {
    if (waitingRequests.delete(request.raw)) reply.raw.writeContinue()
    done(null, payload)
  })
}
