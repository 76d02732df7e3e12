import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Statements } from './storage.tsx'

test.each([
  ['pg_stat_activity', true],
  ['pg_stat_statements', false],
] as const)('an empty list from %s suggests the extension: %s', (source, isSuggested) => {
  const markup = renderToStaticMarkup(createElement(Statements, { statements: { source, items: [] } }))
  expect(markup.includes('Install the pg_stat_statements')).toBe(isSuggested)
})
