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
  const close = () => abort.abort(raw.writableFinished ? SENT : closedByClient())
  if (raw.closed) close()
  else raw.once('close', close)
  return abort.signal
}

const closedByClient = () => new ApiError('BAD_REQUEST', 'The client closed the connection')

/** Shared: nobody sees it, and its stack would cost a twentieth of a small request. */
const SENT = new ApiError('BAD_REQUEST', 'The response was sent')
