import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type DeclaredResponse, responsesOf } from '../../contract/responses.ts'
import { lazy } from '../concurrency/lazy.ts'

/** Compares every response of an endpoint with its declaration, which is also the OpenAPI document. For tests. */
export function checkResponses(
  http: FastifyInstance,
  endpoints: Endpoint[],
  onUndeclared: (message: string) => void,
): void {
  // Computed on demand: a test calls few of the endpoints.
  const declarations = new Map(
    endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, lazy(() => responsesOf(endpoint))]),
  )
  http.addHook('onSend', async (request, reply) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = `${method} ${request.routeOptions.url}`
    const declared = declarations.get(route)?.()
    if (!declared) return
    const type = reply.getHeader('content-type')?.toString()
    if (isDeclared(declared, reply.statusCode, type)) return
    onUndeclared(
      `${route} answered ${reply.statusCode} ${type ?? 'without a body'}, which its endpoint in contract/ does not declare (contract/responses.ts)`,
    )
  })
}

/** Whether a response with this status and content type is declared. */
export function isDeclared(
  declared: DeclaredResponse[],
  status: number,
  contentType: string | undefined,
): boolean {
  const [type = ''] = contentType?.toLowerCase().split(';') ?? []
  return declared
    .filter((response) => response.status === status)
    .some(({ mediaTypes }) =>
      type === '' ? mediaTypes.length === 0 : mediaTypes.some((range) => covers(range, type.trim())),
    )
}

const covers = (range: string, type: string) =>
  range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) : range === type
