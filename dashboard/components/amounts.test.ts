import { expect, test } from 'vitest'
import {
  formatCost,
  formatDuration,
  formatRate,
  formatRemaining,
  formatRunCost,
  formatSize,
  formatTokens,
  parseAmount,
  runCostTitle,
} from './amounts.ts'

test.each([
  ['0.000000', '$0.00'],
  ['0.000012', '$0.000012'],
  ['0.001234', '$0.0012'],
  ['0.01', '$0.01'],
  ['1234.5', '$1,234.50'],
])('formatCost shows %s as %s', (amount, expected) => {
  expect(formatCost({ amount })).toBe(expected)
})

test('a run without a known price shows a dash, never a false zero', () => {
  const unknown = { amount: '0.000000', currency: 'USD' }
  expect([formatRunCost(unknown), runCostTitle(unknown)]).toEqual(['–', 'Free, or no known price'])
  const known = { amount: '0.040000', currency: 'USD' }
  expect([formatRunCost(known), runCostTitle(known)]).toEqual(['$0.04', '0.040000 USD'])
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

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [418.79946470851, '419 bytes'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [1536, '1.5 KB'],
  [52_000, '51 KB'],
  [1_040_000, '1 MB'],
  [104_857_600, '100 MB'],
  [5_000_000_000, '4.7 GB'],
  [5e12, '4.5 TB'],
])('formatSize shows %d bytes as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

test.each([
  [418.79946470851, '419 B/s'],
  [1_300_000.4, '1.2 MB/s'],
])('formatRate shows %d bytes a second as %s', (bytes, text) => {
  expect(formatRate(bytes)).toBe(text)
})

test.each([
  [0.2, '1 s'],
  [42, '42 s'],
  [59.7, '1 min'],
  [300, '5 min'],
  [3580, '1 h'],
  [7200, '2 h'],
])('formatRemaining shows %d seconds as %s', (seconds, text) => {
  expect(formatRemaining(seconds)).toBe(text)
})

test.each([
  ['2,50', 'de', '2.50'],
  [' 1.234,5 ', 'de', '1234.5'],
  ['2.50', 'de', '2.50'],
  ['2,50', 'en', '2,50'],
  ['viel', 'de', 'viel'],
])('parseAmount(%j, %j) is %j', (typed, locale, amount) => {
  expect(parseAmount(typed, locale)).toBe(amount)
})
