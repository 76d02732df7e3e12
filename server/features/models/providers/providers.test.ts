import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Client } from '../../../../client/client.ts'
import type { Contract } from '../../../../contract/index.ts'
import { loopbackServers } from '../../../testing/fakes/loopback-servers.ts'
import { captureLog } from '../../../testing/log.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const KEY = 'sk-very-secret-key-1234'

const { serve } = loopbackServers()

let app: TestApp
let mock: LLMock
const log = captureLog()
beforeAll(async () => {
  mock = await LLMock.create({ port: 0 })
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }, log: log.stream })
})
afterAll(() => Promise.all([app.close(), mock.stop()]))

let admin: Client<Contract>
let adminId: string
let key: Client<Contract>
let orgId: string
beforeEach(async () => {
  const org = await app.organization()
  const person = await app.person(org, { role: 'admin' })
  orgId = org.id
  adminId = person.id
  admin = await app.withSession(person)
  key = await app.withKey(person, ['models:read'])
})

const acme = () => ({
  kind: 'openai-compatible' as const,
  name: 'Acme AI',
  url: `${mock.url}/v1/`,
  apiKey: KEY,
})
const rejection = (path: string, message: string) => ({
  code: 'BAD_REQUEST',
  details: [{ path, message: expect.stringContaining(message) }],
})
async function listModels(client = key) {
  const list = await client.models.list({})
  if ('object' in list) throw new Error('another format')
  return list
}

