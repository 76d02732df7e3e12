import { setTimeout } from 'node:timers/promises'
import { backoffMs } from '../../../client/backoff.ts'
import { ApiFailure } from '../../../client/client.ts'

const ATTEMPTS_MAX = 5
const BACKOFF = { firstMs: 500, maxMs: 8000 }
/** Fails instead of waiting if the server requests a longer pause. */
const RETRY_AFTER_MAX_S = 60

export interface RetryOptions {
  /** Also retries when the server is unreachable. For idempotent requests only. */
  isRepeatable?: boolean
  signal?: AbortSignal
  /** Replaced in tests. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

/** Retries with backoff or after `Retry-After`. */
export async function withRetry<T>(work: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { isRepeatable = false, signal } = options
  const pause = options.pause ?? ((ms) => setTimeout(ms, undefined, { signal }))
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isTransient = error instanceof ApiFailure && canRetry(error, isRepeatable, attempt)
      if (!isTransient || attempt === ATTEMPTS_MAX || signal?.aborted) throw error
      const delay = delayOf(error, attempt)
      if (delay === null) throw error
      await pause(delay, signal)
    }
  }
}

/** Waits while the server still processes the first attempt (409). */
function canRetry({ status }: ApiFailure, isRepeatable: boolean, attempt: number): boolean {
  if (status === 429 || status === 503) return true
  return isRepeatable && (status === 0 || status === 502 || status === 504 || (status === 409 && attempt > 1))
}

function delayOf({ retryAfterSeconds: retryAfter }: ApiFailure, attempt: number): number | null {
  if (retryAfter !== undefined && retryAfter >= 0)
    return retryAfter <= RETRY_AFTER_MAX_S ? retryAfter * 1000 : null
  return backoffMs(attempt - 1, BACKOFF)
}
