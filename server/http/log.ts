import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Load } from '../observability/load.ts'
import type { Metrics } from '../observability/metrics.ts'
import { pathOf } from './errors.ts'
import { MCP_PATH } from './mcp.ts'

/** The routes outside of /api whose requests are logged. Their secrets are in bodies and headers. */
const ROOT_PATHS = [MCP_PATH, '/token', '/register', '/revoke']

/** Path parameters that are credentials, such as the signature of a signed URL. */
const SECRET_PARAMETERS = ['ticket', 'token']

/**
 * Writes one log line and one measurement per response. Logs paths only, without secret parameters: queries and headers
 * may contain secrets too.
 */
export function logRequests(
  http: FastifyInstance,
  { metrics, load }: { metrics: Metrics; load: Pick<Load, 'add'> },
): void {
  http.addHook('onResponse', (request, reply, done) => {
    const milliseconds = reply.elapsedTime
    const route = request.routeOptions.url ?? 'unmatched'
    const { statusCode } = reply
    metrics.requests.observe(
      [request.method, measuredRoute(route, statusCode), statusCode],
      milliseconds / 1000,
    )
    const orgId = (request.call?.caller ?? request.exchange?.caller.caller)?.orgId
    if (orgId) load.add(orgId, milliseconds)
    if (isApiRoute(route)) {
      const line = { requestId: request.id, status: reply.statusCode, ms: Math.round(milliseconds * 10) / 10 }
      request.server.log.info(line, `${request.method} ${loggedPathOf(request)}`)
    }
    done()
  })
}

/**
 * Refused requests are measured for all routes together: a client that tries every route would otherwise add a series for
 * each route and status.
 */
const measuredRoute = (route: string, status: number) => (status >= 400 && status < 500 ? 'refused' : route)

/** Excludes the routes of the dashboard's files, of health checks and of metrics. */
export const isApiRoute = (route: string): boolean => route.startsWith('/api/') || ROOT_PATHS.includes(route)

function loggedPathOf(request: FastifyRequest): string {
  const isSecret = SECRET_PARAMETERS.some((name) => name in (request.params as object))
  if (!isSecret) return pathOf(request)
  const route = request.routeOptions.url!
  return SECRET_PARAMETERS.reduce((path, name) => path.replace(`:${name}`, '[redacted]'), route)
}
