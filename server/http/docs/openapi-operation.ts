import type { Access, Endpoint, Limit } from '../../../contract/endpoint.ts'
import { openApiOf } from '../openapi.ts'
import type { JsonSchema } from './schema.ts'

interface Content {
  content: { 'application/json': { schema: JsonSchema } }
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: JsonSchema
}

/** An operation as our own OpenAPI document writes it. */
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

interface Placed {
  method: string
  path: string
  operation: OpenApiOperation
}

/** The operations of the document that the server publishes, so that the reference cannot say anything else. */
export function operationsOf(endpoints: Endpoint[]): Placed[] {
  const paths = openApiOf(endpoints).paths as Record<string, Record<string, OpenApiOperation>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}