describe('GET /models', () => {
  test('lists the test models and a hint if no provider is configured', async () => {
    expect(await listModels()).toMatchObject({
      items: [
        {
          id: 'test/echo',
          isTest: true,
          contextWindow: 128_000,
          pricing: { input: 0 },
          availability: 'available',
        },
        { id: 'test/script', isTest: true, tools: true },
      ],
      providers: [],
      hint: expect.stringContaining('Settings → Models'),
    })
  })

  test("lists models from the organization's own providers only", async () => {
    await admin.modelProviders.create(acme())
    const { items, providers, hint } = await listModels()
    expect(hint).toBeNull()
    expect(providers).toMatchObject([
      { id: 'acme-ai', source: 'organization', availability: 'available', problem: null },
    ])
    expect(items[0]!.id).toMatch(/^acme-ai\//)
    const { client } = await app.newUser()
    expect((await listModels(client)).providers).toEqual([])
  })

  test('responds in the OpenAI format', async () =>
    expect(await key.models.list({ format: 'openai' })).toEqual({
      object: 'list',
      data: [
        { id: 'test/echo', object: 'model', created: 0, owned_by: 'test' },
        { id: 'test/script', object: 'model', created: 0, owned_by: 'test' },
      ],
    }))

  test('shows a failing provider with the reason, without its key', async () => {
    await admin.modelProviders.create({ ...acme(), url: `${mock.url}/nothing` })
    const list = await listModels()
    expect(list.providers).toMatchObject([
      { availability: 'unavailable', problem: expect.stringContaining('check the URL') },
    ])
    expect(JSON.stringify(list)).not.toContain(KEY)
  })
})

describe('model provider', () => {
  test('is added with a sealed key and shows only its last four characters', async () => {
    const created = await admin.modelProviders.create(acme())
    expect(created).toMatchObject({
      slug: 'acme-ai',
      kind: 'openai-compatible',
      name: 'Acme AI',
      url: `${mock.url}/v1`,
      hasKey: true,
      lastFour: '1234',
      models: [],
    })
    expect(await admin.modelProviders.list()).toEqual({ items: [created] })
    expect(await admin.modelProviders.get({ id: created.id })).toEqual(created)
    const rows = await app.sql`select * from model_providers where org_id = ${orgId}`
    expect(JSON.stringify(rows)).not.toContain(KEY)
    expect(log.lines.join('')).not.toContain(KEY)
  })

  test('is tested with its key, and reports a rejected key', async () => {
    const keys: unknown[] = []
    const url = await serve((request, response) => {
      keys.push(request.headers.authorization)
      response
        .writeHead(request.headers.authorization === `Bearer ${KEY}` ? 200 : 401)
        .end('{"data":[{"id":"a"}]}')
    })
    const { id } = await admin.modelProviders.create({ ...acme(), url })
    expect(await admin.modelProviders.test({ id })).toEqual({ ok: true, problem: null, modelCount: 1 })
    await admin.modelProviders.update({ id, apiKey: 'revoked' })
    expect(await admin.modelProviders.test({ id })).toEqual({
      ok: false,
      problem: 'The provider rejected the API key (status 401)',
      modelCount: 0,
    })
    expect(keys).toEqual([`Bearer ${KEY}`, 'Bearer revoked'])
  })

  test('needs a key if its vendor requires one, and a URL if it has no vendor', async () => {
    await expect(admin.modelProviders.create({ kind: 'anthropic', name: 'x' })).rejects.toMatchObject(
      rejection('body.apiKey', 'is required for anthropic'),
    )
    await expect(admin.modelProviders.create({ kind: 'openai-compatible', name: 'x' })).rejects.toMatchObject(
      rejection('body.url', 'is required'),
    )
    const google = await admin.modelProviders.create({ kind: 'google', name: 'Google', apiKey: 'short' })
    expect(google).toMatchObject({
      slug: 'google',
      url: 'https://generativelanguage.googleapis.com/v1beta',
      hasKey: true,
      lastFour: null,
    })
  })

  test.each([
    ['http://10.0.0.1/v1', 'must be a public URL'],
    ['http://169.254.169.254/latest', 'must be a public URL'],
    ['https://user:pass@example.com/v1', 'must'],
    ['https://example.com/v1?x=1', 'must not have a query'],
    ['ftp://example.com', 'must'],
  ])('refuses the URL %s', async (url, message) =>
    expect(admin.modelProviders.create({ ...acme(), url })).rejects.toMatchObject(
      rejection('body.url', message),
    ),
  )

  test.each([
    ['slug', 'test', 'must not be test'],
    ['slug', 'A b', 'must be 1 to 40 lowercase'],
    ['apiKey', 'two words', 'printable ASCII'],
    ['apiKey', 'line\nbreak', 'printable ASCII'],
    ['name', 'x\u202ey', 'controls'],
  ])('refuses the %s %j', async (field, value, message) =>
    expect(admin.modelProviders.create({ ...acme(), [field]: value })).rejects.toMatchObject(
      rejection(`body.${field}`, message),
    ),
  )

  test('derives its slug from its name without accents', async () => {
    expect(await admin.modelProviders.create({ ...acme(), name: 'Modèles' })).toMatchObject({
      slug: 'modeles',
    })
  })

  test('has a slug unique to the organization', async () => {
    await admin.modelProviders.create(acme())
    await expect(admin.modelProviders.create(acme())).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(admin.modelProviders.create({ ...acme(), name: 'テスト' })).rejects.toMatchObject(
      rejection('body.slug', 'is required'),
    )
  })

  test('never sends a stored key to another URL', async () => {
    const { id } = await admin.modelProviders.create(acme())
    const url = `${mock.url}/other`
    await expect(admin.modelProviders.update({ id, url })).rejects.toMatchObject(
      rejection('body.apiKey', 'is required when the URL changes'),
    )
    expect(await admin.modelProviders.update({ id, url: `${mock.url}/v1`, name: 'Same' })).toMatchObject({
      name: 'Same',
      lastFour: '1234',
    })
    expect(await admin.modelProviders.update({ id, url, apiKey: 'another-long-key-9876' })).toMatchObject({
      url,
      lastFour: '9876',
    })
    expect(await admin.modelProviders.update({ id, apiKey: null, models: ['a', 'a'] })).toMatchObject({
      hasKey: false,
      lastFour: null,
      models: ['a'],
    })
    expect((await listModels()).items[0]).toMatchObject({ id: 'acme-ai/a' })
  })

  test('is deleted with its key, and every change is audited', async () => {
    const { id } = await admin.modelProviders.create(acme())
    await admin.modelProviders.update({ id, name: 'Renamed' })
    expect(await admin.modelProviders.remove({ id })).toEqual({ deleted: true })
    await expect(admin.modelProviders.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await listModels()).providers).toEqual([])
    const audit =
      await app.sql`select action, user_id, details from audit where org_id = ${orgId} order by id`
    expect(audit).toMatchObject([
      {
        action: 'model-provider.created',
        user_id: adminId,
        details: { name: 'Acme AI', url: `${mock.url}/v1` },
      },
      { action: 'model-provider.updated', details: { name: 'Renamed' } },
      { action: 'model-provider.deleted', details: { name: 'Renamed' } },
    ])
    expect(JSON.stringify(audit)).not.toContain(KEY)
  })

  test('does not break the list if its key was sealed with another secret', async () => {
    const { id } = await admin.modelProviders.create(acme())
    await app.sql`update model_providers set key_sealed = 'v1.broken' where org_id = ${orgId} and id = ${id}`
    expect((await listModels()).providers).toMatchObject([{ id: 'acme-ai' }])
  })
})

