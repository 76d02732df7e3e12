import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../../security/ids.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let mock: LLMock
let app: TestApp
let chat: ChatClient
beforeAll(async () => {
  mock = await LLMock.create({ port: 0, chunkSize: 400 })
  app = await buildTestApp({
    env: {
      ATRIUM_PROVIDER_ACME_URL: `${mock.url}/v1`,
      ATRIUM_MODEL_PRICES: JSON.stringify({ 'acme/*': { input: 1, output: 2 } }),
    },
  })
  await app.app.startWorker()
  chat = await createChatClient(app, { model: 'acme/m' })
})
beforeEach(() => reset())
afterAll(async () => {
  await app.close()
  await mock.stop()
})

interface SentRequest {
  messages: { role: string; content: unknown }[]
}
const isSummary = ({ messages }: SentRequest) => JSON.stringify(messages[0]).includes('You summarize')
/** Recorded here, because the journal of the mock leaves out large requests. */
let seen: SentRequest[] = []
const requests = () => seen
function reset() {
  mock.reset()
  seen = []
  const predicate = (request: unknown) => {
    seen.push(request as SentRequest)
    return false
  }
  mock.on({ predicate }, { content: '' })
}
const usage = { prompt_tokens: 100, completion_tokens: 10 }

/** Earlier exchanges of about this many characters each, with a large result of a tool in each. */
async function addExchanges(sessionId: string, count: number, characters: number) {
  const [{ seq }] =
    (await app.sql`select message_seq::int as seq from agent_sessions where id = ${sessionId}`) as never as [
      { seq: number },
    ]
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'list_files', input: {} }
  const result = { type: 'tool-result', toolCallId: 'c', toolName: 'list_files' }
  const rows = Array.from({ length: count }, (_, n) => [
    ['user', [{ type: 'text', text: `Question ${n} ${'q'.repeat(characters / 2)}` }]],
    ['assistant', [{ ...call, toolCallId: `c${n}` }]],
    [
      'tool',
      [
        {
          ...result,
          toolCallId: `c${n}`,
          output: { type: 'text', value: `Result ${n} ${'r'.repeat(characters / 2)}` },
        },
      ],
    ],
    ['assistant', [{ type: 'text', text: `Answer ${n}` }]],
  ]).flat()
  for (const [index, [role, content]] of rows.entries())
    await app.sql`
      insert into messages (org_id, session_id, seq, id, role, content, trust, created_at)
      values (${chat.org.id}, ${sessionId}, ${seq + index + 1}, ${newId()}, ${role as string},
        ${app.sql.json(content as never)}, 'trusted', now())`
  await app.sql`update agent_sessions set message_seq = ${seq + rows.length} where id = ${sessionId}`
}

async function startLongSession(count: number, characters: number) {
  mock.onMessage('The first request', { content: 'Started', usage })
  const started = await chat.start('The first request')
  await chat.waitForEnd(started.runId)
  await addExchanges(started.sessionId, count, characters)
  reset()
  return started
}

test('a long prompt loses old, large outputs first, and the engine summarizes only what is still too long', async () => {
  const { sessionId } = await startLongSession(10, 40_000)
  mock.onMessage('Next', { content: 'Fits', usage })
  const { run } = await chat.send(sessionId, 'Next')
  expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  const [prompt, ...rest] = requests()
  expect(rest).toEqual([])
  const text = JSON.stringify(prompt)
  expect([2, 3].map((n) => text.includes(`Result ${n} `))).toEqual([false, true])
  expect(text).toContain('read_history')
})

test('the steps after an elision each repeat the prompt before them, and show it as it was sent', async () => {
  const { sessionId } = await startLongSession(10, 40_000)
  const toolCalls = [{ name: 'search_actions', arguments: '{"words":"snapshot"}' }]
  const hasAnswered = (request: SentRequest) => request.messages.at(-1)!.role !== 'user'
  mock.on(
    { predicate: (request) => hasAnswered(request as never) && requests().length >= 5 },
    { content: 'Done', usage },
  )
  mock.on({ predicate: () => true }, { content: 'Searching', toolCalls, usage })
  const { run } = await chat.send(sessionId, 'Next')
  expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  const prompts = requests().map(({ messages }) => messages.map((message) => JSON.stringify(message)))
  expect(prompts).toHaveLength(5)
  for (const [index, prompt] of prompts.slice(1).entries())
    expect(prompt.slice(0, prompts[index]!.length)).toEqual(prompts[index])
  const shown = JSON.stringify(await chat.client.agentRuns.prompt({ id: run.id, n: 5 }))
  expect([2, 3].map((n) => shown.includes(`Result ${n} `))).toEqual([false, true])
})

