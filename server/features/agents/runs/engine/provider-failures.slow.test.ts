import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let mock: LLMock
let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  mock = await LLMock.create({ port: 0, chunkSize: 4, strict: true })
  app = await buildTestApp({
    env: { ATRIUM_PROVIDER_ACME_URL: `${mock.url}/v1`, ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
  })
  await app.app.startWorker()
  chat = await createChatClient(app, { model: 'acme/a', tools: { web: true } })
})
beforeEach(() => mock.reset())
afterAll(async () => {
  await app.close()
  await mock.stop()
})

const always = { predicate: () => true }
const refuse = (status: number, error: object = {}) =>
  mock.on(always, { error: { message: 'no', ...error }, status } as never)

/** Ends the waits of a run immediately until it fails. */
async function skipWaitsUntilFailed(runId: string) {
  const wakeUp = async () => {
    const now = app.clock.now()
    await app.sql`
      update runs set due_at = ${now}, retry_since = ${now} where id = ${runId} and status = 'waiting'`
    return (await chat.getRun(runId)).status
  }
  await expect.poll(wakeUp, { timeout: 60_000, interval: 20 }).toBe('failed')
}

describe('a provider failure', () => {
  test.each([
    [401, {}, 'provider_rejected_key'],
    [403, {}, 'provider_rejected_key'],
    [404, { code: 'model_not_found' }, 'unknown_model'],
    [400, {}, 'provider_rejected_request'],
    [400, { code: 'content_filter' }, 'refused'],
  ])('%i %o ends the run as %s without a retry', async (status, error, code) => {
    refuse(status, error)
    const { runId } = await chat.start('Hello')
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'failed', errorCode: code })
    expect(await chat.steps(runId)).toHaveLength(1)
  })

  test.each([429, 500, 503, 529])('%i makes the run wait without a worker, then continue', async (status) => {
    refuse(status)
    const { runId, sessionId } = await chat.start('Hello')
    await chat.until(runId, 'waiting')
    const [waiting] = await app.sql`
        select data from run_events where run_id = ${runId} and type = 'run.waiting' order by seq limit 1`
    expect(waiting!.data).toMatchObject({
      for: 'retry',
      failure: { message: expect.stringContaining(`(HTTP ${status}): no`), attemptsLeft: 5 },
    })
    mock.reset()
    mock.on(always, { content: 'Hello again' })
    // Before the time passes: the run may continue at once.
    await app.sql`update runs set deadline_at = deadline_at + interval '2 hours' where id = ${runId}`
    app.clock.advance(3600)
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    expect(await chat.messages(sessionId)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hello again'],
    ])
  })

  test.each([
    [
      429,
      'provider_rate_limited',
      'The provider is limiting requests (HTTP 429): Slow down. 6 attempts failed.',
    ],
    [
      500,
      'provider_unavailable',
      'The provider had an internal error (HTTP 500): Slow down. 6 attempts failed.',
    ],
  ])(
    "%i ends a run with no attempts left with %s and the provider's message",
    async (status, code, error) => {
      refuse(status, { message: 'Slow down' })
      const { runId } = await chat.start('Hello')
      await skipWaitsUntilFailed(runId)
      expect(await chat.getRun(runId)).toMatchObject({ status: 'failed', errorCode: code, error })
    },
  )

  test('causes five retries mid-answer, then the run tries the fallback models', async () => {
    const agent = await chat.client.agents.create({
      name: 'Falls back',
      model: 'acme/a',
      fallbackModels: ['acme/b'],
      maxMinutes: 240,
    })
    mock.on(always, { content: 'This text breaks off in the middle' }, { truncateAfterChunks: 4 })
    const { runId } = await chat.start('Hello', agent.id)
    await skipWaitsUntilFailed(runId)
    const run = await chat.waitForEnd(runId)
    expect(run).toMatchObject({ status: 'failed', errorCode: 'provider_unavailable', model: 'acme/b' })
    const models = (await chat.steps(runId)).map(({ model }) => model)
    expect(models).toEqual(['acme/a', 'acme/b'].flatMap((model) => Array(6).fill(model)))
  })

  test('leaves text that members saw in the conversation, and its tokens in the ledger', async () => {
    const agent = await chat.client.agents.create({ name: 'Breaks off', model: 'test/script' })
    const { runId, sessionId } = await chat.start(script('say Visible', 'cut'), agent.id)
    await skipWaitsUntilFailed(runId)
    expect((await chat.messages(sessionId)).slice(1)).toEqual([['assistant', 'Visible']])
    expect((await chat.getRun(runId)).tokensIn).toBeGreaterThan(6 * 100)
  })
})

