import { createValueCounter } from '../../../../outbound/limit-values.ts'
import type { Outbound } from '../../../../outbound/outbound.ts'

/** Over all the session's requests. */
export interface SessionLimits {
  bytesMax: number
  timeoutMs: number
}

type Exceeded = 'bytes' | 'values' | 'time'

export interface GuardedFetch {
  fetch: typeof globalThis.fetch
  /** Aborts at a limit, with the caller, and at the end. */
  signal: AbortSignal
  /** Null if no limit was reached. */
  exceeded: () => Exceeded | null
  end: () => void
}

/**
 * One limit covers all response bytes and one the time, so an endless event stream ends. GET would open a stream for
 * server-initiated messages, which this client doesn't need, so it gets the 405 of a server without one.
 */
export function guardedFetch(
  outbound: Pick<Outbound, 'fetch'>,
  { bytesMax, timeoutMs }: SessionLimits,
  callerSignal?: AbortSignal,
): GuardedFetch {
  const abort = new AbortController()
  let reason: Exceeded | null = null
  let bytesLeft = bytesMax
  const stop = (limit: Exceeded) => {
    reason ??= limit
    abort.abort()
  }
  const timer = setTimeout(() => stop('time'), timeoutMs)
  const abortSession = () => abort.abort()
  if (callerSignal?.aborted) abortSession()
  callerSignal?.addEventListener('abort', abortSession, { once: true })

  const countBytes = (response: Response): Response => {
    if (!response.body) return response
    const areFew = createValueCounter()
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytesLeft -= chunk.byteLength
        const limit = bytesLeft < 0 ? 'bytes' : areFew(chunk) ? null : 'values'
        if (limit === null) return controller.enqueue(chunk)
        controller.error(new Error('The response is too large'))
        stop(limit)
      },
    })
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers })
  }

  return {
    signal: abort.signal,
    exceeded: () => reason,
    async fetch(input, init) {
      if (init?.method === 'GET' && acceptsEvents(init)) return new Response(null, { status: 405 })
      const signal = init?.signal ? AbortSignal.any([init.signal, abort.signal]) : abort.signal
      return countBytes(await outbound.fetch(input, { ...init, signal }))
    },
    end() {
      clearTimeout(timer)
      callerSignal?.removeEventListener('abort', abortSession)
      abort.abort()
    },
  }
}

const acceptsEvents = ({ headers }: RequestInit) =>
  new Headers(headers).get('accept')?.includes('text/event-stream') ?? false
