import { randomId } from './random-id.ts'

/**
 * The idempotency key of a request: the same for a repeated attempt, so that a lost response creates nothing twice, and a
 * new one for another request, or after a success.
 */
export function createRequestKey() {
  let last: { request: string; key: string } | undefined
  return {
    of: (request: unknown): string => {
      const text = JSON.stringify(request)
      if (last?.request !== text) last = { request: text, key: randomId() }
      return last.key
    },
    reset: () => {
      last = undefined
    },
  }
}
