import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { loopbackServers } from '../testing/fakes/loopback-servers.ts'
import { createModels } from './models.ts'
import type { ModelProvider } from './provider.ts'

const { serve, closeAfterTest } = loopbackServers()

/** An OpenAI-compatible server with one model, whose behavior the test sets. */
let respond: (response: { writeHead: (status: number) => unknown; end: (body?: string) => unknown }) => void
let requests: number
let authorization: string | undefined
let url: string
const listBody = (...ids: string[]) => JSON.stringify({ data: ids.map((id) => ({ id })) })
beforeEach(async () => {
  requests = 0
  respond = (response) => response.end(listBody('llama'))
  url = await serve((request, response) => {
    requests++
    authorization = request.headers.authorization
    respond(response)
  })
})
afterEach(() => vi.useRealTimers())

const ORG = 'org'
const acmeProvider = (overrides: Partial<ModelProvider> = {}): ModelProvider => ({
  id: 'acme',
  kind: 'openai-compatible',
  name: 'Acme',
  url: new URL(url).origin,
  apiKey: null,
  models: [],
  source: 'organization',
  cacheKey: 'acme 1',
  ...overrides,
})

function createEngine(options: {
  env?: Record<string, string>
  providers?: ModelProvider[]
  allowed?: string[]
  waitMs?: number
}) {
  // Longer than the server waits: the first list also loads libraries, on a machine that may be busy.
  const { env = {}, providers = [], allowed = ['127.0.0.0/8'], waitMs = 60_000 } = options
  const outbound = createOutbound({ allowed })
  closeAfterTest(outbound.close)
  return createModels({
    config: readConfig({ ATRIUM_OLLAMA_URL: 'off', ...env }).models,
    loadProviders: async (orgId) => (orgId === ORG ? providers : []),
    outbound,
    now: () => new Date(),
    waitMs,
  })
}

describe('model list', () => {
  test('merges operator and organization providers, and ends with the test models', async () => {
    const engine = createEngine({ env: { ATRIUM_PROVIDER_SHARED_URL: url }, providers: [acmeProvider()] })
    const { models: items, providers } = await engine.list(ORG)
    expect(items.map(({ id }) => id)).toEqual(['acme/llama', 'shared/llama', 'test/echo', 'test/script'])
    expect(providers).toMatchObject([
      { id: 'acme', source: 'organization', availability: 'available', problem: null },
      { id: 'shared', source: 'environment', availability: 'available' },
    ])
    expect((await engine.list('another organization')).models.map(({ id }) => id)).not.toContain('acme/llama')
  })

  test("uses the organization's key if both configure a provider with the same id", async () => {
    const engine = createEngine({
      env: { ATRIUM_PROVIDER_ACME_URL: 'http://127.0.0.1:9/v1' },
      providers: [acmeProvider()],
    })
    expect((await engine.list(ORG)).providers).toMatchObject([{ id: 'acme', source: 'organization' }])
  })

  test('has no test models in production', async () => {
    const engine = createEngine({ env: { NODE_ENV: 'production' } })
    expect((await engine.list(ORG)).models).toEqual([])
    expect(await engine.find(ORG, 'test/echo')).toMatchObject({ kind: 'unknown' })
    expect(await engine.describe(ORG, 'test/echo')).toBeNull()
  })

  test('shows a failing provider as unavailable with the reason, beside the others', async () => {
    respond = (response) => {
      response.writeHead(401)
      response.end()
    }
    const engine = createEngine({ providers: [acmeProvider()] })
    expect(await engine.list(ORG)).toMatchObject({
      providers: [
        { id: 'acme', availability: 'unavailable', problem: expect.stringContaining('rejected the API key') },
      ],
    })
  })

  test('does not wait for a provider that never responds, and shows its models later', async () => {
    let answer = () => {}
    respond = (response) => {
      answer = () => response.end(listBody('late'))
    }
    const engine = createEngine({ providers: [acmeProvider()], waitMs: 1 })
    expect(await engine.list(ORG)).toMatchObject({
      models: [{ id: 'test/echo' }, { id: 'test/script' }],
      providers: [{ availability: 'unavailable', problem: 'The provider has not responded yet' }],
    })
    await vi.waitFor(() => expect(requests).toBe(1))
    answer()
    await vi.waitFor(async () =>
      expect((await engine.list(ORG)).models[0]).toMatchObject({ id: 'acme/late' }),
    )
    expect(requests).toBe(1)
  })

  test('is cached per settings version, and concurrent lists send one request', async () => {
    const providers = [acmeProvider()]
    const engine = createEngine({ providers })
    await Promise.all([engine.list(ORG), engine.list(ORG), engine.list(ORG)])
    await engine.list(ORG)
    expect(requests).toBe(1)
    providers[0] = acmeProvider({ cacheKey: 'acme 2' })
    await engine.list(ORG)
    expect(requests).toBe(2)
  })

  test("keeps an unresponsive provider's last list, marked as unavailable", async () => {
    const engine = createEngine({ providers: [acmeProvider()] })
    await engine.list(ORG)
    respond = (response) => {
      response.writeHead(500)
      response.end()
    }
    await engine.check(acmeProvider())
    expect((await engine.list(ORG)).models[0]).toMatchObject({
      id: 'acme/llama',
      availability: 'unavailable',
    })
  })
})

