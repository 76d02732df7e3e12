import { expect, test } from 'vitest'
import { inSlices, SLICE_ITEMS } from './slices.ts'

test('other work runs after at most one slice of items', async () => {
  let handled = 0
  let longest = 0
  let isDone = false
  const watch = (before = handled) => {
    longest = Math.max(longest, handled - before)
    if (!isDone) setImmediate(watch, handled)
  }
  setImmediate(watch, 0)
  const items = Array.from({ length: 10 * SLICE_ITEMS + 1 }, (_, n) => n)
  const seen: number[] = []
  await inSlices(items, (item, index) => {
    handled++
    expect(index).toBe(item)
    seen.push(item)
  })
  isDone = true
  expect(seen).toEqual(items)
  expect(longest).toBeLessThanOrEqual(SLICE_ITEMS)
})
