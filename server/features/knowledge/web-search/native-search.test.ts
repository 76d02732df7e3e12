import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createChatClient } from '../../../testing/clients/chat-client.ts'
import { anthropicStream } from '../../../testing/fakes/model-streams.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const KEY = 'sk-very-secret-key-1234'

let app: TestApp
let vendor: Awaited<ReturnType<typeof startReceiver>>
let origin: string
beforeAll(async () => {
  vendor = await startReceiver()
  origin = new URL(vendor.url).origin
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
})
afterAll(() => Promise.all([app.close(), vendor.close()]))
afterEach(() => void vendor.requests.splice(0))

const PAGES = ['https://one.example/a', 'https://two.example/b']

/** As the vendors document them. */
const ANSWERS = {
  anthropic: {
    ...{
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      stop_reason: 'end_turn',
      stop_sequence: null,
    },
    content: [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: PAGES.map((url, at) => ({
          ...{ type: 'web_search_result', url, title: `Page ${at}`, encrypted_content: 'x' },
          page_age: 'April 30, 2026',
        })),
      },
      {
        type: 'text',
        text: 'It rains.',
        citations: [
          {
            ...{ type: 'web_search_result_location', url: PAGES[0], title: 'Page 0', encrypted_index: 'x' },
            cited_text: 'Rain <b>until</b> noon',
          },
        ],
      },
    ],
    usage: { input_tokens: 1000, output_tokens: 100, server_tool_use: { web_search_requests: 1 } },
  },
  openai: {
    ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'gpt' },
    output: [
      {
        ...{ type: 'web_search_call', id: 'ws_1', status: 'completed' },
        action: { type: 'search', query: 'weather', sources: PAGES.map((url) => ({ type: 'url', url })) },
      },
      {
        ...{ type: 'web_search_call', id: 'ws_2', status: 'completed' },
        action: { type: 'open_page', url: PAGES[0] },
      },
      {
        ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
        content: [
          {
            ...{ type: 'output_text', text: 'It rains.' },
            annotations: [
              {
                ...{ type: 'url_citation', start_index: 0, end_index: 8 },
                ...{ url: `${PAGES[0]}?utm_source=openai`, title: 'Page 0' },
              },
            ],
          },
        ],
      },
    ],
    usage: { input_tokens: 1000, output_tokens: 100 },
  },
  google: {
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'It rains.' }] },
        finishReason: 'STOP',
        groundingMetadata: {
          webSearchQueries: ['weather'],
          groundingChunks: PAGES.map((_, at) => ({ web: { uri: `LINK/${at}`, title: `page${at}.example` } })),
        },
      },
    ],
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100 },
  },
}

type Kind = keyof typeof ANSWERS
const MODELS: Record<Kind, string> = { anthropic: 'claude-test', openai: 'gpt-test', google: 'gemini-test' }

const listing = (kind: Kind) =>
  JSON.stringify({
    data: [{ id: MODELS[kind], type: 'model', object: 'model', display_name: 'M' }],
    models: [{ name: `models/${MODELS[kind]}`, supportedGenerationMethods: ['generateContent'] }],
  })

/** Google's sources are links that redirect. */
function serve(kind: Kind) {
  vendor.answer(({ path, body }, response) => {
    const link = /^\/link\/(\d)$/.exec(path)?.[1]
    if (link) return response.writeHead(302, { location: PAGES[Number(link)] }).end()
    if (body === '') return response.end(listing(kind))
    const answer = JSON.stringify(ANSWERS[kind]).replaceAll('LINK/', `${origin}/link/`)
    response.setHeader('content-type', 'application/json').end(answer)
  })
}

async function setUp(kind: Kind, web = { allowedDomains: [] as string[], deniedDomains: [] as string[] }) {
  const chat = await createChatClient(app, { model: 'test/echo' })
  const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
  serve(kind)
  const { slug } = await admin.modelProviders.create({ kind, name: 'Vendor', url: origin, apiKey: KEY })
  await admin.webSearch.put({ kind: 'model', pricePerSearch: 0.02 })
  const model = `${slug}/${MODELS[kind]}`
  await admin.modelSettings.put({
    models: [model],
    pricing: { input: 10, output: 100 },
    contextWindow: null,
  })
  const agent = await admin.agents.create({ name: 'Searcher', model, tools: { web: true }, web })
  return { ...chat, admin, agent, model }
}

const asked = () => vendor.requests.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body))

describe.each(Object.keys(ANSWERS) as Kind[])('web search by %s', (kind) => {
  test('is one request with the vendor’s own tool and nothing but the query', async () => {
    const { admin } = await setUp(kind)
    vendor.requests.splice(0)
    expect(await admin.webSearch.test()).toMatchObject({ ok: true, problem: null, resultCount: 2 })
    const [body, ...more] = asked()
    expect(more).toEqual([])
    expect(body.tools).toEqual(
      {
        anthropic: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }],
        openai: [{ type: 'web_search', search_context_size: 'low' }],
        google: [{ googleSearch: {} }],
      }[kind],
    )
    expect(JSON.stringify(body)).toContain('Search for: weather')
    if (kind === 'openai') expect(body.store).toBe(false)
  })

  test('says why it fails without the vendor’s words', async () => {
    const { admin } = await setUp(kind)
    vendor.answer(({ body }, response) =>
      body === ''
        ? response.end(listing(kind))
        : response
            .writeHead(401, { 'content-type': 'application/json' })
            .end(`{"error": {"message": "no ${KEY}"}}`),
    )
    expect(await admin.webSearch.test()).toMatchObject({
      ok: false,
      problem: 'Vendor could not search. It rejects the key',
    })
  })
})

