import { describe, expect, test } from 'vitest'
import { loopbackServers } from '../../testing/fakes/loopback-servers.ts'
import type { ModelProvider } from '../provider.ts'
import { trustedFetch } from '../trusted-fetch.ts'
import { listModels } from './catalog.ts'

const { serve } = loopbackServers()

interface SentRequest {
  path: string
  headers: Record<string, unknown>
}

/** Lists against a server that responds with a body per path, in the shapes of the vendors' own SDKs. */
async function list(
  kind: ModelProvider['kind'],
  bodies: Record<string, unknown>,
  overrides: Partial<ModelProvider> = {},
) {
  const requests: SentRequest[] = []
  const url = await serve((request, response) => {
    requests.push({ path: request.url!, headers: request.headers })
    const body = bodies[request.url!]
    if (body === undefined) return response.writeHead(404).end()
    if (typeof body === 'number') return response.writeHead(body).end('{"error":{"message":"sk-secret"}}')
    return response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const base = { id: 'acme', name: 'Acme', apiKey: 'sk-secret', models: [], cacheKey: 'x' }
  const { origin } = new URL(url)
  const provider: ModelProvider = { ...base, kind, url: origin, source: 'environment', ...overrides }
  const options = { fetch: trustedFetch, signal: AbortSignal.timeout(10_000) }
  return { requests, models: listModels(provider, options) }
}

const openAi = (id: string, fields: object = {}) => ({
  id,
  object: 'model',
  created: 1,
  owned_by: 'x',
  ...fields,
})

describe('OpenAI', () => {
  test('lists the models that generate text, with the properties their names state', async () => {
    const ids = [
      'gpt-5',
      'gpt-4.1-mini',
      'text-embedding-3-small',
      'whisper-1',
      'gpt-image-1',
      'gpt-4o-mini-tts',
      'o3-mini',
    ]
    const { models, requests } = await list('openai', {
      '/models': { object: 'list', data: ids.map((id) => openAi(id)) },
    })
    expect(await models).toMatchObject([
      { id: 'gpt-5', reasoning: true, tools: true, input: ['text', 'image'] },
      { id: 'gpt-4.1-mini', reasoning: false, tools: true, input: ['text', 'image'] },
      { id: 'o3-mini', reasoning: true, tools: true, input: ['text'] },
    ])
    expect(requests).toMatchObject([{ path: '/models', headers: { authorization: 'Bearer sk-secret' } }])
  })
})

describe('OpenAI-compatible server', () => {
  test('may add the context window, abilities and prices', async () => {
    const router = openAi('meta/llama', {
      name: 'Llama',
      context_length: 131_072,
      architecture: { input_modalities: ['text', 'image', 'smell'], output_modalities: ['text'] },
      top_provider: { max_completion_tokens: 8192 },
      supported_parameters: ['tools', 'temperature'],
      pricing: { prompt: '0.0000001', completion: '0.00000025', input_cache_read: '0' },
    })
    const data = [
      router,
      openAi('groq-model', { context_window: 8192, max_completion_tokens: 4096, active: true }),
      openAi('off', { active: false }),
      openAi('vllm-model', { max_model_len: 4096 }),
      openAi('llama.gguf', { meta: { n_ctx_train: 2048 } }),
      openAi('mistral-model', {
        max_context_length: 32_768,
        capabilities: { function_calling: true, vision: false },
      }),
    ]
    const { models } = await list('openai-compatible', { '/models': { data } })
    expect(await models).toMatchObject([
      {
        id: 'meta/llama',
        name: 'Llama',
        contextWindow: 131_072,
        maxOutput: 8192,
        input: ['text', 'image'],
        tools: true,
        reasoning: false,
        prices: { input: 0.1, output: 0.25, cacheRead: 0, cacheWrite: null },
      },
      { id: 'groq-model', contextWindow: 8192, maxOutput: 4096, tools: null, prices: null },
      { id: 'vllm-model', contextWindow: 4096 },
      { id: 'llama.gguf', contextWindow: 2048 },
      { id: 'mistral-model', contextWindow: 32_768, tools: true, input: ['text'] },
    ])
  })

  test('receives no authorization header without a key', async () => {
    const bodies = { '/models': { data: [] } }
    const { models, requests } = await list('openai-compatible', bodies, { apiKey: null })
    expect(await models).toEqual([])
    expect(requests[0]!.headers.authorization).toBeUndefined()
  })

  test('yields only valid entries if it lists hostile values', async () => {
    const data = [
      null,
      1,
      {},
      { id: '' },
      { id: 'x'.repeat(1000) },
      { id: 'ok', context_length: '9', pricing: 'free' },
    ]
    const { models } = await list('openai-compatible', { '/models': { data } })
    expect(await models).toMatchObject([{ id: 'ok', contextWindow: null, prices: null }])
  })

  test('offers the models named in its settings, even if it lists none', async () => {
    const settings = { models: ['b', 'mine'] }
    const listed = await list(
      'openai-compatible',
      { '/models': { data: [openAi('a'), openAi('b', { max_model_len: 9 })] } },
      settings,
    )
    expect(await listed.models).toMatchObject([
      { id: 'b', contextWindow: 9 },
      { id: 'mine', contextWindow: null },
    ])
    const withoutList = await list('openai-compatible', {}, settings)
    expect((await withoutList.models).map(({ id }) => id)).toEqual(['b', 'mine'])
  })
})

test('Anthropic lists all pages with their limits and abilities', async () => {
  const model = (id: string, fields: object = {}) => ({
    id,
    type: 'model',
    display_name: id.toUpperCase(),
    created_at: '2026-01-01T00:00:00Z',
    lifecycle: 'active',
    max_input_tokens: 200_000,
    max_tokens: 64_000,
    capabilities: {
      image_input: { supported: true },
      pdf_input: { supported: true },
      thinking: { supported: true, types: {} },
    },
    ...fields,
  })
  const { models, requests } = await list('anthropic', {
    '/models?limit=1000': { data: [model('one')], has_more: true, first_id: 'one', last_id: 'one' },
    '/models?limit=1000&after_id=one': {
      data: [model('old', { lifecycle: 'retired' }), model('two', { capabilities: null, max_tokens: null })],
      has_more: false,
      last_id: 'two',
    },
  })
  expect(await models).toMatchObject([
    {
      id: 'one',
      name: 'ONE',
      contextWindow: 200_000,
      maxOutput: 64_000,
      input: ['text', 'image', 'file'],
      tools: true,
      reasoning: true,
      created: 1_767_225_600,
    },
    { id: 'two', maxOutput: null, reasoning: null },
  ])
  expect(requests[0]!.headers).toMatchObject({ 'x-api-key': 'sk-secret', 'anthropic-version': '2023-06-01' })
})

test('Google lists all pages with models that generate text', async () => {
  const model = (name: string, fields: object = {}) => ({
    name: `models/${name}`,
    displayName: name,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    thinking: true,
    ...fields,
  })
  const { models, requests } = await list('google', {
    '/models?pageSize=1000': { models: [model('gemini-2.5-pro')], nextPageToken: 'n&1' },
    '/models?pageSize=1000&pageToken=n%261': {
      models: [
        model('text-embedding-004', { supportedGenerationMethods: ['embedContent'] }),
        model('gemini-2.5-flash-image'),
        model('gemma-3-27b-it', { thinking: undefined }),
      ],
    },
  })
  expect(await models).toMatchObject([
    { id: 'gemini-2.5-pro', contextWindow: 1_048_576, maxOutput: 65_536, tools: true, reasoning: true },
    { id: 'gemma-3-27b-it', tools: null, reasoning: false },
  ])
  expect(requests[0]!.headers).toMatchObject({ 'x-goog-api-key': 'sk-secret' })
})

test('Ollama lists the models that generate text, each with its context window', async () => {
  const details = {
    capabilities: ['completion', 'tools', 'vision'],
    model_info: { 'llama.context_length': 131_072 },
  }
  const { models, requests } = await list('ollama', {
    '/api/tags': { models: [{ name: 'llama3.2:latest' }, { name: 'other' }] },
    '/api/show': details,
  })
  const properties = { contextWindow: 131_072, tools: true, reasoning: false, input: ['text', 'image'] }
  expect(await models).toMatchObject([
    { id: 'llama3.2:latest', ...properties },
    { id: 'other', ...properties },
  ])
  expect(requests.map(({ path }) => path)).toEqual(['/api/tags', '/api/show', '/api/show'])
  const embedding = { '/api/tags': { models: [{ name: 'e' }] }, '/api/show': { capabilities: ['embedding'] } }
  expect(await (await list('ollama', embedding)).models).toEqual([])
})

describe('listing failure', () => {
  test.each([
    [401, 'The provider rejected the API key (status 401)'],
    [404, 'The provider has no model list at this URL (status 404): check the URL'],
    [429, 'The provider is limiting requests (status 429)'],
    [302, 'The URL redirects (status 302): enter its destination'],
    [500, 'The provider responded with status 500'],
    ['<html>', 'The model list is not JSON: check the URL'],
    [{ models: 'x' }, 'The response is not a model list: check the URL'],
  ])("%j names the remedy without the server's response: %s", async (body, message) => {
    const { models } = await list('openai', { '/models': body })
    await expect(models).rejects.toThrow(message)
  })

  test('names the reason if nothing listens at the URL', async () => {
    const { models } = await list('openai', {}, { url: 'http://127.0.0.1:1/v1' })
    await expect(models).rejects.toThrow(/^(Connection refused|bad port|The request failed)/)
  })

  test('names the limit if the response is larger', async () => {
    const { models } = await list('openai', { '/models': ' '.repeat(16_777_217) })
    await expect(models).rejects.toThrow('The model list is larger than 16777216 bytes')
  })
})