describe('organization-supplied URL', () => {
  test('reaches no private network, neither for the list nor for a call', async () => {
    const engine = createEngine({ providers: [acmeProvider()], allowed: [] })
    expect((await engine.list(ORG)).providers).toMatchObject([
      { availability: 'unavailable', problem: 'The URL must be a public URL' },
    ])
    const found = await engine.find(ORG, 'acme/llama')
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'x' }] }]
    await expect(found.kind === 'model' && found.model.doStream({ prompt })).rejects.toThrow('public URL')
    expect(requests).toBe(0)
  })

  test('is not followed to another server', async () => {
    const { port } = new URL(url)
    const redirecting = await serve((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${port}/models` }).end(),
    )
    const engine = createEngine({ providers: [acmeProvider({ url: redirecting })] })
    expect((await engine.list(ORG)).providers).toMatchObject([
      { problem: expect.stringContaining('redirects') },
    ])
    expect(requests).toBe(0)
  })
})

describe('Ollama', () => {
  test('is offered without configuration while it runs', async () => {
    respond = (response) => response.end(JSON.stringify({ models: [{ name: 'llama3.2:latest' }] }))
    const { models: items, providers } = await createEngine({ env: { ATRIUM_OLLAMA_URL: url } }).list(ORG)
    expect(items[0]).toMatchObject({ id: 'ollama/llama3.2:latest', pricing: null })
    expect(providers).toMatchObject([{ id: 'ollama', source: 'local', availability: 'available' }])
  })

  test('is absent if it does not run, unless the operator set its URL', async () => {
    const dead = 'http://127.0.0.1:9'
    expect((await createEngine({ env: { ATRIUM_OLLAMA_URL: dead } }).list(ORG)).providers).toMatchObject([
      { id: 'ollama', availability: 'unavailable' },
    ])
    const config = { ...readConfig({}).models, ollama: { url: dead, isExplicit: false } }
    const loadProviders = async () => []
    const engine = createModels({ config, loadProviders, outbound: { fetch }, now: () => new Date() })
    expect((await engine.list(ORG)).providers).toEqual([])
  })
})

describe('model id', () => {
  test.each(['gpt-5', '/gpt-5', 'openai/', '', 'absent/gpt-5', 'test/none'])('%j is unknown', async (id) => {
    const engine = createEngine({ providers: [acmeProvider()] })
    expect(await engine.find(ORG, id)).toEqual({ kind: 'unknown', reason: expect.any(String) })
  })

  test('is created once per provider version, so a replaced or removed key is not reused', async () => {
    const providers = [acmeProvider({ apiKey: 'first' })]
    const engine = createEngine({ providers })
    const call = async () => {
      const found = await engine.find(ORG, 'acme/llama')
      if (found.kind === 'unknown') return null
      await found.model.doGenerate({ prompt: [] }).then(undefined, () => {})
      return found.model
    }
    const first = await call()
    expect(await call()).toBe(first)
    expect(authorization).toBe('Bearer first')
    providers[0] = acmeProvider({ apiKey: 'second', cacheKey: 'acme 2' })
    await call()
    expect(authorization).toBe('Bearer second')
    providers.pop()
    expect(await call()).toBeNull()
    expect(requests).toBe(3)
  })

  test('may contain slashes after the first, and may name an unlisted model', async () => {
    const engine = createEngine({ providers: [acmeProvider()] })
    const found = await engine.find(ORG, 'acme/meta/llama')
    expect(found.kind === 'model' && found.model.modelId).toBe('meta/llama')
    expect(await engine.describe(ORG, 'acme/meta/llama')).toMatchObject({
      contextWindow: null,
      pricing: null,
    })
  })

  test("is described with the operator's prices", async () => {
    const prices = JSON.stringify({ 'acme/*': { input: 1, output: 2 }, 'test/echo': { input: 3, output: 4 } })
    const engine = createEngine({ env: { ATRIUM_MODEL_PRICES: prices }, providers: [acmeProvider()] })
    expect(await engine.describe(ORG, 'acme/llama')).toMatchObject({
      pricing: { input: 1, source: 'operator' },
    })
    expect(await engine.describe(ORG, 'test/echo')).toMatchObject({ isTest: true, pricing: { input: 3 } })
  })
})
