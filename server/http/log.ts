import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Load } from '../observability/load.ts'
import type { Metrics } from '../observability/metrics.ts'
import { requestPath } from './errors.ts'
import { MCP_PATH } from './mcp.ts'

/** Logged routes outside /api. Their secrets are in bodies and headers. */
const ROOT_PATHS = [MCP_PATH, '/token', '/register', '/revoke']

const SECRET_PARAMETERS = ['token']

/**
 * One line and one measurement per response. Logs only paths without secret parameters: queries and headers may contain
 * secrets.
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

/** Otherwise a client trying every route would add a series per route and status. */
const measuredRoute = (route: string, status: number) => (status >= 400 && status < 500 ? 'refused' : route)

export const isApiRoute = (route: string): boolean => route.startsWith('/api/') || ROOT_PATHS.includes(route)

function loggedPathOf(request: FastifyRequest): string {
  const isSecret = SECRET_PARAMETERS.some((name) => name in (request.params as object))
  if (!isSecret) return requestPath(request)
  const route = request.routeOptions.url!
  return SECRET_PARAMETERS.reduce((path, name) => path.replace(`:${name}`, '[redacted]'), route)
}
