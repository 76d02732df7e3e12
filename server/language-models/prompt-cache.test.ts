import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  anthropicStream,
  compatibleStream,
  googleStream,
  openaiStream,
} from '../testing/fakes/model-streams.ts'
import { startReceiver } from '../testing/fakes/receiver.ts'
import { priceUsage } from './cost.ts'
import { createLanguageModel } from './language-model.ts'
import { loadPriceTable } from './prices.ts'
import type { ModelProvider } from './provider.ts'
import { type CallEvent, type ModelCall, type ModelMessage, streamCall } from './stream-call.ts'
import { trustedFetch } from './trusted-fetch.ts'

type Kind = 'openai' | 'openai-compatible' | 'anthropic' | 'google'

const usage = { uncached: 100, cacheRead: 300, cacheWrite: 0, output: 10 }
const STREAMS: Record<Kind, () => string> = {
  openai: () => openaiStream('Hi', usage),
  'openai-compatible': () => compatibleStream('Hi', usage),
  anthropic: () => anthropicStream({ text: 'Hi' }, { ...usage, cacheWrite: 200 }),
  google: () => googleStream('Hi', usage),
}

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const providerOf = (kind: Kind): ModelProvider => ({
  ...{ id: 'acme', kind, name: 'Acme', url: receiver.url, apiKey: 'sk-secret', models: [] },
  ...{ source: 'environment', cacheKey: kind },
})

const system = 'Be brief.'
const tools = { look: { description: 'Looks', inputSchema: { type: 'object', properties: {} } } }
const call = (toolCallId: string) => ({
  type: 'tool-call' as const,
  ...{ toolCallId, toolName: 'look', input: {} },
})
const result = (toolCallId: string) => ({
  type: 'tool-result' as const,
  ...{ toolCallId, toolName: 'look', output: { type: 'text' as const, value: `Saw ${toolCallId}` } },
})
const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] })
/** The second call with results. */
const messages: ModelMessage[] = [
  user('Hello'),
  { role: 'assistant', content: [call('a'), call('b')] },
  { role: 'tool', content: [result('a'), result('b')] },
  { role: 'assistant', content: [call('c')] },
  { role: 'tool', content: [result('c')] },
  user('Go on'),
]

async function send(kind: Kind, model: string, request: Partial<ModelCall>) {
  receiver.answer((_received, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAMS[kind]()),
  )
  const languageModel = await createLanguageModel(providerOf(kind), model, trustedFetch)
  const events = await Array.fromAsync(
    streamCall({ model: languageModel, system, messages, tools, ...request }),
  )
  const finished = events.at(-1) as Extract<CallEvent, { type: 'finished' }>
  return { finished, body: JSON.parse(receiver.requests.at(-1)!.body) }
}

const MODELS: [Kind, model: string][] = [
  ['openai', 'gpt-5'],
  ['openai-compatible', 'llama'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-pro'],
]
const cacheOf = (kind: Kind) => ({ cache: { kind, key: 'session-1' } })

interface Block {
  type: string
  text?: string
  tool_use_id?: string
  cache_control?: object
}

describe('a call that will be continued', () => {
  test('marks the system prompt, the end of the previous prompt and its own end for Anthropic', async () => {
    const { body } = await send('anthropic', 'claude-sonnet-4-5', cacheOf('anthropic'))
    const blocks: Block[] = [
      ...body.system,
      ...body.messages.flatMap(({ content }: { content: Block[] }) => content),
    ]
    const marked = blocks.filter((block) => block.cache_control)
    expect(marked.map(({ text, tool_use_id: id }) => text ?? id)).toEqual(['Be brief.', 'b', 'Go on'])
    expect(marked.map((block) => block.cache_control)).toEqual(Array(3).fill({ type: 'ephemeral' }))
    const first = await send('anthropic', 'claude-sonnet-4-5', {
      ...cacheOf('anthropic'),
      messages: [user('Hello')],
    })
    expect(JSON.stringify(first.body).match(/cache_control/g)).toHaveLength(2)
  })

  test('names its conversation for OpenAI, and keeps the other options', async () => {
    const reasoning = { providerOptions: { openai: { reasoningEffort: 'low' } } }
    const { body } = await send('openai', 'gpt-5', { ...cacheOf('openai'), ...reasoning })
    expect(body).toMatchObject({
      prompt_cache_key: 'session-1',
      store: false,
      reasoning: { effort: 'low' },
    })
  })

  test.each(MODELS)('differs in nothing else for %s', async (kind, model) => {
    const plain = await send(kind, model, {})
    const cached = await send(kind, model, cacheOf(kind))
    expect(JSON.stringify(plain.body)).not.toMatch(/cache/)
    const withoutMarks = JSON.parse(
      JSON.stringify(cached.body, (name, value) =>
        name === 'cache_control' || name === 'prompt_cache_key' ? undefined : value,
      ),
    )
    expect(withoutMarks).toEqual(plain.body)
  })
})

test.each([
  ['anthropic', 'claude-sonnet-4-5', { input: 600, cacheRead: 300, cacheWrite: 200 }, '0.001290000000'],
  ['openai', 'gpt-5', { input: 400, cacheRead: 300, cacheWrite: 0 }, '0.000262500000'],
  ['google', 'gemini-2.5-pro', { input: 400, cacheRead: 300, cacheWrite: 0 }, '0.000262500000'],
] as const)("prices %s's cached tokens from the built-in table", async (kind, model, counted, cost) => {
  const { finished } = await send(kind, model, {})
  expect(finished.usage).toMatchObject({ ...counted, output: 10 })
  const { pricing } = (await loadPriceTable())(providerOf(kind), model, new Date('2026-11-01'))!
  expect(priceUsage(pricing!, finished.usage!).amount).toBe(cost)
})
