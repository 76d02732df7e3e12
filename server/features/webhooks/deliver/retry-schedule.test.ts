import { describe, expect, test } from 'vitest'
import { nextAttempt, RETRY_DELAYS_MS } from './retry-schedule.ts'

const NOW = new Date('2026-11-15T12:00:00Z')
const delay = (attempt: number, retryAfter?: string, random = 0.5) => {
  const at = nextAttempt(attempt, retryAfter, NOW, () => random)
  return at && (at.getTime() - NOW.getTime()) / 1000
}

describe('nextAttempt', () => {
  test('retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h', () => {
    expect(RETRY_DELAYS_MS.map((_, index) => delay(index + 1))).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 36_000,
    ])
    expect(delay(8)).toBeNull()
  })

  test('varies each delay by up to 20 %', () => {
    expect(delay(2, undefined, 0)).toBe(240)
    expect(delay(2, undefined, 1)).toBe(360)
  })

  test('honors retry-after between the delay and twice that', () => {
    expect(delay(2, '400')).toBe(400)
    expect(delay(2, '1')).toBe(300)
    expect(delay(2, '99999')).toBe(600)
    expect(delay(2, 'Sun, 15 Nov 2026 12:07:00 GMT')).toBe(420)
    expect(delay(2, 'when it suits you', 0.5)).toBe(300)
  })
})
