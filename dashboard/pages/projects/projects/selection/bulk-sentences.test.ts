import { expect, test } from 'vitest'
import { sentenceWhenAll, sentenceWhenSome } from './bulk-sentences.ts'

test('sentenceWhenAll counts one project and many', () => {
  expect(sentenceWhenAll('delete', 1)).toBe('Deleted 1 project')
  expect(sentenceWhenAll('archive', 2)).toBe('Archived 2 projects')
  expect(sentenceWhenAll('favourite', 1200)).toBe('Added 1,200 projects to favorites')
})

test('sentenceWhenSome names the share that succeeded', () => {
  expect(sentenceWhenSome('complete', 1, 3)).toBe('Completed 1 of 3 projects.')
  expect(sentenceWhenSome('unfavourite', 0, 1)).toBe('The project wasn’t removed from favorites.')
})
