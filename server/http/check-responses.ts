import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type DeclaredResponse, declaredResponses } from '../../contract/responses.ts'
import { lazy } from '../concurrency/lazy.ts'

/** For tests. The declaration is also the OpenAPI document. */
export function checkResponses(
  http: FastifyInstance,
  endpoints: Endpoint[],
  onUndeclared: (message: string) => void,
): void {
  const declarations = new Map(
    endpoints.map((endpoint) => [
      `${endpoint.method} ${endpoint.path}`,
      lazy(() => declaredResponses(endpoint)),
    ]),
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
