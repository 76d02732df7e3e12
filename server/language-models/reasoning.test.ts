import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLanguageModel } from './language-model.ts'
import type { ModelProvider } from './provider.ts'
import { reasoningOptions } from './reasoning.ts'
import { type ModelMessage, streamCall } from './stream-call.ts'

let mock: LLMock
beforeAll(async () => {
  mock = await LLMock.create({ port: 0 })
  mock.on({ predicate: () => true }, { content: 'Hello' })
})
afterAll(() => mock.stop())

/** The body of the request, as the provider receives it, of a call that succeeds. */
async function requestOf(kind: ModelProvider['kind'], modelId: string, level: 'off' | 'low' | 'high') {
  let body: unknown
  const path = { google: '/v1beta', anthropic: '/v1', openai: '/v1', 'openai-compatible': '/v1', ollama: '' }[
    kind
  ]
  const provider = { id: 'acme', kind, url: mock.url + path, apiKey: 'key' } as ModelProvider
  const model = await createLanguageModel(provider, modelId, (url, init) => {
    body = JSON.parse(init!.body as string)
    return fetch(url, init)
  })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const types: string[] = []
  const options = reasoningOptions(kind, modelId, level, messages)
  for await (const { type } of streamCall({ model, messages, ...options })) types.push(type)
  expect(types.at(-1)).toBe('finished')
  return body
}

test.each([
  ['openai', 'gpt-5', { reasoning: { effort: 'high' } }],
  ['openai-compatible', 'qwen', { reasoning_effort: 'high' }],
  ['ollama', 'qwen', { reasoning_effort: 'high' }],
  ['anthropic', 'claude-sonnet-4-5', { thinking: { type: 'enabled', budget_tokens: 24_576 } }],
  ['anthropic', 'claude-opus-4-20250514', { thinking: { type: 'enabled', budget_tokens: 24_576 } }],
  ['anthropic', 'claude-opus-4-6', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
  ['anthropic', 'claude-opus-5-5', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
  ['google', 'gemini-2.5-pro', { generationConfig: { thinkingConfig: { thinkingBudget: 24_576 } } }],
  ['google', 'gemini-3-pro', { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } }],
] as const)('the reasoning level is sent to %s for %s', async (kind, model, expected) => {
  expect(await requestOf(kind, model, 'high')).toMatchObject(expected)
})

test('nothing about reasoning is sent if it is off', async () => {
  for (const kind of ['openai', 'openai-compatible', 'anthropic', 'google'] as const)
    expect(JSON.stringify(await requestOf(kind, 'gemini-2.5-pro', 'off'))).not.toMatch(/think|reason|effort/)
})

test('a Claude model with a reasoning budget does not reason in a turn with a call without reasoning', () => {
  const user = { role: 'user' as const, content: 'Hi' }
  const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'search', input: {} }
  const output = { type: 'text' as const, value: 'Found' }
  const result = { type: 'tool-result' as const, toolCallId: '1', toolName: 'search', output }
  const turn = [
    { role: 'assistant' as const, content: [call] },
    { role: 'tool' as const, content: [result] },
  ]
  const reasonedTurn = [
    { role: 'assistant' as const, content: [{ type: 'reasoning' as const, text: 'Hm' }, call] },
    turn[1]!,
  ]
  const reasons = (model: string, ...messages: ModelMessage[]) =>
    'providerOptions' in reasoningOptions('anthropic', model, 'low', messages)
  const claude = 'claude-sonnet-4-5'
  expect(reasons(claude, user, ...turn)).toBe(false)
  // A message during the calls is sent beside their results.
  expect(reasons(claude, user, ...turn, user)).toBe(false)
  expect(reasons(claude, user, ...reasonedTurn)).toBe(true)
  expect(reasons(claude, user, ...turn, { role: 'assistant', content: 'Done' }, user)).toBe(true)
  expect(reasons('claude-opus-4-6', user, ...turn)).toBe(true)
})