describe('PUT /model-settings', () => {
  const find = async (id: string) => (await listModels()).items.find((model) => model.id === id)

  test("sets and removes a model's price and context window", async () => {
    await admin.modelProviders.create({ ...acme(), models: ['small', 'large'] })
    expect(await find('acme-ai/small')).toMatchObject({ pricing: null, contextWindow: null })
    const pricing = { input: 1.5, output: 3, cacheRead: 0.1, cacheWrite: 2 }
    const { items } = await admin.modelSettings.put({
      models: ['acme-ai/small'],
      pricing,
      contextWindow: 32_000,
    })
    expect(items).toMatchObject([
      { model: 'acme-ai/small', pricing, contextWindow: 32_000, updatedBy: adminId },
    ])
    expect(await find('acme-ai/small')).toMatchObject({
      pricing: { ...pricing, source: 'organization' },
      contextWindow: 32_000,
    })
    expect(await find('acme-ai/large')).toMatchObject({ pricing: null, contextWindow: null })
    await app.sql`update model_settings set pricing = pricing - 'cacheWrite' where org_id = ${orgId}`
    expect((await admin.modelSettings.list()).items).toMatchObject([
      { pricing: { ...pricing, cacheWrite: null } },
    ])
    await admin.modelSettings.put({ models: ['acme-ai/small'], pricing: null, contextWindow: null })
    expect(await find('acme-ai/small')).toMatchObject({ pricing: null, contextWindow: null })
    expect(await admin.modelSettings.list()).toEqual({ items: [] })
  })

  test('marks several models as free at once, and records it', async () => {
    await admin.modelProviders.create({ ...acme(), models: ['small', 'large'] })
    const models = ['acme-ai/small', 'acme-ai/large']
    await admin.modelSettings.put({ models, pricing: { input: 0, output: 0 }, contextWindow: null })
    expect(await Promise.all(models.map(find))).toMatchObject([
      { pricing: { input: 0 } },
      { pricing: { output: 0 } },
    ])
    const [entry] = await app.sql`
      select details from audit where org_id = ${orgId} and action = 'model-settings.set'`
    expect(entry!.details).toMatchObject({ models: 'acme-ai/small, acme-ai/large', price: '$0 in, $0 out' })
  })

  test('says whether a model accepts images, and keeps that beside a new price', async () => {
    await admin.modelProviders.create({ ...acme(), models: ['llava:7b', 'small'] })
    const inputs = async () =>
      Promise.all(['llava:7b', 'small'].map(async (id) => (await find(`acme-ai/${id}`))!.modalities.input))
    expect(await inputs()).toEqual([['text', 'image'], ['text']])
    const none = { pricing: null, contextWindow: null }
    await admin.modelSettings.put({ ...none, models: ['acme-ai/llava:7b'], acceptsImages: false })
    await admin.modelSettings.put({ ...none, models: ['acme-ai/small'], acceptsImages: true })
    expect(await inputs()).toEqual([['text'], ['text', 'image']])
    const pricing = { input: 1, output: 2 }
    const priced = await admin.modelSettings.put({ ...none, models: ['acme-ai/small'], pricing })
    expect(priced.items).toMatchObject([{ pricing, acceptsImages: true }])
    await admin.modelSettings.put({ ...none, models: ['acme-ai/small'] })
    expect(await inputs()).toEqual([['text'], ['text', 'image']])
    const models = ['acme-ai/llava:7b', 'acme-ai/small']
    await admin.modelSettings.put({ ...none, models, acceptsImages: null })
    expect(await inputs()).toEqual([['text', 'image'], ['text']])
    expect((await admin.modelSettings.list()).items).toEqual([])
    const entries = await app.sql<{ details: Record<string, string> }[]>`
      select details from audit where org_id = ${orgId} and action = 'model-settings.set' order by id`
    expect(entries.map(({ details }) => details.acceptsImages)).toEqual([
      ...['false', 'true', undefined, undefined, 'default'],
    ])
    const org = await app.organization()
    const member = await app.withSession(await app.person(org, { role: 'member' }))
    const put = member.modelSettings.put({ ...none, models: ['acme-ai/small'], acceptsImages: true })
    await expect(put).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test("leaves other organizations' models alone", async () => {
    await admin.modelProviders.create({ ...acme(), models: ['small'] })
    const org = await app.organization()
    const other = await app.withSession(await app.person(org, { role: 'admin' }))
    await other.modelProviders.create({ ...acme(), models: ['small'] })
    await other.modelSettings.put({
      models: ['acme-ai/small'],
      pricing: { input: 0, output: 0 },
      contextWindow: null,
    })
    expect(await find('acme-ai/small')).toMatchObject({ pricing: null })
    expect(await admin.modelSettings.list()).toEqual({ items: [] })
  })

  test.each([
    [{ models: ['nobody/small'] }, 'body.models.0', 'it has no provider nobody'],
    [{ models: ['small'] }, 'body.models.0', 'must be a model such as openai/gpt-5'],
    [{ models: [] }, 'body.models', 'must have at least one model'],
    [{ pricing: { input: -1, output: 0 } }, 'body.pricing.input', 'from 0 to 1,000,000'],
    [{ contextWindow: 1.5 }, 'body.contextWindow', 'must be a whole number of tokens'],
  ])('refuses %j', async (change, path, message) => {
    await admin.modelProviders.create({ ...acme(), models: ['small'] })
    const input = { models: ['acme-ai/small'], pricing: null, contextWindow: 8000, ...change }
    await expect(admin.modelSettings.put(input)).rejects.toMatchObject(rejection(path, message))
  })
})

describe('trying a provider', () => {
  test('calls a model and suggests it, without storing anything', async () => {
    mock.onMessage(/Ready/, { content: 'Ready' })
    const { name: _, ...settings } = acme()
    const trial = await admin.modelProviders.tryOut(settings)
    expect(trial).toMatchObject({ ok: true, problem: null, words: null, reply: 'Ready' })
    expect(trial.models.map(({ name }) => name)).toContain(trial.model)
    expect((await admin.modelProviders.list()).items).toEqual([])
  })

  test("shows the provider's own words for a rejected key, and nothing that looks like a key", async () => {
    const url = await serve((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}.` } }))
    })
    expect(
      await admin.modelProviders.tryOut({ kind: 'openai-compatible', url: `${url}/v1`, apiKey: KEY }),
    ).toMatchObject({
      ok: false,
      status: 401,
      problem: expect.stringContaining('rejected the API key'),
      words: 'Incorrect API key provided: [redacted].',
    })
  })

  test.each([
    ['list', '/models'],
    ['call', '/chat/completions'],
  ])('shows no key of any form that a refused %s repeats', async (_, refused) => {
    const apiKey = 'opaque/0123456789'
    const url = await serve((request, response) => {
      const isRefused = request.url!.endsWith(refused)
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
      const error = { message: `No budget for ${request.headers.authorization}\u202e` }
      response.end(JSON.stringify(isRefused ? { error } : { data: [{ id: 'large' }] }))
    })
    expect(
      await admin.modelProviders.tryOut({ kind: 'openai-compatible', url: `${url}/v1`, apiKey }),
    ).toMatchObject({ ok: false, status: 400, words: 'No budget for Bearer [redacted]' })
  })

  test('shows why a listed model refuses the call', async () => {
    const url = await serve((request, response) => {
      const isList = request.url!.endsWith('/models')
      response.writeHead(isList ? 200 : 402, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          isList ? { data: [{ id: 'large' }] } : { error: { message: 'Your account has no credit.' } },
        ),
      )
    })
    expect(
      await admin.modelProviders.tryOut({ kind: 'openai-compatible', url: `${url}/v1`, apiKey: KEY }),
    ).toMatchObject({ ok: false, status: 402, model: 'large', words: 'Your account has no credit.' })
  })

  test('quotes no words that the provider did not say', async () => {
    const url = await serve((request, response) => {
      if (request.url!.endsWith('/models')) response.end(JSON.stringify({ data: [{ id: 'large' }] }))
      else response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')
    })
    expect(
      await admin.modelProviders.tryOut({ kind: 'openai-compatible', url: `${url}/v1`, apiKey: KEY }),
    ).toMatchObject({ ok: false, model: 'large', problem: 'The provider’s response broke off', words: null })
  })

  test.each(['the model list', 'the call'])(
    'ends %s when its client leaves',
    async (hanging) => {
      const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const url = await serve((request, response) => {
        if (hanging === 'the call' && request.url!.endsWith('/models'))
          return response.end(JSON.stringify({ data: [{ id: 'large' }] }))
        response.once('close', closed.resolve)
        return arrived.resolve()
      })
      const client = new AbortController()
      const trial = admin.modelProviders.tryOut(
        { kind: 'openai-compatible', url: `${url}/v1`, apiKey: KEY },
        { signal: client.signal },
      )
      await arrived.promise
      client.abort()
      await expect(trial).rejects.toThrow()
      // Without a client, the server's own limits end it after 15 and 30 seconds.
      await closed.promise
    },
    12_000,
  )

  test.each([
    ['answer', 200],
    ['refusal', 400],
  ])('reads at most a megabyte of an endless %s', async (_, status) => {
    const piece = ' '.repeat(1_048_576)
    let pieces = 0
    const url = await serve((request, response) => {
      const isList = request.url!.endsWith('/models')
      response.writeHead(isList ? 200 : status, { 'content-type': 'application/json' })
      if (isList) return response.end(JSON.stringify({ data: [{ id: 'large' }] }))
      const send = () => {
        while (pieces < 64) if (++pieces && !response.write(piece)) return response.once('drain', send)
        return response.end()
      }
      return send()
    })
    expect(
      await admin.modelProviders.tryOut({ kind: 'openai-compatible', url: `${url}/v1`, apiKey: KEY }),
    ).toMatchObject({ ok: false })
    // Some are in the connection's buffers.
    expect(pieces).toBeLessThan(32)
  })

  test('refuses addresses the operator does not allow', async () => {
    await expect(
      admin.modelProviders.tryOut({ kind: 'openai-compatible', url: 'http://10.0.0.1/v1' }),
    ).rejects.toMatchObject(rejection('body.url', 'public'))
  })
})

describe('local model servers', () => {
  test('are searched for where the operator allows loopback addresses', async () => {
    expect(await admin.modelProviders.local()).toMatchObject({ searched: true })
  })
})
