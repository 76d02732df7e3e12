import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../../../../client/client.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { findDefinition } from '../find-definition.ts'
import { buildRequest } from '../requests/build-request.ts'

let app: TestApp

const warehouse = {
  name: 'Warehouse',
  description: 'Finds orders.',
  baseUrl: 'https://api.example.com/v1',
  auth: {
    type: 'api_key' as const,
    fields: [{ key: 'token', label: 'Token' }],
    send: { header: 'authorization', value: 'Bearer {credentials.token}' },
  },
  tools: [
    {
      name: 'find_order',
      description: 'Find an order.',
      input: {
        type: 'object',
        properties: { id: { type: 'string' }, limit: { type: 'integer' } },
        required: ['id'],
      },
      request: { method: 'GET' as const, path: '/orders/{id}', query: { limit: { $: 'limit' } } },
    },
    {
      name: 'cancel_order',
      description: 'Cancel an order.',
      input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      request: { method: 'POST' as const, path: '/orders/{id}/cancel', json: { by: { $: 'id' } } },
    },
  ],
}
type Settings = Record<string, unknown>

let client: Client<Contract>
let orgId: string
beforeAll(async () => {
  app = await shareTestApp()
  const organization = await app.organization()
  orgId = organization.id
  client = await app.withSession(await app.person(organization, { role: 'admin' }))
})
const create = (changes: Settings = {}) =>
  client.customConnectors.create({ ...warehouse, ...changes } as never)
const tool = (changes: Settings) => [{ ...warehouse.tools[0], ...changes }]

describe('a custom connector', () => {
  test('is in the catalog, and its tools have the effect read for GET and once otherwise', async () => {
    const created = await create({ slug: 'one' })
    expect(created).toMatchObject({ slug: 'custom-one', version: 1, check: null })
    const listed = await client.connectors.get({ slug: 'custom-one' })
    expect(listed.tools).toMatchObject([
      { name: 'custom-one_find_order', effect: 'read', risk: 'none' },
      { name: 'custom-one_cancel_order', effect: 'once', risk: 'send' },
    ])
    const definition = (await findDefinition(app.sql, orgId, 'custom-one'))!
    const [find] = definition.tools
    expect(find!.input.safeParse({ id: 'a', limit: 3 }).success).toBe(true)
    for (const wrong of [{}, { id: 1 }, { id: 'a', limit: 1.5 }, { id: 'a', more: 1 }])
      expect([wrong, find!.input.safeParse(wrong).success]).toEqual([wrong, false])
    const target = {
      definition,
      config: {},
      kept: {},
      credentials: { token: 't' },
      account: { id: null },
      override: null,
    }
    expect(buildRequest(target, find!.request as never, { id: 'a/b', limit: 3 })).toMatchObject({
      url: 'https://api.example.com/v1/orders/a%2Fb?limit=3',
      headers: { authorization: 'Bearer t' },
    })
    const other = await app.organization()
    expect(await findDefinition(app.sql, other.id, 'custom-one')).toBeNull()
  })

  test('keeps its host and authorization, so credentials never go elsewhere', async () => {
    const { slug } = await create({ name: 'Kept host' })
    const update = (changes: Settings) =>
      client.customConnectors.update({ ...warehouse, ...changes, slug } as never)
    await expect(update({ baseUrl: 'https://evil.example.com/v1' })).rejects.toThrow('body.baseUrl must keep')
    await expect(update({ baseUrl: 'https://api.example.com:8443/v1' })).rejects.toThrow(
      'body.baseUrl must keep',
    )
    const send = { query: 'token', value: '{credentials.token}' }
    await expect(update({ auth: { ...warehouse.auth, send } })).rejects.toThrow('body.auth must stay')
    const changed = await update({ baseUrl: 'https://api.example.com/v2', description: 'Finds more.' })
    expect(changed).toMatchObject({ version: 2, baseUrl: 'https://api.example.com/v2' })
    await client.customConnectors.remove({ slug })
    await expect(client.connectors.get({ slug })).rejects.toThrow('Connector not found')
    await expect(create({ slug: slug.replace('custom-', '') })).rejects.toThrow('was used before')
    expect((await create({ name: 'Kept host' })).slug).toBe(`${slug}-2`)
  })

  test.each<[string, Settings, string]>([
    ['http', { baseUrl: 'http://api.example.com' }, 'body.baseUrl must begin with https://'],
    ['a private host', { baseUrl: 'https://169.254.169.254/latest' }, 'body.baseUrl must be a public URL'],
    [
      'user info',
      { baseUrl: 'https://api.example.com@evil.example.com/' },
      'body.baseUrl must not contain a user name',
    ],
    [
      'a placeholder in the host',
      { baseUrl: 'https://{credentials.token}.example.com' },
      'body.baseUrl must have no placeholders',
    ],
    [
      'a private token URL',
      {
        auth: {
          type: 'oauth',
          authorizeUrl: 'https://a.example.com',
          tokenUrl: 'https://127.0.0.1/t',
          scopes: { default: [] },
        },
      },
      'body.auth.tokenUrl must be a public URL',
    ],
    [
      'a full URL as a path',
      { tools: tool({ request: { method: 'GET', path: 'https://evil.example.com/' } }) },
      'body.tools.0.request.path must begin with one /',
    ],
    [
      'a host as a path',
      { tools: tool({ request: { method: 'GET', path: '//evil.example.com/' } }) },
      'body.tools.0.request.path must begin with one /',
    ],
    [
      'a header of the connection',
      { headers: { Host: 'evil.example.com' } },
      'body.headers must not set Host',
    ],
    [
      'an unknown name in a path',
      { tools: tool({ request: { method: 'GET', path: '/{nothing}' } }) },
      'names {nothing}, which is not a required input property',
    ],
    [
      'an optional name in a path',
      { tools: tool({ request: { method: 'GET', path: '/{limit}' } }) },
      'names {limit}, which is not a required input property',
    ],
    [
      'an unknown name in JSON',
      { tools: tool({ request: { method: 'POST', path: '/', json: [{ a: { $: 'x.y' } }] } }) },
      'names "x", which is not an input property',
    ],
    [
      'an unknown credential',
      { headers: { 'x-key': '{credentials.other}' } },
      'body.headers names "credentials.other"',
    ],
    [
      'a reserved name',
      { tools: tool({ input: { type: 'object', properties: { credentials: { type: 'string' } } } }) },
      'must not be a reserved name',
    ],
    [
      'a schema that models refuse',
      { tools: tool({ input: { type: 'array' } }) },
      'body.tools.0.input cannot be used',
    ],
    [
      'the same tool twice',
      { tools: [warehouse.tools[0], warehouse.tools[0]] },
      'body.tools.1.name must be unique among the tools',
    ],
    ['a function', { tools: tool({ answer: { map: 'x => x' } }) }, 'body.tools.0.answer'],
    ['an effect', { tools: tool({ effect: 'read' }) }, 'body.tools.0'],
    [
      'over 200 KB',
      {
        tools: Array.from({ length: 20 }, (_, n) => ({
          ...warehouse.tools[0],
          name: `t${n}`,
          input: {
            type: 'object',
            properties: { id: { type: 'string', description: 'x'.repeat(12_000) } },
            required: ['id'],
          },
        })),
      },
      'body must be at most 200 KB',
    ],
  ])('is refused with %s', async (_name, changes, message) => {
    await app.sql`delete from rate_limits`
    await expect(create(changes)).rejects.toThrow(message)
  })
})
