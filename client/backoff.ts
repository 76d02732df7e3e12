export interface Backoff {
  firstMs: number
  maxMs: number
}

/** Half the delay is random, so clients that failed together don't retry together. Attempt 0 is the first. */
export function backoffMs(attempt: number, { firstMs, maxMs }: Backoff): number {
  const full = Math.min(firstMs * 2 ** attempt, maxMs)
  return full * (0.5 + Math.random() / 2)
}

/** Resolves after the time, or as soon as the signal aborts. */
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
