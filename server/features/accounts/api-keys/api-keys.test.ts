import { beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../../../contract/accounts/scopes.ts'
import { sha256 } from '../../../security/digest.ts'
import { PASSWORD } from '../../../testing/factories/factories.ts'
import {
  bearer,
  buildTestApp,
  cookie,
  type Headers,
  shareTestApp,
  type TestApp,
} from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const PATH = '/api/v1/api-keys'

async function createBrowserUser(options: { role?: 'owner' | 'admin' | 'member' } = {}) {
  const org = await app.organization()
  const person = await app.person(org, options)
  const headers = cookie(await app.session(person))
  return { org, person, headers, client: app.as(headers) }
}

const mint = (headers: Headers, body: unknown) => app.request('POST', PATH, { headers, body })

describe('POST /api-keys', () => {
  test('returns 201 with the complete key in the envelope', async () => {
    const { headers } = await createBrowserUser()
    const { status, body } = await mint(headers, { name: ' Deploy ', scopes: ['files:read', 'files:read'] })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.any(String),
        name: 'Deploy',
        prefix: 'atrium_test_',
        key: expect.stringMatching(/^atrium_test_[0-9a-f]{48}$/),
        scopes: ['files:read'],
        readOnly: false,
        expiresAt: null,
        createdAt: expect.any(String),
      },
    })
  })

  test('creates a key with the scope models:read by default', async () => {
    const { client } = await createBrowserUser()
    expect(await client.apiKeys.create({ name: 'Plain' })).toMatchObject({ scopes: ['models:read'] })
  })

  test('creates a key that works immediately for the organization and the user', async () => {
    const { client } = await createBrowserUser()
    const item = await client.feedback.submit({ message: 'From the browser' })
    const key = await client.apiKeys.create({ name: 'Works' })
    expect((await app.as(bearer(key)).feedback.list({})).items).toEqual([item])
  })

  test("stores only the key's SHA-256 hash", async () => {
    const { client } = await createBrowserUser()
    const { id, key } = await client.apiKeys.create({ name: 'Secret' })
    const [row] =
      await app.sql`select hash, to_jsonb(api_keys) - 'hash' as rest from api_keys where id = ${id}`
    expect(row!.hash).toEqual(sha256(key))
    expect(JSON.stringify(row!.rest)).not.toContain(key.slice(12, -4))
  })

  test('creates live keys in production', async () => {
    const production = await buildTestApp({ env: { NODE_ENV: 'production' } })
    const client = await production.withSession(await production.person(await production.organization()))
    const { key, prefix } = await client.apiKeys.create({ name: 'Live' })
    expect([prefix, key.slice(0, 12)]).toEqual(['atrium_live_', 'atrium_live_'])
    expect(await production.as(bearer({ key })).feedback.list({})).toMatchObject({ total: 0 })
    await production.close()
  })

  test.each([
    ['no name', {}, 'body.name', 'is required'],
    ['an empty name', { name: ' ' }, 'body.name', 'must be 1 to 120 characters'],
    ['a name too long', { name: 'n'.repeat(121) }, 'body.name', 'must be 1 to 120 characters'],
    ['an unknown field', { name: 'n', scope: [] }, 'body.scope', 'is not a known field'],
  ])('is BAD_REQUEST with %s', async (_, input, path, message) => {
    const { status, body } = await mint((await createBrowserUser()).headers, input)
    expect([status, body.error.code, body.error.details]).toEqual([400, 'BAD_REQUEST', [{ path, message }]])
  })

  test('is BAD_REQUEST with an unknown scope, and lists the valid ones', async () => {
    const { status, body } = await mint((await createBrowserUser()).headers, { name: 'n', scopes: ['root'] })
    expect([status, body.error.details[0].path]).toEqual([400, 'body.scopes.0'])
    expect(body.error.message).toContain('models:read, files:read')
  })

  test('lets owners and admins, but not members, create a key that can charge', async () => {
    const charging = { name: 'Pay', scopes: ['billing:machine:charge'] as Scope[] }
    for (const role of ['owner', 'admin'] as const) {
      const { client } = await createBrowserUser({ role })
      expect(await client.apiKeys.create(charging)).toMatchObject(charging)
    }
    const { client } = await createBrowserUser()
    await expect(client.apiKeys.create(charging)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await client.apiKeys.list()).items).toEqual([])
  })

  test('is FORBIDDEN to an API key with any scopes', async () => {
    const { person } = await createBrowserUser({ role: 'owner' })
    const key = await app.key(person, ['terminal', 'api-keys:write'])
    const { status, body } = await mint(bearer(key), { name: 'Copy' })
    expect([status, body.error.code, body.error.message, body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      'Creating an API key requires a browser session',
      { reason: 'browser_session_required' },
    ])
  })

  test('is FORBIDDEN without step-up, and lists the methods', async () => {
    const person = await app.person(await app.organization(), { password: PASSWORD })
    const headers = cookie(await app.session(person, { steppedUp: false }))
    const { status, body, headers: responseHeaders } = await mint(headers, { name: 'n' })
    expect([status, body.error]).toEqual([
      403,
      {
        code: 'FORBIDDEN',
        message: 'Step-up authentication required',
        details: { reason: 'step_up_required', methods: ['password'] },
        requestId: responseHeaders.get('x-request-id'),
      },
    ])
    expect(responseHeaders.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age="600"',
    )
  })

  test('is BAD_REQUEST `Too many requests` from the sixth call, and refills one a minute', async () => {
    const { headers } = await createBrowserUser()
    const other = await createBrowserUser()
    const responses = await Promise.all(Array.from({ length: 6 }, () => mint(headers, { name: 'n' })))
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      201, 201, 201, 201, 201, 400,
    ])
    const refused = responses.find(({ status }) => status === 400)!
    expect(refused.body.error).toMatchObject({ code: 'BAD_REQUEST', message: 'Too many requests' })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await mint(other.headers, { name: 'n' })).status).toBe(201)
    app.clock.advance(60)
    expect((await mint(headers, { name: 'n' })).status).toBe(201)
    expect((await mint(headers, { name: 'n' })).status).toBe(400)
  })
})

