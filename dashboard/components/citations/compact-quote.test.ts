import { expect, test } from 'vitest'
import { compactQuote } from './compact-quote.ts'

test('drops heading marks and empty lines, and keeps other lines', () => {
  expect(compactQuote('# Valves\n\n## Violet\n\n\nOpens at #9 bar\n- by hand\n')).toBe(
    'Valves\nViolet\nOpens at #9 bar\n- by hand',
  )
})
