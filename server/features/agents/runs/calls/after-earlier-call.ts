import { setTimeout as sleep } from 'node:timers/promises'
import { isInProgress } from '../../../../endpoint/idempotency.ts'

const PAUSE_MS = 100

/**
 * Makes a call that the previous worker of the run may still be making under the same idempotency key. In this case it
 * waits for the end of that call and returns its stored result. Throws when `signal` is aborted.
 */
export async function afterEarlierCall<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!isInProgress(error)) throw error
      await sleep(PAUSE_MS, undefined, { signal })
    }
  }
}
