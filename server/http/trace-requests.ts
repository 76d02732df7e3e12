import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type ActiveTrace,
  endTrace,
  enterTrace,
  openTrace,
  setTraceAttributes,
  type Tracer,
} from '../observability/tracing.ts'
import { createNetworkList } from '../security/client-network.ts'
import { isApiRoute } from './log.ts'

export interface RequestTracing {
  tracer: Tracer
  /** Only these networks' `traceparent` continues a trace. */
  trustedNetworks: readonly string[]
}

declare module 'fastify' {
  interface FastifyRequest {
    trace: ActiveTrace | null
  }
}

/**
 * Spans contain the route, never the path, query or headers, which may contain tokens. Only trusted networks continue
 * their trace: others could join foreign traces and decide what's recorded. Theirs are linked.
 */
export function traceRequests(http: FastifyInstance, { tracer, trustedNetworks }: RequestTracing): void {
  const isTrusted = createNetworkList(trustedNetworks)
  http.decorateRequest('trace', null)
  http.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url
    if (route === undefined || !isApiRoute(route)) return done()
    const { traceparent } = request.headers
    const remote = typeof traceparent === 'string' ? traceparent : null
    const continues = isTrusted(request.socket.remoteAddress ?? '')
    request.trace = openTrace(
      tracer,
      {
        name: `${request.method} ${route}`,
        kind: 'server',
        parent: continues ? remote : null,
        link: continues ? null : remote,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'url.scheme': request.protocol,
          'atrium.request.id': request.id,
        },
      },
      null,
    )
    enterTrace(request.trace, done)
  })
  // The body arrives in the connection's async context.
  http.addHook('preHandler', (request, _reply, done) => {
    if (!request.trace) return done()
    enterTrace(request.trace, () => {
      describeCaller(request)
      done()
    })
  })
  http.addHook('onResponse', (request, reply, done) => {
    const { trace } = request
    if (trace) {
      trace.span?.set({ 'http.response.status_code': reply.statusCode })
      if (reply.statusCode >= 500) {
        trace.onSuccess.length = 0
        trace.span?.fail(String(reply.statusCode))
      }
      endTrace(trace)
    }
    done()
  })
}

function describeCaller({ call, exchange }: FastifyRequest): void {
  const caller = call?.caller ?? exchange?.caller.caller
  if (caller) setTraceAttributes({ 'atrium.organization.id': caller.orgId, 'atrium.caller.kind': caller.via })
}
