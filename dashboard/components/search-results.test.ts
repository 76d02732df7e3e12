import { expect, test } from 'vitest'
import { fence } from '../../server/language-models/fence.ts'
import { foundPages } from './search-results.ts'

const page = { title: 'A', url: 'https://example.com/a', snippet: 'About' }

test('lists the pages of a search', () => {
  const results = fence(JSON.stringify([page, { url: 'https://example.org/' }]), 'a web search')
  expect(foundPages({ results })).toEqual([
    { ...page, host: 'example.com' },
    { title: 'example.org', url: 'https://example.org/', host: 'example.org', snippet: '' },
  ])
})

test.each([
  ['no fence', JSON.stringify([page])],
  ['changed text', fence('[redacted', 'x')],
  ['no list', fence('{}', 'x')],
  ['nothing', undefined],
])('shows the output itself if it has %s', (_name, results) => {
  expect(foundPages({ results })).toBeNull()
})

test('links to web pages only', () => {
  const results = fence(JSON.stringify([{ ...page, url: 'javascript:alert(1)' }, null, 7]), 'x')
  expect(foundPages({ results })).toEqual([])
})
