import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startIdleCollection } from './idle-collection.ts'

const CHECK_MS = 1000
const MB = 1024 * 1024
let busy: number
let residentMb: number
let collections: number
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  ;[busy, residentMb, collections] = [0, 300, 0]
  stop = startIdleCollection({
    checkMs: CHECK_MS,
    residentBytes: () => residentMb * MB,
    busy: () => busy,
    collect: () => {
      collections++
      residentMb = 200
    },
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('startIdleCollection collects once after a load, and again only after the process grows', () => {
  vi.advanceTimersByTime(10 * CHECK_MS)
  expect(collections).toBe(1)
  residentMb = 210
  vi.advanceTimersByTime(10 * CHECK_MS)
  expect(collections).toBe(1)
  residentMb = 240
  vi.advanceTimersByTime(10 * CHECK_MS)
  expect(collections).toBe(2)
})

test('startIdleCollection does not stop a busy process', () => {
  busy = 0.5
  vi.advanceTimersByTime(10 * CHECK_MS)
  expect(collections).toBe(0)
})
