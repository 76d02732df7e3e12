import { describe, expect, test } from 'vitest'
import { relativeTime } from './time.tsx'

const NOW = new Date('2026-11-15T12:00:00Z')
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

describe('relativeTime', () => {
  test.each([
    ['just now', -59],
    ['just now', 0],
    // The clock of the server is ahead of the clock of this device.
    ['just now', 40],
    ['1 min ago', -60],
    ['3 h ago', -3 * 3600],
    ['6 days ago', -6.9 * 86_400],
    ['Nov 8', -7 * 86_400],
    ['in 5 min', 5 * 60 + 1],
    ['Nov 1', -14 * 86_400],
  ])('shows %s for an event %d seconds from now', (text, seconds) => {
    expect(relativeTime(inSeconds(seconds), NOW, false)).toBe(text)
  })

  test.each([
    ['now', -5],
    ['in 4 s', 3.2],
    ['in 59 s', 59],
    ['in 1 min', 61],
    ['2 min ago', -120],
    ['in 1 h', 3600 - 10],
    ['in 1 day', 86_400 - 10],
    ['in 2 days', 1.5 * 86_400],
    ['in 7 days', 7 * 86_400 - 1],
    ['in 7 days', 7 * 86_400],
    ['Nov 29', 14 * 86_400],
  ])('shows %s for an expected event %d seconds from now', (text, seconds) => {
    expect(relativeTime(inSeconds(seconds), NOW, true)).toBe(text)
  })
})