test('the engine summarizes at three quarters of the window, keeps the first and newest messages, bills the summary and marks its position', async () => {
  const { sessionId } = await startLongSession(10, 90_000)
  mock.on(
    { predicate: (request) => isSummary(request as never) },
    { content: 'They asked ten questions', usage },
  )
  mock.onMessage('Next', { content: 'Fits now', usage })
  const { run } = await chat.send(sessionId, 'Next')
  expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  const [summary, answer, ...rest] = requests()
  expect([isSummary(summary!), isSummary(answer!), rest]).toEqual([true, false, []])
  const text = JSON.stringify(answer)
  for (const kept of ['The first request', 'They asked ten questions', 'Question 8 ', 'Question 9 ', 'Next'])
    expect([kept, text.includes(kept)]).toEqual([kept, true])
  expect(text).not.toContain('Question 7 ')
  const order = ['The first request', 'They asked ten questions', 'Question 8 ', 'Next'].map((part) =>
    text.indexOf(part),
  )
  expect(order).toEqual(order.toSorted((a, b) => a - b))

  const steps = await chat.steps(run.id)
  expect(steps.map(({ n, attempt, kind, state }) => [n, attempt, kind, state])).toEqual([
    [1, 1, 'summary', 'done'],
    [1, 2, 'answer', 'done'],
  ])
  const ledger =
    await app.sql`select attempt, cost::float from usage where run_id = ${run.id} order by attempt`
  expect(ledger).toEqual([1, 2].map((attempt) => ({ attempt, cost: 0.00012 })))
  const { items } = await chat.client.sessions.messages({ id: sessionId, after: 0, limit: 100 })
  const marked = items.filter((message) => message.summary !== null)
  expect(marked.map((message) => [message.text || message.content[0]!.text, message.summary!.text])).toEqual([
    ['Answer 7', 'They asked ten questions'],
  ])
  expect(items.some(({ content }) => String(content[0]!.text).startsWith('Question 0'))).toBe(true)

  await addExchanges(sessionId, 8, 90_000)
  reset()
  mock.on({ predicate: (request) => isSummary(request as never) }, { content: 'And eight more', usage })
  mock.onMessage('Last', { content: 'Done', usage })
  const { run: second } = await chat.send(sessionId, 'Last')
  await chat.waitForEnd(second.id)
  const lastRequest = JSON.stringify(requests().at(-1))
  const positionOf = (text: string) => lastRequest.indexOf(text)
  expect(positionOf('They asked ten questions')).toBeGreaterThan(positionOf('The first request'))
  expect(positionOf('And eight more')).toBeGreaterThan(positionOf('They asked ten questions'))
})

test('the engine merges earlier summaries that fill the window, and keeps them if the model returns nothing', async () => {
  const { sessionId } = await startLongSession(10, 90_000)
  const earlier = Array.from({ length: 6 }, (_, n) => `Earlier ${n} ${'e'.repeat(15_000)}`)
  for (const [n, content] of earlier.entries())
    await app.sql`
      insert into summaries (org_id, session_id, id, upto_seq, content, model, tokens_before, tokens_after, created_at)
      values (${chat.org.id}, ${sessionId}, ${newId()}, ${n + 1}, ${content}, 'acme/m', 1, 1, now())`
  const summarizeAs = async (content: string) => {
    reset()
    mock.on({ predicate: (request) => isSummary(request as never) }, { content, usage })
    mock.onMessage('Next', { content: 'Goes on', usage })
    const { run } = await chat.send(sessionId, 'Next')
    expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
    const texts = requests().map((request) => JSON.stringify(request))
    const has = (text: string) => texts.map((request) => request.includes(text))
    return { runId: run.id, has }
  }
  const empty = await summarizeAs('')
  expect([empty.has('Earlier 0 '), empty.has('Earlier 5 ')]).toEqual([
    [true, true],
    [true, true],
  ])
  await addExchanges(sessionId, 8, 90_000)
  const { runId, has } = await summarizeAs('All in one')
  expect(['Earlier 0 ', 'Earlier 5 ', 'All in one'].map(has)).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ])
  const shown = JSON.stringify(await chat.client.agentRuns.prompt({ id: runId, n: 1 }))
  expect([shown.includes('All in one'), shown.includes('Earlier 0 ')]).toEqual([true, false])
  const former = JSON.stringify(await chat.client.agentRuns.prompt({ id: empty.runId, n: 1 }))
  expect(former).toContain('Earlier 0 ')
})

