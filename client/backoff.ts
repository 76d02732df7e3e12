export interface Backoff {
  firstMs: number
  maxMs: number
}

/**
 * The delay before a retry: it doubles with each attempt (0 is the first), and half of it is random, so that clients
 * that failed together do not retry together.
 */
export function backoffMs(attempt: number, { firstMs, maxMs }: Backoff): number {
  const full = Math.min(firstMs * 2 ** attempt, maxMs)
  return full * (0.5 + Math.random() / 2)
}

/** Resolves after the time, or immediately when the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish)
  })
}
