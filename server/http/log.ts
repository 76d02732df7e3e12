import type { FastifyInstance } from 'fastify'
import { pathOf } from './errors.ts'
import type { Metrics } from './metrics.ts'

/** Writes one log line and one measurement per response. Logs paths only: queries and headers may contain secrets. */
export function logRequests(http: FastifyInstance, metrics: Metrics): void {
  http.addHook('onResponse', (request, reply, done) => {
    const milliseconds = reply.elapsedTime
    const route = request.routeOptions.url ?? 'unmatched'
    metrics.requests.observe(request.method, route, reply.statusCode, milliseconds / 1000)
    if (route.startsWith('/api/')) {
      const line = { requestId: request.id, status: reply.statusCode, ms: Math.round(milliseconds * 10) / 10 }
      request.server.log.info(line, `${request.method} ${pathOf(request)}`)
    }
    done()
  })
}
