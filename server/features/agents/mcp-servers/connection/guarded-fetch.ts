import type { Outbound } from '../../../../outbound/outbound.ts'

/** The limits of one session with a server, over all of its requests. */
export interface SessionLimits {
  bytesMax: number
  timeoutMs: number
}

export interface GuardedFetch {
  fetch: typeof globalThis.fetch
  /** Aborts when a limit is reached, when the caller aborts, and at the end. */
  signal: AbortSignal
  /** Why the session was aborted; null if no limit was reached. */
  exceeded: () => 'bytes' | 'time' | null
  end: () => void
}

/**
 * The `fetch` of a session: through the guarded client, with one limit for the bytes of all responses and one for the
 * time. A stream of events that never ends reaches one of them. Requests with GET open a stream for messages that the
 * server starts; this client has no use for them, so they get the 405 of a server without such a stream.
 */
export function guardedFetch(
  outbound: Pick<Outbound, 'fetch'>,
  { bytesMax, timeoutMs }: SessionLimits,
  callerSignal?: AbortSignal,
): GuardedFetch {
  const abort = new AbortController()
  let reason: 'bytes' | 'time' | null = null
  let bytesLeft = bytesMax
  const stop = (limit: 'bytes' | 'time') => {
    reason ??= limit
    abort.abort()
  }
  const timer = setTimeout(() => stop('time'), timeoutMs)
  const abortSession = () => abort.abort()
  if (callerSignal?.aborted) abortSession()
  callerSignal?.addEventListener('abort', abortSession, { once: true })

  const countBytes = (response: Response): Response => {
    if (!response.body) return response
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytesLeft -= chunk.byteLength
        if (bytesLeft >= 0) return controller.enqueue(chunk)
        controller.error(new Error('The response is too large'))
        stop('bytes')
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
