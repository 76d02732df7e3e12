import type { Access, Endpoint, Limit } from '../../../contract/endpoint.ts'
import { openApiOf } from '../openapi.ts'
import type { JsonSchema } from './schema.ts'

interface Content {
  /** JSON, unless what goes over is bytes alone. */
  content: { 'application/json'?: { schema: JsonSchema }; 'application/octet-stream'?: unknown }
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

/** The schema of what goes over as JSON; undefined where nothing does. */
export const jsonOf = (message: Content | undefined): JsonSchema | undefined =>
  message?.content['application/json']?.schema

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