describe('GET /api-keys', () => {
  test('lists the caller’s keys in the current organization, newest first, without secrets', async () => {
    const { org, person, client, headers } = await createBrowserUser()
    await app.key(await app.person(org))
    await app.key(await app.join(person, await app.organization()))
    const first = await client.apiKeys.create({ name: 'First' })
    const second = await client.apiKeys.create({ name: 'Second', scopes: ['terminal'] })
    const { text, body } = await app.request('GET', PATH, { headers })
    const listed = ({ key, ...shown }: typeof first) => ({
      ...shown,
      lastFour: key.slice(-4),
      readOnly: false,
      lastUsedAt: null,
      lastUsedAddress: null,
      callsPerDay: Array(14).fill(0),
    })
    expect(body).toEqual({ success: true, data: { items: [listed(second), listed(first)] } })
    for (const { key } of [first, second]) {
      expect(text).not.toContain(key.slice(12, -4))
      expect(text).not.toContain(sha256(key).toString('hex'))
    }
  })

  test.each<[Scope[], boolean]>([
    [['api-keys:read'], true],
    [['api-keys:write'], true],
    [['terminal'], true],
    [['models:read'], false],
    [['files:write', 'connections:write', 'billing:machine:charge'], false],
  ])('allows a key with the scopes %j: %s', async (scopes, allowed) => {
    const { person } = await createBrowserUser()
    const { status, body } = await app.request('GET', PATH, {
      headers: bearer(await app.key(person, scopes)),
    })
    expect(status).toBe(allowed ? 200 : 403)
    if (!allowed) {
      expect(body.error.details).toEqual({ reason: 'missing_scope', required: ['api-keys:read'] })
    }
  })
})
