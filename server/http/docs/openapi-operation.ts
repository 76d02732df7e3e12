import type { Access, Endpoint, Limit } from '../../../contract/endpoint.ts'
import { openApiOf, templateOf } from '../openapi.ts'
import type { JsonSchema } from './schema.ts'

interface Content {
  /** Absent if there is no body, or in a reference to an error. */
  content?: { 'application/json'?: { schema: JsonSchema } }
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

/** An operation of the OpenAPI document. */
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

/** The schema of the JSON content; undefined if there is none. */
export const jsonOf = (message: Content | undefined): JsonSchema | undefined =>
  message?.content?.['application/json']?.schema

interface LocatedOperation {
  endpoint: Endpoint
  path: string
  operation: OpenApiOperation
}

/** Read from the published OpenAPI document, so that the reference cannot contradict it. */
export function operationsOf(endpoints: Endpoint[]): LocatedOperation[] {
  const paths = openApiOf(endpoints).paths as Record<string, Record<string, OpenApiOperation>>
  return endpoints.map((endpoint) => {
    const path = templateOf(endpoint)
    return { endpoint, path, operation: paths[path]![endpoint.method.toLowerCase()]! }
  })
}
