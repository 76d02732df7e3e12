import type { Access, Endpoint, Limit } from '../../../contract/endpoint.ts'
import { buildOpenApi, pathTemplate } from '../openapi.ts'
import type { JsonSchema } from './schema.ts'

interface Content {
  content?: { 'application/json'?: { schema: JsonSchema } }
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

export interface OpenApiOperation {
  operationId: string
  summary: string
  description?: string
  tags: [string]
  'x-access': Access
  'x-limit'?: Limit
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

export const jsonContentSchema = (message: Content | undefined): JsonSchema | undefined =>
  message?.content?.['application/json']?.schema

interface LocatedOperation {
  endpoint: Endpoint
  path: string
  operation: OpenApiOperation
}

/** From the published OpenAPI document, so the reference can't contradict it. */
export function locateOperations(endpoints: Endpoint[]): LocatedOperation[] {
  const paths = buildOpenApi(endpoints).paths as Record<string, Record<string, OpenApiOperation>>
  return endpoints.map((endpoint) => {
    const path = pathTemplate(endpoint)
    return { endpoint, path, operation: paths[path]![endpoint.method.toLowerCase()]! }
  })
}
