import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Access, Endpoint } from '../../contract/endpoint.ts'
import { ErrorBody, OAuthErrorBody } from '../../contract/errors.ts'
import { nameOf } from '../../contract/index.ts'
import { lazy } from '../concurrency/lazy.ts'

/** The contract as an OpenAPI 3.1 document. */
export function serveOpenApi(http: FastifyInstance, endpoints: Endpoint[]): void {
  const document = lazy(() => JSON.stringify(openApiOf(endpoints)))
  http.get('/api/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document()),
  )
}

export function openApiOf(endpoints: Endpoint[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][endpoint.method.toLowerCase()] = operationOf(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atrium',
      version: '1',
      description: 'A workspace for AI agents. Send an API key as `Authorization: Bearer <key>`.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `atrium_live_…` or `atrium_test_…`',
        },
        shareTicket: {
          type: 'apiKey',
          in: 'header',
          name: 'x-share-ticket',
          description: 'A guest token from `POST /api/v1/shares/open`',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'atrium_session', description: 'A browser session' },
      },
      schemas: { Error: jsonSchema(ErrorBody, 'output'), OAuthError: jsonSchema(OAuthErrorBody, 'output') },
    },
  }
}

function operationOf(endpoint: Endpoint) {
  const area = endpoint.path.split('/')[3]!
  const noun = area === 'admin' ? endpoint.path.split('/').slice(3, 5).join(' ') : area
  return {
    operationId: nameOf(endpoint) ?? `${endpoint.method} ${endpoint.path}`,
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [noun],
    security: securityOf(endpoint.access),
    'x-access': endpoint.access,
    ...(endpoint.limit ? { 'x-limit': endpoint.limit } : {}),
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...headersOf(endpoint),
    ],
    ...(endpoint.body || endpoint.raw
      ? { requestBody: { required: true, content: requestContentOf(endpoint) } }
      : {}),
    responses: {
      [endpoint.status ?? 200]: { description: 'Success', content: responseContentOf(endpoint) },
      default: {
        description: 'Error',
        content: json({
          $ref: `#/components/schemas/${endpoint.errors === 'oauth' ? 'OAuthError' : 'Error'}`,
        }),
      },
    },
  }
}

interface JsonObject {
  properties?: Record<string, unknown>
}

function securityOf(access: Access) {
  if (access.kind === 'public' || access.kind === 'signature') return []
  const acceptsKey = access.kind === 'member' || (access.kind === 'stepped-up' && access.orSelf)
  const asGuest = access.kind === 'member' && access.share ? [{ shareTicket: [] }] : []
  return acceptsKey ? [{ apiKey: [] }, { session: [] }, ...asGuest] : [{ session: [] }]
}

function parametersOf(schema: z.ZodObject | undefined, location: 'path' | 'query') {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: rest,
  }))
}

function headersOf({ idempotent, versioned, method }: Endpoint) {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  })
  return [
    ...(idempotent
      ? [
          header(
            'Idempotency-Key',
            'Makes retries safe: for 24 hours a repeated key returns the first response',
          ),
        ]
      : []),
    ...(versioned && method === 'GET'
      ? [header('If-None-Match', 'Returns 304 if the etag still matches')]
      : []),
    ...(versioned && method !== 'GET'
      ? [header('If-Match', 'Returns 412 if the etag no longer matches')]
      : []),
  ]
}

function outputOf({ output, reduced, envelope }: Endpoint) {
  const full = jsonSchema(output, 'output')
  const data = reduced ? { anyOf: [full, reducedSchema(reduced)] } : full
  if (!envelope) return data
  return { type: 'object', required: ['success', 'data'], properties: { success: { const: true }, data } }
}

const reducedSchema = ({ below, output }: NonNullable<Endpoint['reduced']>) => ({
  ...jsonSchema(output, 'output'),
  description: `For callers below the role ${below}`,
})

const json = (schema: unknown) => ({ 'application/json': { schema } })

const BYTES = { 'application/octet-stream': { schema: { description: 'The bytes of the file' } } }

const EVENTS = { 'text/event-stream': { schema: { type: 'string', description: 'Server-sent events' } } }

function responseContentOf(endpoint: Endpoint) {
  if (endpoint.bytes === 'events') return EVENTS
  return {
    ...(endpoint.bytes === 'always' ? {} : json(outputOf(endpoint))),
    ...(endpoint.bytes ? BYTES : {}),
  }
}

function requestContentOf({ body, form, multipart, raw }: Endpoint) {
  if (raw || !body) return BYTES
  const schema = jsonSchema(body, 'input')
  return {
    ...json(schema),
    ...(form ? { 'application/x-www-form-urlencoded': { schema } } : {}),
    ...(multipart ? { 'multipart/form-data': { schema: formOf(multipart) } } : {}),
  }
}

/** The fields of a form and its file. */
function formOf(fields: z.ZodObject) {
  const { properties = {}, ...schema } = jsonSchema(fields, 'input') as JsonObject
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return { ...schema, required: ['file'], properties: { file, ...properties } }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
