import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { anthropicStream, type StreamedAnswer } from '../../../../testing/fakes/model-streams.ts'
import { startReceiver } from '../../../../testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

interface Block {
  type: string
  cache_control?: object
  [field: string]: unknown
}

interface SentRequest {
  system: Block[]
  tools?: Block[]
  messages: { role: string; content: Block[] }[]
}

let anthropic: Awaited<ReturnType<typeof startReceiver>>
let app: TestApp
let chat: ChatClient
/** The next answers to calls with tools. */
let answers: (StreamedAnswer | 'refused')[] = []
const usage = { uncached: 100, cacheRead: 300, cacheWrite: 200, output: 10 }
beforeAll(async () => {
  anthropic = await startReceiver(({ body }, response) => {
    if (!body) return response.end(JSON.stringify({ data: [], has_more: false }))
    const answer = (body.includes('"tools"') && answers.shift()) || { text: 'A title' }
    if (answer === 'refused') return response.writeHead(400).end('{"error":{"message":"No"}}')
    return response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(anthropicStream(answer, usage))
  })
  app = await buildTestApp({
    env: { ATRIUM_ANTHROPIC_API_KEY: 'sk-secret', ATRIUM_ANTHROPIC_URL: anthropic.url },
  })
  await app.app.startWorker()
  chat = await createChatClient(app, {
    model: 'anthropic/claude-sonnet-4-5',
    tools: { memory: true, blocks: true, files: true },
  })
})
afterAll(async () => {
  await app.close()
  await anthropic.close()
})

const listFiles = { tool: 'list_files', input: {} }
const listProjects = { tool: 'list_projects', input: {} }

/** Of the calls with tools. */
function sentPrompts() {
  const requests = anthropic.requests.flatMap(({ body }): SentRequest[] => (body ? [JSON.parse(body)] : []))
  return requests
    .filter(({ tools }) => tools)
    .map(({ system, tools, messages }) => [
      ...tools!.map((block) => ({ role: 'tools', block })),
      ...system.map((block) => ({ role: 'system', block })),
      ...messages.flatMap(({ role, content }) => content.map((block) => ({ role, block }))),
    ])
}

const serialize = (prompt: ReturnType<typeof sentPrompts>[number]) =>
  prompt.map((part) => JSON.stringify(part, (name, value) => (name === 'cache_control' ? undefined : value)))

test("each prompt in a session starts with the one before it, and marks that one's end for the cache", async () => {
  const { client, project } = chat
  const save = (key: string, content: string) => client.memory.create({ projectId: project.id, key, content })
  const run = async (runId: string) => {
    expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
    return runId
  }
  await save('harbor', 'The harbor opens at nine')
  answers = [listFiles, listProjects, listFiles, { text: 'At nine' }]
  const { sessionId, runId } = await chat.start('When does the harbor open?')
  await run(runId)
  await save('bakery', 'The bakery opens at six')
  answers = [listFiles, listProjects, { text: 'At six' }]
  const second = await run((await chat.send(sessionId, 'And the bakery?')).run.id)
  answers = [listProjects, listFiles, { text: 'You’re welcome' }]
  const third = await run((await chat.send(sessionId, 'Thanks, check again')).run.id)

  const prompts = sentPrompts()
  expect(prompts).toHaveLength(10)
  const texts = prompts.map(serialize)
  for (const [index, text] of texts.slice(1).entries()) {
    const before = texts[index]!
    expect(text.slice(0, before.length)).toEqual(before)
    expect(text.length).toBeGreaterThan(before.length)
  }
  for (const [index, prompt] of prompts.entries()) {
    const marked = prompt.flatMap(({ block }, at) => (block.cache_control ? [at] : []))
    const system = prompt.findLastIndex(({ role }) => role === 'system')
    const ends = [...(index > 0 ? [prompts[index - 1]!.length - 1] : []), prompt.length - 1]
    expect(marked).toEqual([system, ...ends])
  }
  const last = texts.at(-1)!.join('\n')
  const order = ['opens at nine', 'When does the harbor', 'opens at six', 'And the bakery?'].map((part) =>
    last.indexOf(part),
  )
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order).not.toContain(-1)
  // The third question finds the same memories as the second.
  expect(last.split('opens at six')).toHaveLength(2)

  const shown = async (id: string, n: number) =>
    JSON.stringify((await client.agentRuns.prompt({ id, n })).messages)
  const firstShown = await shown(runId, 1)
  expect([firstShown.includes('opens at nine'), firstShown.includes('opens at six')]).toEqual([true, false])
  expect((await shown(third, 1)).startsWith((await shown(second, 3)).slice(0, -1))).toBe(true)
})

test("a run's cached tokens are priced and counted in the ledger, the run, its steps and the usage", async () => {
  const { client } = chat
  const before = (await client.usage.get({ groupBy: 'model' })).total
  answers = [listFiles, { text: 'Done' }]
  const { sessionId } = await chat.start('What is here?')
  const [first] = (await client.agentRuns.list({ sessionId })).items
  await chat.waitForEnd(first!.id)
  // Its second run writes no title, which would be a third call.
  answers = [listFiles, { text: 'Done' }]
  const { run } = await chat.send(sessionId, 'And now?')
  expect(await chat.waitForEnd(run.id)).toMatchObject({
    ...{ tokensIn: 1200, tokensOut: 20, tokensCacheRead: 600, tokensCacheWrite: 400 },
    cost: { amount: '0.002580' },
  })
  const [step] = await chat.steps(run.id)
  expect(step).toMatchObject({ usage: { input: 600, cacheRead: 300, cacheWrite: 200, output: 10 } })
  const ledger = await app.sql`
    select cost::float, unit_cost as price, price_source as source from usage where run_id = ${run.id} and step = 1`
  expect(ledger).toEqual([
    { cost: 0.00129, price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }, source: 'table' },
  ])
  const { total } = await client.usage.get({ groupBy: 'model' })
  const calls = total.calls - before.calls
  expect(total.cacheReadTokens - before.cacheReadTokens).toBe(calls * 300)
  expect(total.cacheWriteTokens - before.cacheWriteTokens).toBe(calls * 200)
  expect(total.inputTokens - before.inputTokens).toBe(calls * 600)
})

test("a retry repeats the failed run's prompt, with its memory", async () => {
  const { client, project } = chat
  await client.memory.create({ projectId: project.id, key: 'museum', content: 'The museum opens at ten' })
  answers = [listFiles, 'refused']
  const { sessionId, runId } = await chat.start('When does the museum open?')
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'failed' })
  answers = [listFiles, { text: 'At ten' }]
  const { id } = await client.agentRuns.retry({ id: runId })
  expect(await chat.waitForEnd(id)).toMatchObject({ status: 'succeeded' })
  const [refused, retried, continued] = sentPrompts().slice(-3).map(serialize)
  expect(retried).toEqual(refused)
  expect(continued!.slice(0, retried!.length)).toEqual(retried)
  expect(retried!.join('\n').split('opens at ten')).toHaveLength(2)
  answers = [{ text: 'Yes' }]
  await chat.waitForEnd((await chat.send(sessionId, 'Sure?')).run.id)
  expect(serialize(sentPrompts().at(-1)!).slice(0, continued!.length)).toEqual(continued)
})

test('a title is not cached, because no call continues it', () => {
  const others = anthropic.requests.filter(({ body }) => body && !body.includes('"tools"'))
  expect(others.length).toBeGreaterThan(0)
  for (const { body } of others) expect(body).not.toContain('cache_control')
})
