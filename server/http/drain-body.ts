import type { IncomingMessage } from 'node:http'

/** The largest upload, and a minute for a slow connection to send it. */
const DRAIN_BYTES_MAX = 134_217_728
const DRAIN_MS = 60_000

/** The body as a stream. A reader that stops early does not close the connection, which the response still needs. */
export const bodyOf = (request: IncomingMessage): AsyncIterable<Uint8Array> =>
  request.iterator({ destroyOnReturn: false })

/**
 * Discards the rest of a refused body. Many clients read the response only after they have sent everything; closing the
 * connection earlier would lose the response.
 */
export function drain(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return
  let remaining = DRAIN_BYTES_MAX
  const timeout = setTimeout(() => request.destroy(), DRAIN_MS).unref()
  request.unpipe()
  request.once('close', () => clearTimeout(timeout))
  request.on('error', () => {})
  request.on('data', (chunk: Buffer) => {
    remaining -= chunk.length
    if (remaining < 0) request.destroy()
  })
  // The stream is paused if its reader has stopped.
  request.resume()
}
