import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors.ts'

/** Created on first use: most calls wait for nothing. */
export function lazyAbortOnClose(reply: FastifyReply): () => AbortSignal {
  let signal: AbortSignal | undefined
  return () => {
    signal ??= abortOnClose(reply)
    return signal
  }
}

export function abortOnClose({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController()
  const close = () => abort.abort(new ApiError('BAD_REQUEST', 'The client closed the connection'))
  if (raw.closed) close()
  else raw.once('close', close)
  return abort.signal
}
