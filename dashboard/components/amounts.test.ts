import { expect, test } from 'vitest'
import { formatCost, formatDuration, formatTokens } from './amounts.ts'

test.each([
  ['0.000000', '$0.00'],
  ['0.000012', '$0.000012'],
  ['0.001234', '$0.0012'],
  ['0.01', '$0.01'],
  ['1234.5', '$1,234.50'],
])('formatCost shows %s as %s', (amount, expected) => {
  expect(formatCost({ amount })).toBe(expected)
})

test.each([
  [0, '0 ms'],
  [340.4, '340 ms'],
  [4210, '4.2 s'],
  [59_990, '1 min'],
  [65_000, '1 min 5 s'],
  [7_380_000, '2 h 3 min'],
  [7_199_900, '2 h'],
])('formatDuration shows %d ms as %s', (ms, expected) => {
  expect(formatDuration(ms)).toBe(expected)
})

test('formatTokens shortens large numbers', () => {
  expect([950, 12_345, 2_000_000].map(formatTokens)).toEqual(['950', '12.3K', '2M'])
})
