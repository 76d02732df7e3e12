import { setTimeout as sleep } from 'node:timers/promises'
import { isInProgress } from '../../../endpoint/idempotency.ts'

const PAUSE_MS = 100

/**
 * Makes a call that the worker which had the lease before may still be making, under the same idempotency key: it waits for
 * that one, whose result it gets. Ends with an error when `signal` is aborted.
 */
export async function afterFirst<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!isInProgress(error)) throw error
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }
}
