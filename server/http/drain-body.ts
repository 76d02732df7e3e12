import type { IncomingMessage } from 'node:http'

/** As much as the largest upload, and as long as a slow line may take for it within reason. */
const DRAIN_BYTES_MAX = 134_217_728
const DRAIN_MS = 60_000

/** The body as it arrives. Stopping halfway leaves the connection open, over which the answer has yet to go. */
export const bodyOf = (request: IncomingMessage): AsyncIterable<Uint8Array> =>
  request.iterator({ destroyOnReturn: false })

/**
 * Throws away what a client still sends after it was refused. Many read their answer only when they have sent
 * everything, and hanging up on them would lose it.
 */
export function drain(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return
  let left = DRAIN_BYTES_MAX
  const late = setTimeout(() => request.destroy(), DRAIN_MS).unref()
  request.unpipe()
  request.once('close', () => clearTimeout(late))
  request.on('error', () => {})
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
  // It was paused when its reader left.
  request.resume()
}
