import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'

/** Without `access-control-allow-credentials`: a browser sends no cookies, and a page reads only data that any program can read. */
export const CROSS_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Answers the CORS preflight request of a browser. */
export function acceptPreflight(http: FastifyInstance, { method, path }: Endpoint): void {
  http.options(path, async (_request, reply) =>
    reply
      .status(204)
      .headers({
        ...CROSS_ORIGIN,
        'access-control-allow-methods': `${method}, OPTIONS`,
        'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
        'access-control-max-age': '86400',
      })
      .send(),
  )
}