test('the engine repeats a summary cut off by a crash, cancels one with its run, and bills both attempts', async () => {
  const crashed = await startLongSession(10, 90_000)
  const hang = () =>
    mock.on(
      { predicate: (request) => isSummary(request as never) },
      { content: 'x'.repeat(800), usage },
      { latency: 600_000 },
    )
  const expectSummaryRequests = (count: number) =>
    expect.poll(() => requests().filter(isSummary).length, { timeout: 30_000 }).toBe(count)
  hang()
  const { run } = await chat.send(crashed.sessionId, 'Next')
  await expectSummaryRequests(1)
  reset()
  mock.on({ predicate: (request) => isSummary(request as never) }, { content: 'Ten questions', usage })
  mock.onMessage('Next', { content: 'Goes on', usage })
  // Another worker claims the run, as after a crash.
  await app.sql`update runs set lease = lease + 1, due_at = ${app.clock.now()} where id = ${run.id}`
  expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  const states = async (runId: string) =>
    (await chat.steps(runId)).map(({ kind, state }) => [kind, state].join(' '))
  expect(await states(run.id)).toEqual(['summary interrupted', 'summary done', 'answer done'])
  const eventsOf = (runId: string) => app.sql`
    select type, data ->> 'state' as state from run_events where run_id = ${runId} and type like 'summary.%' order by seq`
  expect((await eventsOf(run.id)).map(({ type, state }) => [type, state])).toEqual([
    ['summary.started', null],
    ['summary.finished', 'interrupted'],
    ['summary.started', null],
    ['summary.finished', 'done'],
  ])
  const ledgerOf = (runId: string) => app.sql`
    select attempt, price_source as source from usage where run_id = ${runId} order by attempt`
  expect((await ledgerOf(run.id)).map(({ attempt, source }) => [attempt, source])).toEqual([
    [1, 'estimate'],
    [2, 'operator'],
    [3, 'operator'],
  ])
  const summariesOf = (sessionId: string) =>
    app.sql`select content from summaries where session_id = ${sessionId}`
  expect(await summariesOf(crashed.sessionId)).toEqual([{ content: 'Ten questions' }])

  const canceled = await startLongSession(10, 90_000)
  hang()
  const { run: second } = await chat.send(canceled.sessionId, 'Next')
  await expectSummaryRequests(1)
  await chat.client.agentRuns.cancel({ id: second.id })
  expect(await chat.waitForEnd(second.id)).toMatchObject({ status: 'canceled', errorCode: null })
  expect(await states(second.id)).toEqual(['summary interrupted'])
  expect((await eventsOf(second.id)).at(-1)).toEqual({ type: 'summary.finished', state: 'interrupted' })
  expect((await ledgerOf(second.id)).map(({ source }) => source)).toEqual(['estimate'])
  expect(await summariesOf(canceled.sessionId)).toEqual([])
})

test('the engine summarizes and retries when the provider rejects the prompt as too long, and fails if nothing is left', async () => {
  const { sessionId } = await startLongSession(5, 200)
  const tooLong = {
    error: { message: 'maximum context length is 10', code: 'context_length_exceeded' },
    status: 400,
  }
  mock.on({ predicate: (request) => isSummary(request as never) }, { content: 'Short', usage })
  mock.on({ predicate: (request) => !JSON.stringify(request).includes('Short') }, tooLong as never)
  mock.onMessage('Next', { content: 'Now it fits', usage })
  const { run } = await chat.send(sessionId, 'Next')
  expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  expect((await chat.steps(run.id)).map(({ kind, errorCode }) => [kind, errorCode])).toEqual([
    ['answer', 'context_too_long'],
    ['summary', null],
    ['answer', null],
  ])
  reset()
  mock.on({ predicate: () => true }, tooLong as never)
  const { runId } = await chat.start('Far too long')
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'failed', errorCode: 'context_too_long' })
})

test('a run after one that was summarized repeats its last prompt', async () => {
  reset()
  mock.onMessage('The first request', { content: 'Started', usage })
  const { sessionId, runId } = await chat.start('The first request')
  await chat.waitForEnd(runId)
  const { tokens } = await chat.client.agentRuns.prompt({ id: runId, n: 1 })
  await app.sql`
    insert into model_settings (org_id, model, context_window, updated_at)
    values (${chat.org.id}, 'acme/m', ${Math.ceil((tokens + 6000) / 0.75)}, now())`
  reset()
  const toolCalls = [{ name: 'search_actions', arguments: '{"words":"snapshot"}' }]
  mock.on({ predicate: (request) => isSummary(request as never) }, { content: 'They asked', usage })
  mock.on({ predicate: () => requests().some(isSummary) }, { content: 'Done', usage })
  mock.on({ predicate: () => true }, { content: 'Searching', toolCalls, usage })
  for (const text of ['Next', 'Last']) {
    const { run } = await chat.send(sessionId, text)
    expect(await chat.waitForEnd(run.id)).toMatchObject({ status: 'succeeded' })
  }
  const [before, after] = requests()
    .slice(requests().findIndex(isSummary) + 1)
    .map(({ messages }) => messages.map((message) => JSON.stringify(message)))
  const summaryAt = before!.findIndex((message) => message.includes('They asked'))
  expect(before![summaryAt + 1]).toContain('Next')
  expect(after!.slice(0, before!.length)).toEqual(before)
  await app.sql`delete from model_settings where org_id = ${chat.org.id}`
})
