import { expect, test } from 'vitest'
import { seesImages } from './vision-families.ts'

test.each([
  'gpt-4o-mini',
  'gpt-5',
  'openai/gpt-4.1',
  'o3',
  'o4-mini',
  'claude-sonnet-4-5',
  'anthropic/claude-3.5-haiku',
  'gemini-2.5-flash',
  'gemma3:12b',
  'meta-llama/llama-4-scout',
  'llava:13b',
  'pixtral-12b',
  'Qwen/Qwen2.5-VL-7B-Instruct',
])('%s accepts images', (model) => {
  expect(seesImages(model)).toBe(true)
})

test.each([
  'gpt-3.5-turbo',
  'gpt-4',
  'o1-mini',
  'o3-mini',
  'gpt-4o-realtime-preview',
  'text-embedding-3-small',
  'llama3.2',
  'llama-3.3-70b',
  'gemma3:1b',
  'mistral-7b',
  'deepseek-r1',
  'qwen3-coder',
])('%s is not known to accept images', (model) => {
  expect(seesImages(model)).toBe(false)
})
