import { expect, test } from 'vitest'
import { JsonBytes } from '../../../../endpoint/serialize.ts'
import { createPreviewCache } from './preview.ts'

const ofBytes = (bytes: number) => new JsonBytes('x'.repeat(bytes - 2))

test('the preview cache drops the least recently used previews', () => {
  const cache = createPreviewCache(300, 100)
  for (const key of ['a', 'b', 'c']) cache.set(key, ofBytes(100))
  cache.get('a')
  cache.set('d', ofBytes(50))
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd'])
})

test('the preview cache stores no preview larger than its share', () => {
  const cache = createPreviewCache(300, 100)
  cache.set('a', ofBytes(101))
  expect(cache.get('a')).toBeUndefined()
})
