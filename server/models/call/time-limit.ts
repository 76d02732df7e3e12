interface TimeLimits {
  totalMs: number
  /** The longest pause between two parts, from the first part on. */
  pauseMs: number
  /** The signal of the caller. */
  signal: AbortSignal | undefined
}

/** Aborts a call that takes too long, pauses too long, or is aborted by its caller. */
export function createTimeLimit({ totalMs, pauseMs, signal }: TimeLimits) {
  const abort = new AbortController()
  const total = setTimeout(() => abort.abort(timeout(`did not finish within ${totalMs} ms`)), totalMs)
  let pause: NodeJS.Timeout | undefined
  const onAbort = () => abort.abort(signal!.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: abort.signal,
    /** A part has arrived. */
    progress(): void {
      abort.signal.throwIfAborted()
      if (pause) pause.refresh()
      else pause = setTimeout(() => abort.abort(timeout(`sent nothing for ${pauseMs} ms`)), pauseMs)
    },
    end(): void {
      clearTimeout(total)
      clearTimeout(pause)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

const timeout = (problem: string) => new DOMException(`The provider ${problem}`, 'TimeoutError')
