import { setTimeout } from 'node:timers/promises'
import { backoffMs } from '../../client/backoff.ts'
import { ApiFailure } from '../../client/client.ts'

const ATTEMPTS_MAX = 5
const BACKOFF = { firstMs: 500, maxMs: 8000 }
/** A server that asks for a longer pause is better told to the person. */
const RETRY_AFTER_MAX_S = 60

export interface Patience {
  /** Also bears a server that does not answer; only for what can be repeated without harm. */
  isRepeatable?: boolean
  signal?: AbortSignal
  /** How the time passes. */
  pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

/** Tries again what failed for want of time or of a connection, later each time, or when the server says. */
export async function patiently<T>(work: () => Promise<T>, patience: Patience = {}): Promise<T> {
  const { isRepeatable = false, signal } = patience
  const pause = patience.pause ?? ((ms) => setTimeout(ms, undefined, { signal }))
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isPassing = error instanceof ApiFailure && passes(error, isRepeatable, attempt)
      if (!isPassing || attempt === ATTEMPTS_MAX || signal?.aborted) throw error
      const delay = delayOf(error, attempt)
      if (delay === null) throw error
      await pause(delay, signal)
    }
  }
}

/** A repetition that meets its own first attempt, still at work on the server, waits for it to end. */
function passes({ status }: ApiFailure, isRepeatable: boolean, attempt: number): boolean {
  if (status === 429 || status === 503) return true
  return isRepeatable && (status === 0 || status === 502 || status === 504 || (status === 409 && attempt > 1))
}

function delayOf({ retryAfterSeconds: asked }: ApiFailure, attempt: number): number | null {
  if (asked !== undefined && asked >= 0) return asked <= RETRY_AFTER_MAX_S ? asked * 1000 : null
  return backoffMs(attempt - 1, BACKOFF)
}
