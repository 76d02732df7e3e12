import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { ERROR_STATUS, ErrorBody, type ErrorCode, OAuthErrorBody } from '../../contract/errors.ts'
import { type DeclaredResponse, declaredResponses } from '../../contract/responses.ts'

/** `default` describes errors a proxy may add. */
export function toOpenApiResponses(endpoint: Endpoint) {
  const isOAuth = endpoint.errors !== undefined
  const entries = declaredResponses(endpoint).map((response) => {
    const [code] = response.codes
    if (code === undefined) return [response.status, successOf(endpoint, response)] as const
    const hasOAuthFormat = isOAuth && code !== 'HEADERS_TOO_LARGE'
    return [response.status, hasOAuthFormat ? OAUTH_ERROR : refTo(code)] as const
  })
  return { ...Object.fromEntries(entries), default: isOAuth ? OAUTH_ERROR : { $ref: `${RESPONSES}Error` } }
}

/** All operations share these, since errors have one format. */
export const RESPONSE_COMPONENTS = {
  Error: errorOf('Error'),
  ...Object.fromEntries(
    Object.values(ERROR_STATUS).map((status) => [codesOf(status)[0]!, errorOf(codesOf(status).join(', '))]),
  ),
}

export const ERROR_SCHEMAS = {
  Error: jsonSchema(ErrorBody, 'output'),
  OAuthError: jsonSchema(OAuthErrorBody, 'output'),
}

const RESPONSES = '#/components/responses/'
const OAUTH_ERROR = {
  description: 'OAuth error',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
}

const refTo = (code: ErrorCode) => ({ $ref: RESPONSES + codesOf(ERROR_STATUS[code])[0] })

function codesOf(status: number): ErrorCode[] {
  return (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => ERROR_STATUS[code] === status)
}

function errorOf(description: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

function successOf(endpoint: Endpoint, { status, description, mediaTypes }: DeclaredResponse) {
  const headers = headersOf(endpoint, status)
  return {
    description,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(mediaTypes.length > 0
      ? { content: Object.fromEntries(mediaTypes.map((type) => [type, contentOf(endpoint, type)])) }
      : {}),
  }
}

function headersOf({ versioned, bytes }: Endpoint, status: number) {
  const header = (name: string, description: string) => ({
    [name]: { description, schema: { type: 'string' } },
  })
  const isFile = bytes === 'always' || bytes === 'sometimes'
  return {
    ...(status === 302 ? header('Location', 'The URL to continue at') : {}),
    ...(status === 206 || status === 416 ? header('Content-Range', 'The file’s range and size') : {}),
    ...(status < 400 && status !== 302 && (versioned || isFile)
      ? header('ETag', 'The resource version')
      : {}),
  }
}

function contentOf(endpoint: Endpoint, type: string) {
  if (type === 'application/json')
    return {
      schema:
        endpoint.bytes === 'sometimes' ? { anyOf: [outputOf(endpoint), STORED_JSON] } : outputOf(endpoint),
    }
  if (type === 'text/event-stream') return { schema: { type: 'string', description: 'Server-sent events' } }
  return { schema: { description: type === 'application/zip' ? 'A ZIP archive' : 'The file’s bytes' } }
}

const STORED_JSON = {
  description: 'Where the response is the file itself: a stored JSON file’s content',
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

export function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
