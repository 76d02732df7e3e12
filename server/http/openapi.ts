import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Access, Endpoint } from '../../contract/endpoint.ts'
import { endpointName } from '../../contract/index.ts'
import { type PreparedText, prepareText, sendCompressed } from './compress.ts'
import { sessionCookieName } from './cookies.ts'
import { ERROR_SCHEMAS, jsonSchema, RESPONSE_COMPONENTS, toOpenApiResponses } from './openapi-responses.ts'

/** The session cookie's name depends on the request scheme. */
export function serveOpenApi(http: FastifyInstance, endpoints: Endpoint[]): void {
  const documents = new Map<string, PreparedText>()
  http.get('/api/v1/openapi.json', async (request, reply) => {
    const cookie = sessionCookieName(request)
    const document = documents.get(cookie) ?? prepareText(JSON.stringify(buildOpenApi(endpoints, cookie)))
    documents.set(cookie, document)
    return sendCompressed(request, reply, 'application/json', document)
  })
}

export function buildOpenApi(endpoints: Endpoint[], sessionCookie = 'atrium_session') {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const path = pathTemplate(endpoint)
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
        guestToken: {
          type: 'apiKey',
          in: 'header',
          name: 'x-guest-token',
          description: 'A guest token from `POST /api/v1/shares/open`',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: 'A browser session. Over HTTPS the name starts with `__Host-`',
        },
      },
      responses: RESPONSE_COMPONENTS,
      schemas: ERROR_SCHEMAS,
    },
  }
}

export const pathTemplate = ({ path }: Endpoint): string => path.replace(/:(\w+)/g, '{$1}')

function operationOf(endpoint: Endpoint) {
  const area = endpoint.path.split('/')[3] ?? 'oauth'
  const noun = area === 'admin' ? endpoint.path.split('/').slice(3, 5).join(' ') : area
  return {
    operationId: endpointName(endpoint) ?? `${endpoint.method} ${endpoint.path}`,
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
    ...(endpoint.body || endpoint.raw || endpoint.multipart
      ? { requestBody: { required: true, content: requestContentOf(endpoint) } }
      : {}),
    responses: toOpenApiResponses(endpoint),
  }
}

interface JsonObject {
  properties?: Record<string, unknown>
}

function securityOf(access: Access) {
  if (access.kind === 'public' || access.kind === 'signature') return []
  const acceptsKey = access.kind === 'member' || (access.kind === 'stepped-up' && access.orSelf)
  const asGuest = access.kind === 'member' && access.share ? [{ guestToken: [] }] : []
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

function headersOf({ idempotent, versioned, method, bytes }: Endpoint) {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  })
  const isFile = bytes === 'always' || bytes === 'sometimes'
  return [
    ...(idempotent
      ? [
          header(
            'Idempotency-Key',
            'Makes retries safe: for 24 hours a repeated key returns the first response',
          ),
        ]
      : []),
    ...((versioned && method === 'GET') || isFile
      ? [header('If-None-Match', 'Returns 304 if the etag still matches')]
      : []),
    ...(isFile
      ? [
          header('Range', 'Returns 206 with this file range, such as `bytes=0-1023`'),
          header('If-Range', 'Returns the range only if the etag still matches'),
        ]
      : []),
    ...(bytes === 'events' ? [header('Last-Event-ID', 'Continues after this event')] : []),
    ...(versioned && method !== 'GET'
      ? [header('If-Match', 'Returns 412 if the etag no longer matches')]
      : []),
  ]
}

const jsonContent = (schema: unknown) => ({ 'application/json': { schema } })

const BYTES = { 'application/octet-stream': { schema: { description: 'The file’s bytes' } } }

function requestContentOf({ body, form, multipart, multipartFile, raw }: Endpoint) {
  const formContent = multipart && { 'multipart/form-data': { schema: formOf(multipart, multipartFile) } }
  if (raw || !body) return formContent ?? BYTES
  const schema = jsonSchema(body, 'input')
  return {
    ...jsonContent(schema),
    ...(form ? { 'application/x-www-form-urlencoded': { schema } } : {}),
    ...formContent,
  }
}

function formOf(fields: z.ZodObject, fileField = 'file') {
  const { properties = {}, ...schema } = jsonSchema(fields, 'input') as JsonObject
  const file = { type: 'string', contentMediaType: 'application/octet-stream' }
  return { ...schema, required: [fileField], properties: { [fileField]: file, ...properties } }
}
