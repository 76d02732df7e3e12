import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { createHostCheck } from './connection/host.ts'
import { renderError, renderUnknownRoute } from './errors.ts'
import { safeHeaders, setHeaders } from './headers.ts'
import { type Parts, serveHealth } from './health.ts'
import { type MetricsOptions, serveMetrics } from './metrics.ts'

interface WorkerHttpOptions extends MetricsOptions {
  parts: Parts
  log: Logger
}

export function createWorkerHttp({ log, ...options }: WorkerHttpOptions): FastifyInstance {
  const http: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  const applyHeaders = setHeaders(safeHeaders(null))
  const requireHost = createHostCheck()
  http.addHook('onRequest', (request, reply, done) => {
    applyHeaders(request, reply)
    requireHost(request)
    done()
  })
  http.setErrorHandler(renderError)
  http.setNotFoundHandler(renderUnknownRoute)
  serveHealth(http, options.parts)
  serveMetrics(http, options)
  return http
}
