import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { endpoints, endpointsByName } from '../../contract/index.ts'
import { declaredResponses } from '../../contract/responses.ts'
import { buildTestApp } from '../testing/test-app.ts'
import { buildOpenApi } from './openapi.ts'

interface Operation {
  operationId: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: { required?: string[] } }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Record<string, unknown> }> }>
}

const document = buildOpenApi(endpoints)
const operation = (method: string, path: string) => document.paths[path]?.[method] as Operation

describe('the OpenAPI document', () => {
  test('is public and valid OpenAPI 3.1', async () => {
    const app = await buildTestApp()
    const { status, headers, body } = await app.request('GET', '/api/v1/openapi.json')
    await app.close()
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body.openapi).toBe('3.1.0')
    expect(await new Validator().validate(body)).toEqual({ valid: true })
    expect(body).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'lists %s with its status, parameters and body',
    (_, endpoint) => {
      const { method, path, status = 200, body, raw, multipart, envelope } = endpoint
      const described = operation(method.toLowerCase(), path.replace(/:(\w+)/g, '{$1}'))
      const { default: otherErrors, ...responses } = described.responses
      expect(otherErrors).toBeDefined()
      // Errors reference a shared response, which is JSON.
      const listed = Object.entries(responses).map(([status, { $ref, content = {} }]) => [
        Number(status),
        $ref ? ['application/json'] : Object.keys(content),
      ])
      expect(new Map(listed as [number, string[]][])).toEqual(
        new Map(declaredResponses(endpoint).map(({ status, mediaTypes }) => [status, mediaTypes])),
      )
      const schema = responses[status]?.content?.['application/json']?.schema ?? {}
      // A stored JSON file may take the place of the record.
      const success = endpoint.bytes === 'sometimes' ? (schema as { anyOf: object[] }).anyOf[0]! : schema
      expect(described.requestBody !== undefined).toBe(
        body !== undefined || raw === true || multipart !== undefined,
      )
      expect('properties' in success && Object.keys(success.properties as object).includes('success')).toBe(
        envelope ?? false,
      )
      const inPath = described.parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => `:${name}`)).toEqual(path.match(/:\w+/g) ?? [])
    },
  )

  test('declares 431 for every operation, in the format the server sends before routing', () => {
    for (const methods of Object.values(document.paths))
      for (const described of Object.values(methods) as Operation[])
        expect(described.responses[431]).toEqual({ $ref: '#/components/responses/HEADERS_TOO_LARGE' })
  })

  test('declares that a file may itself be JSON, with any content', () => {
    const { schema } = operation('get', '/api/v1/files/{id}').responses[200]!.content!['application/json']!
    expect(schema).toMatchObject({ anyOf: [{ type: 'object' }, { description: expect.any(String) }] })
    expect(Object.keys((schema as { anyOf: object[] }).anyOf[1]!)).toEqual(['description'])
  })

  test("has the endpoint's contract key as its operation id", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((described) => (described as Operation).operationId),
    )
    expect(ids.sort()).toEqual(Object.keys(endpointsByName).sort())
  })

  test.each([
    ['post', '/api/v1/auth/sign-in/email', []],
    ['get', '/api/v1/feedback', ['apiKey', 'session']],
    ['get', '/api/v1/auth/session', ['session']],
    ['get', '/api/v1/admin/feedback', ['session']],
    ['post', '/api/v1/api-keys', ['session']],
    // A key may revoke itself.
    ['delete', '/api/v1/api-keys/{id}', ['apiKey', 'session']],
  ])('lists the credentials for %s %s', (method, path, expected) => {
    expect(operation(method, path).security.flatMap((entry) => Object.keys(entry))).toEqual(expected)
  })

  test('names the session cookie as this server sets it', async () => {
    const app = await buildTestApp({ env: { ATRIUM_PUBLIC_URL: 'https://atrium.example.com' } })
    const { body } = await app.request('GET', '/api/v1/openapi.json')
    await app.close()
    expect(body.components.securitySchemes.session.name).toBe('__Host-atrium_session')
    expect(document.components.securitySchemes.session.name).toBe('atrium_session')
  })

  test('lists every response field by name', () => {
    // A record with an enum as its key lists its fields where clients do not look: in `propertyNames`.
    expect(JSON.stringify(document)).not.toMatch(/"propertyNames":\{[^}]*"enum"/)
  })

  test("lists a request's required fields", () => {
    const submit = operation('post', '/api/v1/feedback')
    expect(submit.requestBody!.content['application/json']!.schema.required).toEqual(['message'])
    const list = operation('get', '/api/v1/feedback')
    expect(list.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['limit', false],
      ['offset', false],
    ])
  })

  test('lists the headers an endpoint supports', () => {
    const headersOf = (method: string, path: string) =>
      operation(method, path).parameters.flatMap(({ name, in: location }) =>
        location === 'header' ? [name] : [],
      )
    expect(headersOf('post', '/api/v1/feedback')).toEqual(['Idempotency-Key'])
    expect(headersOf('get', '/api/v1/feedback/{id}')).toEqual(['If-None-Match'])
    expect(headersOf('patch', '/api/v1/feedback')).toEqual(['If-Match'])
  })
})