describe('an ill-behaved model', () => {
  const call = (name: string, args: string) => ({ name, arguments: args })

  test('reads the errors for unknown tools and invalid input, and the conversation can continue', async () => {
    const toolCalls = [
      call('fly to/the moon', '{}'),
      call('search', '{"query": '),
      call('search', '"text"'),
      call('search', '{"wrong":1}'),
    ]
    mock.on({ hasToolResult: true }, { content: 'I see' })
    mock.on(always, { toolCalls })
    const { runId, sessionId } = await chat.start('Hello')
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    const [step] = await chat.steps(runId)
    expect(step!.calls.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'failed'])
    const body = mock.getLastRequest()!.body as {
      messages: { tool_calls?: { function: { name: string; arguments: string } }[] }[]
    }
    const sent = body.messages.flatMap(({ tool_calls = [] }) => tool_calls)
    for (const { function: fn } of sent) {
      expect(fn.name).toMatch(/^[\w-]{1,64}$/)
      expect(JSON.parse(fn.arguments)).toBeTypeOf('object')
    }
    const { run } = await chat.send(sessionId, 'And now?')
    expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  })

  test('gets a result for each of a thousand calls, and the server runs 64 of them', async () => {
    mock.on({ hasToolResult: true }, { content: 'Enough' })
    mock.on(always, { toolCalls: Array.from({ length: 1000 }, () => call('list_projects', '{}')) })
    const { runId } = await chat.start('Hello')
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    const [step] = await chat.steps(runId)
    const states = step!.calls.map(({ state }) => state)
    expect([states.length, states.filter((state) => state === 'done').length]).toEqual([1000, 64])
  })

  test('has an answer with NUL and lone surrogates stored, and an endless answer cut off', async () => {
    mock.on(always, { content: 'a\u0000b\ud800c' })
    const odd = await chat.start('Hello')
    expect(await chat.waitForEnd(odd.runId)).toMatchObject({ status: 'succeeded' })
    expect((await chat.messages(odd.sessionId)).at(-1)![1]).toBe('a\ufffdb\ufffdc')
    mock.reset()
    mock.on(always, { content: 'endless '.repeat(130_000) }, { chunkSize: 50_000 })
    const endless = await chat.start('Hello')
    expect(await chat.waitForEnd(endless.runId)).toMatchObject({
      status: 'failed',
      errorCode: 'provider_rejected_request',
    })
  })
})

test("an Anthropic model continues after another provider's tool call without reasoning", async () => {
  const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
  await admin.modelProviders.create({
    ...{ kind: 'anthropic', name: 'Third', slug: 'third', url: `${mock.url}/v1`, apiKey: 'key' },
  })
  const agent = await chat.client.agents.create({
    name: 'Falls back to Claude',
    model: 'acme/a',
    fallbackModels: ['third/claude-sonnet-4-5'],
    reasoning: 'high',
  })
  const error = { message: 'no', code: 'model_not_found' }
  mock.on({ model: 'a', hasToolResult: true }, { error, status: 404 } as never)
  mock.on({ model: 'a' }, { toolCalls: [{ name: 'list_projects', arguments: '{}' }] })
  mock.on(always, { content: 'Done', reasoning: 'Hm', reasoningSignature: 'signed' })
  // The mock refuses a call without signed reasoning, as Anthropic does while reasoning is on.
  const { runId } = await chat.start('Hello', agent.id)
  expect(await chat.waitForEnd(runId)).toMatchObject({
    status: 'succeeded',
    model: 'third/claude-sonnet-4-5',
  })
})

test('reasoning returns only to the provider that signed it, whatever its id', async () => {
  const admin = await app.withSession(await app.person(chat.org, { role: 'admin' }))
  for (const slug of ['first', 'second'])
    await admin.modelProviders.create({
      kind: 'anthropic',
      name: slug,
      slug,
      url: `${mock.url}/v1`,
      apiKey: 'key',
    })
  const agent = await chat.client.agents.create({
    name: 'Reasons',
    model: 'first/claude-sonnet-4-5',
    reasoning: 'high',
  })
  // The mock refuses the result of a call without the signed reasoning that led to it, as Anthropic does.
  mock.on({ hasToolResult: true }, { content: 'Done' })
  mock.on(always, {
    reasoning: 'Hm',
    reasoningSignature: 'signed',
    toolCalls: [{ name: 'list_projects', arguments: '{}' }],
  })
  const { runId, sessionId } = await chat.start('Hello', agent.id)
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  await chat.client.agents.update({ id: agent.id, model: 'second/claude-sonnet-4-5', reasoning: 'off' })
  const { run } = await chat.send(sessionId, 'And now?')
  expect(await chat.waitForEnd(run.id)).toMatchObject({
    status: 'succeeded',
    model: 'second/claude-sonnet-4-5',
  })
  const promptOf = async (id: string, n: number) =>
    JSON.stringify((await chat.client.agentRuns.prompt({ id, n })).messages)
  expect(await promptOf(runId, 2)).toContain('signed')
  expect(await promptOf(run.id, 1)).not.toContain('signed')
})

test('the metrics report steps, tokens, time to first token, active runs and waiting approvals', async () => {
  mock.on(always, { toolCalls: [{ name: 'ask_person', arguments: '{"question":"Which?"}' }] })
  const { runId } = await chat.start('Hello')
  await chat.until(runId, 'waiting')
  const { text } = await app.request('GET', '/metrics')
  expect(text).toMatch(/^atrium_agent_steps_total\{provider="acme",state="done"\} [1-9]/m)
  expect(text).toMatch(/^atrium_agent_steps_total\{provider="acme",state="failed"\} [1-9]/m)
  expect(text).toMatch(/^atrium_agent_tokens_total\{provider="acme",direction="output"\} [1-9]/m)
  expect(text).toMatch(/^atrium_agent_first_token_seconds_count\{provider="acme"\} [1-9]/m)
  expect(text).toContain('atrium_agent_runs{status="waiting"} 1\n')
  expect(text).toContain('atrium_agent_approvals_waiting 1\n')
})
