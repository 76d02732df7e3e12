import { expect, test } from 'vitest'
import { groupByDay } from './group-by-day.ts'

const at = (...date: [number, number, number, number]) => ({ lastMessageAt: new Date(...date).toISOString() })

test('conversations are grouped by the reader’s calendar days, newest first', () => {
  const now = new Date(2026, 10, 18, 0, 30)
  const items = [
    at(2026, 10, 18, 0),
    at(2026, 10, 17, 23),
    at(2026, 10, 16, 9),
    at(2026, 10, 11, 9),
    at(2026, 9, 20, 9),
    at(2025, 9, 20, 9),
  ]
  expect(groupByDay(items, now).map(({ label, items: { length } }) => [label, length])).toEqual([
    ['Today', 1],
    ['Yesterday', 1],
    ['Last week', 2],
    ['Last month', 1],
    ['Older', 1],
  ])
})

test('a message that a fast clock dates into the future is from today', () => {
  const groups = groupByDay([at(2026, 10, 19, 1)], new Date(2026, 10, 18, 23))
  expect(groups.map(({ label }) => label)).toEqual(['Today'])
})
