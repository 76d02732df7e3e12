import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound, unauthorized } from '../errors.ts'
import type { Metrics } from '../observability/metrics.ts'
import { sameSecret } from '../security/digest.ts'

export interface MetricsOptions {
  metrics: Metrics
  metricsToken: string | null
  /** For a process that shares its port: the metrics of all. */
  readMetrics?: ((own: Metrics) => Promise<string>) | undefined
}

/** Loopback only, unless a token is configured, which is then always required. */
export function serveMetrics(
  http: FastifyInstance,
  { readMetrics = ({ registry }) => registry.metrics(), ...options }: MetricsOptions,
): void {
  http.get('/metrics', async (request, reply) => {
    if (options.metricsToken) {
      const token = request.headers.authorization?.replace(/^Bearer /i, '') ?? ''
      if (!sameSecret(token, options.metricsToken))
        throw unauthorized('The metrics token is missing or wrong')
    } else if (!isLocal(request)) {
      throw notFound('GET /metrics')
    }
    return reply.type(options.metrics.registry.contentType).send(await readMetrics(options.metrics))
  })
}

const LOOPBACK_PEER = /^(127\.|::1$|::ffff:127\.)/
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/**
 * Forwarding headers reveal a local reverse proxy. The host reveals a page that resolves to loopback (DNS rebinding).
 */
function isLocal(request: FastifyRequest): boolean {
  const peer = request.socket.remoteAddress ?? ''
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some(
    (name) => request.headers[name],
  )
  return !isForwarded && LOOPBACK_PEER.test(peer) && LOOPBACK_HOST.test(request.headers.host ?? '')
}
