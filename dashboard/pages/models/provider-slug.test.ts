import { expect, test } from 'vitest'
import { makeUnique, modelNames, toSlug } from './provider-slug.ts'

test("slugOf derives a provider's id from its name", () => {
  expect(['Llama at Héloïse’s', '  vLLM (GPU 2) ', '日本'].map(toSlug)).toEqual([
    'llama-at-heloise-s',
    'vllm-gpu-2',
    '',
  ])
})

test('makeUnique numbers a second provider with the same preset', () => {
  expect(makeUnique('openai', ['anthropic'])).toBe('openai')
  expect(makeUnique('openai', ['openai', 'openai-2'])).toBe('openai-3')
  expect(makeUnique('OpenAI', ['OpenAI'], ' ')).toBe('OpenAI 2')
})

test('modelNames reads names separated by commas, spaces or newlines', () => {
  expect(modelNames(' gpt-5, gpt-5-mini\nllama-3:8b ')).toEqual(['gpt-5', 'gpt-5-mini', 'llama-3:8b'])
})
