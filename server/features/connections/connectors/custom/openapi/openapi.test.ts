import { beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Client } from '../../../../../../client/client.ts'
import type { Contract } from '../../../../../../contract/index.ts'
import { shareTestApp, type TestApp } from '../../../../../testing/test-app.ts'

let app: TestApp
let client: Client<Contract>
beforeAll(async () => {
  app = await shareTestApp()
  client = await app.withSession(await app.person(await app.organization(), { role: 'admin' }))
})

const order = {
  type: 'object',
  properties: { id: { type: 'string' }, next: { $ref: '#/components/schemas/Order' } },
}
const operation = (overrides: object = {}) => ({ responses: {}, ...overrides })
const parameter = (name: string, where: string, overrides: object = {}) => ({
  name,
  in: where,
  schema: { type: 'string' },
  ...overrides,
})
const jsonBody = (schema: object, required = true) => ({
  required,
  content: { 'application/json': { schema } },
})
const shop = {
  openapi: '3.0.3',
  info: { title: 'Shop\u202e API', description: 'Orders of\na shop.' },
  servers: [
    { url: 'http://old.example.com' },
    { url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } },
  ],
  security: [{ key: [] }],
  paths: {
    '/orders/{order-id}': {
      parameters: [parameter('order-id', 'path', { required: true })],
      get: operation({
        operationId: 'getOrder',
        summary: 'Get an order',
        parameters: [
          parameter('expand', 'query', { schema: { type: 'array', items: { type: 'string' } } }),
          parameter('filter[state]', 'query', { required: true }),
          parameter('x-trace', 'header'),
          parameter('x-tenant', 'header', { required: true }),
        ],
      }),
      put: operation({
        operationId: 'getOrder',
        requestBody: jsonBody({ $ref: '#/components/schemas/Order' }),
      }),
      delete: operation({ parameters: [parameter('session', 'cookie', { required: true })] }),
    },
    '/orders': {
      post: operation({
        requestBody: jsonBody({
          allOf: [
            {
              type: 'object',
              properties: { account: { type: 'string', nullable: true } },
              required: ['account'],
            },
            { type: 'object', properties: { items: { type: 'array', items: {} } } },
          ],
        }),
      }),
    },
    '/files': {
      post: operation({ requestBody: { required: true, content: { 'multipart/form-data': {} } } }),
    },
    '/other': { get: operation({ parameters: [{ $ref: 'https://evil.example.com/p.json' }] }) },
    '/broken': { get: operation({ parameters: [{ $ref: '#/components/parameters/Nothing' }] }) },
    '/tree/{id}': { get: operation() },
  },
  components: {
    schemas: { Order: order },
    securitySchemes: {
      sign: { type: 'openIdConnect' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'From the settings' },
    },
  },
}

