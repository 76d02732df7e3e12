import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLanguageModel } from './language-model.ts'
import type { ModelProvider } from './provider.ts'
import { type CallEvent, type ModelCall, type ModelMessage, streamCall } from './stream-call.ts'
import { trustedFetch } from './trusted-fetch.ts'

/** A server with the wire formats of the vendors. */
let mock: LLMock
beforeAll(async () => {
  mock = await LLMock.create({ port: 0, chunkSize: 4 })
})
beforeEach(() => mock.reset())
afterAll(() => mock.stop())

const KINDS: [ModelProvider['kind'], path: string, model: string][] = [
  ['openai', '/v1', 'gpt-5'],
  ['openai-compatible', '/v1', 'llama'],
  ['anthropic', '/v1', 'claude-sonnet-4-5'],
  ['google', '/v1beta', 'gemini-2.5-pro'],
]

const tools = {
  read_file: {
    description: 'Reads a file',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  },
}

type JsonOutput = {
  type: 'json' | 'error-json'
  value: { [key: string]: string | (string | number | null)[] }
}

const providerOf = (kind: ModelProvider['kind'], path: string): ModelProvider => ({
  id: 'acme',
  kind,
  name: 'Acme',
  url: mock.url + path,
  apiKey: 'sk-secret',
  models: [],
  source: 'environment',
  cacheKey: kind,
})

describe.each(KINDS)('%s', (kind, path, model) => {
  async function call(request: Partial<ModelCall> = {}): Promise<CallEvent[]> {
    const provider = providerOf(kind, path)
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    const languageModel = await createLanguageModel(provider, model, trustedFetch)
    return Array.fromAsync(streamCall({ model: languageModel, messages, ...request }))
  }

  test('streams text and counts its tokens', async () => {
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 5,
      input_tokens: 12,
      output_tokens: 5,
      promptTokenCount: 12,
      candidatesTokenCount: 5,
    }
    mock.onMessage('Hello', { content: 'Hello to you, too', usage })
    const events = await call({ system: 'Be brief.' })
    const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []))
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.join('')).toBe('Hello to you, too')
    expect(events.at(-1)).toMatchObject({
      type: 'finished',
      finishReason: 'stop',
      usage: { input: 12, output: 5, cacheRead: 0, cacheWrite: 0 },
      messages: [{ role: 'assistant' }],
    })
    expect(JSON.stringify(mock.getLastRequest())).toContain('Be brief.')
  })

  test('reports a tool call without running it, and takes its result in the next call', async () => {
    mock.on({ hasToolResult: true }, { content: 'It says: moon' })
    mock.onMessage('Hello', { toolCalls: [{ name: 'read_file', arguments: '{"id":"f1"}' }] })
    const events = await call({ tools })
    const callEvent = events.find((event) => event.type === 'call')!
    expect(callEvent).toMatchObject({ tool: 'read_file', input: { id: 'f1' }, invalid: null })
    const finished = events.at(-1)! as Extract<CallEvent, { type: 'finished' }>
    expect(finished).toMatchObject({ type: 'finished', finishReason: 'tool-calls' })
    const result = {
      type: 'tool-result' as const,
      toolCallId: callEvent.callId,
      toolName: 'read_file',
      output: { type: 'text' as const, value: 'moon' },
    }
    const next = await call({
      tools,
      messages: [
        { role: 'user', content: 'Hello' },
        ...finished.messages,
        { role: 'tool', content: [result] },
      ],
    })
    expect(next.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('It says: moon')
    expect(JSON.stringify(mock.getLastRequest())).toContain('moon')
  })

  test('reports a call to an unknown tool as invalid', async () => {
    mock.onMessage('Hello', { toolCalls: [{ name: 'fly', arguments: '{}' }] })
    const events = await call({ tools })
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'call', tool: 'fly', invalid: expect.any(String) }),
    )
    expect(events.at(-1)).toMatchObject({ type: 'finished' })
  })

  test('sends and returns the same as the SDK loop it replaces', async () => {
    const { jsonSchema, stepCountIs, streamText, tool } = await import('ai')
    const toolCalls = [{ name: 'read_file', arguments: '{"id":"f2"}' }]
    mock.onMessage('Go on', { content: 'It says: moon', toolCalls })
    const result = (toolCallId: string, output: JsonOutput) => ({
      ...{ type: 'tool-result' as const, toolCallId, toolName: 'read_file', output },
    })
    const messages: ModelMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I read two files.' },
          { type: 'text', text: '' },
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'read_file', input: { id: 'f1' } },
          { type: 'tool-call', toolCallId: 'call_2', toolName: 'read_file', input: {} },
        ],
      },
      { role: 'tool', content: [result('call_1', { type: 'json', value: { lines: ['moon', null, 1] } })] },
      { role: 'tool', content: [result('call_2', { type: 'error-json', value: { error: 'no id' } })] },
      { role: 'user', content: 'Go on' },
    ]
    const request = { system: 'Be brief.', messages, maxOutputTokens: 100 }
    const events = await call({ ...request, tools })
    const sentBody = mock.getLastRequest()!.body
    const { description, inputSchema } = tools.read_file
    const { response } = streamText({
      model: await createLanguageModel(providerOf(kind, path), model, trustedFetch),
      ...request,
      tools: { read_file: tool({ description, inputSchema: jsonSchema(inputSchema as object) }) },
      stopWhen: stepCountIs(1),
    })
    const finished = events.at(-1)! as Extract<CallEvent, { type: 'finished' }>
    const withoutIds = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value).replaceAll(
          /"(toolCallId|itemId|reasoningEncryptedContent)":"[^"]*"/g,
          '"$1":"id"',
        ),
      )
    expect(withoutIds(finished.messages)).toEqual(withoutIds((await response).messages))
    expect(JSON.stringify(finished.messages)).toContain('f2')
    expect(sentBody).toEqual(mock.getLastRequest()!.body)
  })

  test('classifies a rejected key without repeating it', async () => {
    mock.nextRequestError(401, { message: 'Incorrect API key provided: sk-secret', code: 'invalid_api_key' })
    expect(await call()).toEqual([
      {
        type: 'failed',
        failure: {
          kind: 'rejected_key',
          isRetryable: false,
          retryAfterMs: null,
          status: 401,
          message: 'The provider rejected the API key (HTTP 401)',
        },
      },
    ])
  })

  test('reads how long to wait after too many requests, and does not retry', async () => {
    mock.setChaos({ rateLimitRate: 1 })
    const [event, ...rest] = await call()
    mock.clearChaos()
    expect(rest).toEqual([])
    expect(event).toMatchObject({
      type: 'failed',
      failure: { kind: 'rate_limited', isRetryable: true, status: 429, retryAfterMs: expect.any(Number) },
    })
    expect(mock.getRequests()).toHaveLength(1)
  })

  test('ends a broken stream with a retryable failure', async () => {
    mock.onMessage(
      'Hello',
      { content: 'This text is long enough for several chunks' },
      { truncateAfterChunks: 3 },
    )
    const events = await call()
    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      failure: { kind: 'interrupted', isRetryable: true, status: null },
    })
    expect(events.filter(({ type }) => type === 'finished')).toEqual([])
  })

  test('ends as canceled when the caller aborts', async () => {
    mock.onMessage('Hello', { content: 'never' }, { latency: 60_000 })
    const events = await call({ signal: AbortSignal.abort() })
    expect(events).toMatchObject([{ type: 'failed', failure: { kind: 'canceled', isRetryable: false } }])
  })
})
