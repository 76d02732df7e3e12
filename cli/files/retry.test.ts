import { describe, expect, test } from 'vitest'
import { ApiFailure } from '../../client/client.ts'
import { type RetryOptions, withRetry } from './retry.ts'

const failure = (status: number, retryAfter?: string) => new ApiFailure(status, { message: 'no' }, retryAfter)

/** Fails with each of these in turn, and then succeeds; tells how often it was tried and what was waited. */
async function attempt(failures: Error[], patience: RetryOptions = {}) {
  const pauses: number[] = []
  let tries = 0
  const work = async () => {
    const next = failures[tries++]
    if (next) throw next
    return 'done'
  }
  const pause = async (ms: number) => pauses.push(ms)
  const outcome = await withRetry(work, { pause, ...patience }).catch((error: Error) => error)
  return { outcome, tries, pauses }
}

describe('a call that fails', () => {
  test('is tried again when the server has no time, as late as it says', async () => {
    const { outcome, pauses } = await attempt([failure(429, '7'), failure(503, '0')])
    expect([outcome, pauses]).toEqual(['done', [7000, 0]])
  })

  test('waits longer each time when the server does not say', async () => {
    const { pauses } = await attempt([failure(503), failure(503), failure(503), failure(503)])
    const floors = [250, 500, 1000, 2000]
    expect(pauses).toHaveLength(4)
    pauses.forEach((ms, index) => {
      expect(ms).toBeGreaterThanOrEqual(floors[index]!)
      expect(ms).toBeLessThanOrEqual(floors[index]! * 2)
    })
  })

  test('is given up after five tries, with the last refusal', async () => {
    const { outcome, tries } = await attempt(Array.from({ length: 9 }, () => failure(503)))
    expect([outcome, tries]).toEqual([expect.objectContaining({ status: 503 }), 5])
  })

  test('is told rather than repeated when the server asks for an hour', async () => {
    const { outcome, pauses } = await attempt([failure(429, '3600')])
    expect([outcome, pauses]).toEqual([expect.objectContaining({ status: 429 }), []])
  })

  test('keeps to its own pauses when the server’s cannot be read', async () => {
    const { outcome, pauses } = await attempt([failure(429, 'Wed, 21 Oct 2026 07:28:00 GMT')])
    expect([outcome, pauses[0]! <= 500]).toEqual(['done', true])
  })

  test('is repeated without an answer only where that does no harm', async () => {
    expect((await attempt([failure(0)])).outcome).toMatchObject({ status: 0 })
    expect((await attempt([failure(0), failure(502)], { isRepeatable: true })).outcome).toBe('done')
  })

  test('takes a conflict for its own first try only when there was one', async () => {
    expect((await attempt([failure(0), failure(409)], { isRepeatable: true })).outcome).toBe('done')
    expect((await attempt([failure(409)], { isRepeatable: true })).outcome).toMatchObject({ status: 409 })
  })

  test.each([400, 401, 403, 404, 500])('is not repeated after %d', async (status) => {
    expect((await attempt([failure(status)], { isRepeatable: true })).tries).toBe(1)
  })

  test('is not tried again once it was called off', async () => {
    const called = AbortSignal.abort()
    expect((await attempt([failure(503)], { signal: called })).tries).toBe(1)
  })
})