describe('an OpenAPI document', () => {
  test.each([
    ['JSON', JSON.stringify(shop)],
    ['YAML', stringify(shop)],
  ])("lists its operations as tools in %s, or the reason why they can't be", async (_format, document) => {
    const read = await client.customConnectors.readOpenapi({ document })
    expect(read).toMatchObject({
      title: 'Shop API',
      description: 'Orders of a shop.',
      baseUrl: 'https://eu.example.com/v1',
      auth: { type: 'api_key', fields: [{ hint: 'From the settings' }], send: { header: 'X-Key' } },
    })
    const problems = Object.fromEntries(read.operations.map(({ id, problem }) => [id, problem]))
    expect(problems).toEqual({
      'GET /orders/{order-id}': null,
      'PUT /orders/{order-id}': null,
      'DELETE /orders/{order-id}': 'Its parameter session is a cookie',
      'POST /orders': null,
      'POST /files': 'Its body is multipart/form-data',
      'GET /other': 'It refers to another document: https://evil.example.com/p.json',
      'GET /broken': 'It refers to #/components/parameters/Nothing, which does not exist',
      'GET /tree/{id}': 'Its path has {id}, which is not a parameter',
    })
    const [get, put, post] = read.operations.flatMap(({ tool }) => tool ?? [])
    expect(get).toMatchObject({
      name: 'get_order',
      description: 'Get an order',
      input: { required: ['order_id', 'filter_state_', 'x_tenant'] },
      request: {
        method: 'GET',
        path: '/orders/{order_id}',
        query: { expand: { $: 'expand' }, 'filter[state]': { $: 'filter_state_' } },
        headers: { 'x-tenant': '{x_tenant}' },
      },
    })
    expect(put).toMatchObject({
      name: 'get_order_2',
      request: { json: { id: { $: 'id' }, next: { $: 'next' } } },
    })
    expect(post).toMatchObject({
      name: 'post_orders',
      input: { properties: { account_value: { type: ['string', 'null'] } }, required: ['account_value'] },
      request: { json: { account: { $: 'account_value' }, items: { $: 'items' } } },
    })
  })

  test('becomes a connector with the chosen operations, if they can be tools and the host is public', async () => {
    const document = JSON.stringify(shop)
    const operations = ['GET /orders/{order-id}', 'POST /orders']
    const created = await client.customConnectors.importOpenapi({ document, operations })
    expect(created).toMatchObject({
      slug: 'custom-shop-api',
      name: 'Shop API',
      baseUrl: 'https://eu.example.com/v1',
    })
    expect(created.tools.map(({ name }) => name)).toEqual(['get_order', 'post_orders'])
    const files = { document, operations: ['POST /files'] }
    await expect(client.customConnectors.importOpenapi(files)).rejects.toThrow(
      'body.operations.0 cannot be a tool. Its body is multipart/form-data',
    )
    const local = { document, operations, baseUrl: 'https://127.0.0.1' }
    await expect(client.customConnectors.importOpenapi(local)).rejects.toThrow(
      'body.baseUrl must be a public URL',
    )
  })

  test('is read up to the limits if nested references multiply', async () => {
    const level = (n: number) => [
      `L${n}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 10 }, (_, i) => [`p${i}`, { $ref: `#/components/schemas/L${n + 1}` }]),
        ),
      },
    ]
    const schemas = Object.fromEntries(Array.from({ length: 8 }, (_, n) => level(n)))
    const paths = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `/p${n}`,
        { post: operation({ requestBody: jsonBody({ $ref: '#/components/schemas/L0' }) }) },
      ]),
    )
    const document = JSON.stringify({ openapi: '3.1.0', info: {}, paths, components: { schemas } })
    const { operations } = await client.customConnectors.readOpenapi({ document })
    expect(new Set(operations.map(({ problem }) => problem))).toEqual(
      new Set(['Its input is too large', 'The document is too large to read completely']),
    )
  })

  test.each([
    ['{"openapi":"2.0","paths":{}}', 'body.document must be an OpenAPI 3.0 or 3.1 document'],
    ['{"openapi":"3.1.0"', 'body.document must be JSON or YAML'],
    ['- a', 'body.document must be an OpenAPI document'],
    [
      `a: &a [${'x,'.repeat(9)}x]\n${'bcdefg'.replace(/./g, (name, at: number) => `${name}: &${name} [${`*${'abcdef'[at]},`.repeat(9)}*a]\n`)}`,
      'body.document must be JSON or YAML',
    ],
  ])('is refused if invalid: %s', async (document, message) => {
    await expect(client.customConnectors.readOpenapi({ document })).rejects.toThrow(message)
  })

  test.each([
    ['http://example.com/openapi.json', 'body.url must begin with https://'],
    ['https://127.0.0.1/openapi.json', 'body.url cannot be read. The URL must be a public URL'],
  ])('is not fetched from %s', async (url, message) => {
    await expect(client.customConnectors.readOpenapi({ url })).rejects.toThrow(message)
  })
})