describe('a run that searches with its model’s provider', () => {
  /** The agent's first step calls the tool, its second answers. */
  function play(input: { query: string; count?: number }) {
    let steps = 0
    vendor.answer(({ body }, response) => {
      const request = body === '' ? null : JSON.parse(body)
      if (!request?.stream) {
        const answer = request ? ANSWERS.anthropic : { data: [] }
        return response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
      }
      const answer = ++steps === 1 ? { tool: 'web_search', input } : { text: 'Done' }
      response.setHeader('content-type', 'text/event-stream').end(anthropicStream(answer))
    })
  }

  async function ask(setup: Awaited<ReturnType<typeof setUp>>, query: string, count?: number) {
    play({ query, ...(count !== undefined && { count }) })
    const { client, project, agent } = setup
    const session = await client.sessions.create({
      projectId: project.id,
      agentId: agent.id,
      message: { content: 'Find it' },
    })
    await expect
      .poll(async () => (await client.agentRuns.get({ id: session.run!.id })).status, { timeout: 15_000 })
      .toBe('succeeded')
    const run = await client.agentRuns.get({ id: session.run!.id })
    const { items } = await client.agentRuns.steps({ id: run.id })
    return { run, call: items.flatMap(({ calls }) => calls)[0]! }
  }

  test('reads fenced results, is untrusted, and pays for the search and its tokens', async () => {
    const setup = await setUp('anthropic')
    const { run, call } = await ask(setup, 'weather')
    expect(run.trust).toBe('untrusted')
    const { results, summary } = call.output as { results: string; summary: string }
    expect(results).toMatch(/<<<DATA-/)
    expect(results).toContain('"snippet": "Rain until noon"')
    expect(results).toContain('"publishedAt": "2026-04-30')
    expect(summary).toMatch(/<<<DATA-[\s\S]*It rains\./)
    // 0.02 for the search, 1,000 tokens at 10 and 100 at 100 per million.
    expect(call.cost).toEqual({ amount: '0.040000', currency: 'USD' })
    const rows = await app.sql`
      select model, provider, cost, price_source as source, quantity from usage
      where run_id = ${run.id} and kind = 'search'`
    expect(rows).toEqual([
      {
        ...{ model: 'search/anthropic', provider: 'anthropic', cost: '0.040000', source: 'organization' },
        quantity: expect.objectContaining({ searches: 1, input: 1000, output: 100 }),
      },
    ])
  })

  test('passes the agent’s domains and leaves out others', async () => {
    const web = { allowedDomains: ['two.example'], deniedDomains: [] }
    const setup = await setUp('anthropic', web)
    const { call } = await ask(setup, 'weather')
    const search = asked().find(({ stream }) => !stream)
    expect(search.tools).toEqual([
      expect.objectContaining({ type: 'web_search_20250305', allowed_domains: ['two.example'] }),
    ])
    const { results, summary } = call.output as { results: string; summary?: string }
    expect(results).toContain(PAGES[1])
    expect(results).not.toContain(PAGES[0])
    expect(summary).toBeUndefined()
  })

  test('leaves out a summary that may be about a page which the agent may not read, also beyond the count', async () => {
    const setup = await setUp('anthropic', { allowedDomains: ['one.example'], deniedDomains: [] })
    const { call } = await ask(setup, 'weather', 1)
    const { results, summary } = call.output as { results: string; summary?: string }
    expect(results).toContain(PAGES[0])
    expect(summary).toBeUndefined()
  })

  test('is refused for a model without a search', async () => {
    const { client, admin, project } = await setUp('anthropic')
    const agent = await admin.agents.create({ name: 'Script', model: 'test/script', tools: { web: true } })
    const content = 'Please\n```script\ncall web_search {"query": "weather"}\n---\nsay Done\n```'
    const session = await client.sessions.create({
      projectId: project.id,
      agentId: agent.id,
      message: { content },
    })
    const steps = async () => (await client.agentRuns.steps({ id: session.run!.id })).items
    await expect.poll(async () => (await steps())[0]?.calls[0]?.state, { timeout: 15_000 }).toBe('failed')
    expect((await steps())[0]!.calls[0]!.output).toMatchObject({
      error: expect.stringContaining('has no web search. Use a model from OpenAI, Anthropic or Google'),
    })
  })
})

test('the model’s provider needs neither a URL nor a key', async () => {
  const admin = await app.withSession(await app.person(await app.organization(), { role: 'admin' }))
  await expect(admin.webSearch.put({ kind: 'model', url: 'https://example.com' })).rejects.toMatchObject({
    details: [{ path: 'body.url', message: expect.stringContaining('leave it out') }],
  })
  await expect(admin.webSearch.put({ kind: 'model', apiKey: KEY })).rejects.toMatchObject({
    details: [{ path: 'body.apiKey', message: expect.stringContaining('leave it out') }],
  })
  await admin.webSearch.put({ kind: 'model' })
  expect(await admin.webSearch.get()).toMatchObject({ provider: { kind: 'model', pricePerSearch: null } })
  expect(await admin.webSearch.test()).toMatchObject({
    ok: false,
    problem: expect.stringContaining('Settings → Models'),
  })
})
