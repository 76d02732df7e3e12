import { describe, expect, test } from 'vitest'
import { ApiFailure } from '../../../client/client.ts'
import { type RetryOptions, withRetry } from './retry.ts'

const failure = (status: number, retryAfter?: string) => new ApiFailure(status, { message: 'no' }, retryAfter)

/** Runs work that fails with each error in turn and then succeeds; records the attempts and delays. */
async function runWithRetry(failures: Error[], options: RetryOptions = {}) {
  const delays: number[] = []
  let attempts = 0
  const work = async () => {
    const next = failures[attempts++]
    if (next) throw next
    return 'done'
  }
  const pause = async (ms: number) => delays.push(ms)
  const outcome = await withRetry(work, { pause, ...options }).catch((error: Error) => error)
  return { outcome, attempts, delays }
}

describe('withRetry', () => {
  test('retries 429 and 503 after the Retry-After delay', async () => {
    const { outcome, delays } = await runWithRetry([failure(429, '7'), failure(503, '0')])
    expect([outcome, delays]).toEqual(['done', [7000, 0]])
  })

  test('doubles the delay when the server sends no Retry-After', async () => {
    const { delays } = await runWithRetry([failure(503), failure(503), failure(503), failure(503)])
    const minimums = [250, 500, 1000, 2000]
    expect(delays).toHaveLength(4)
    delays.forEach((ms, index) => {
      expect(ms).toBeGreaterThanOrEqual(minimums[index]!)
      expect(ms).toBeLessThanOrEqual(minimums[index]! * 2)
    })
  })

  test('throws the last error after five attempts', async () => {
    const { outcome, attempts } = await runWithRetry(Array.from({ length: 9 }, () => failure(503)))
    expect([outcome, attempts]).toEqual([expect.objectContaining({ status: 503 }), 5])
  })

  test('throws immediately when Retry-After exceeds a minute', async () => {
    const { outcome, delays } = await runWithRetry([failure(429, '3600')])
    expect([outcome, delays]).toEqual([expect.objectContaining({ status: 429 }), []])
  })

  test('falls back to its own delay when Retry-After is not a number', async () => {
    const { outcome, delays } = await runWithRetry([failure(429, 'Wed, 21 Oct 2026 07:28:00 GMT')])
    expect([outcome, delays[0]! <= 500]).toEqual(['done', true])
  })

  test('retries an unreachable server only if the request is repeatable', async () => {
    expect((await runWithRetry([failure(0)])).outcome).toMatchObject({ status: 0 })
    expect((await runWithRetry([failure(0), failure(502)], { isRepeatable: true })).outcome).toBe('done')
  })

  test('retries a conflict only after an earlier attempt', async () => {
    expect((await runWithRetry([failure(0), failure(409)], { isRepeatable: true })).outcome).toBe('done')
    expect((await runWithRetry([failure(409)], { isRepeatable: true })).outcome).toMatchObject({
      status: 409,
    })
  })

  test.each([400, 401, 403, 404, 500])('does not retry status %d', async (status) => {
    expect((await runWithRetry([failure(status)], { isRepeatable: true })).attempts).toBe(1)
  })

  test('does not retry after an abort', async () => {
    const aborted = AbortSignal.abort()
    expect((await runWithRetry([failure(503)], { signal: aborted })).attempts).toBe(1)
  })
})
