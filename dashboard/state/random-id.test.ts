import { expect, test } from 'vitest'
import { createRequestKey } from './random-id.ts'

test('a repeated request reuses its key; another request, or one after a success, gets a new key', () => {
  const key = createRequestKey()
  const first = key.of({ content: 'a' })
  expect(key.of({ content: 'a' })).toBe(first)
  const changed = key.of({ content: 'b' })
  expect(changed).not.toBe(first)
  key.reset()
  expect(key.of({ content: 'b' })).not.toBe(changed)
})
