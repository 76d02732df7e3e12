import type { IncomingMessage } from 'node:http'

export interface BodyTimeLimit {
  /** A body has to deliver `bytesMin` bytes in each window of this length, or end. */
  windowMs: number
  bytesMin: number
  sweepMs: number
}

/** 500 bytes per second: a slow upload continues while data arrives, and an unfinished body stays for half a minute. */
export const BODY_TIME_LIMIT: BodyTimeLimit = { windowMs: 30_000, bytesMin: 15_000, sweepMs: 5000 }

type IncomingBody = Pick<IncomingMessage, 'complete' | 'destroyed' | 'readableLength'> & {
  socket: { bytesRead: number }
}

interface Window<R> {
  reply: R
  startedAt: number
  bytesBefore: number
}

/** Follows bodies while they arrive. `sweep` passes those that are too slow to `expire`, once each. */
export function createBodyProgress<M extends IncomingBody, R>(
  { windowMs, bytesMin }: Pick<BodyTimeLimit, 'windowMs' | 'bytesMin'>,
  expire: (message: M, reply: R) => void,
  now: () => number = () => performance.now(),
) {
  const windows = new Map<M, Window<R>>()

  const windowOf = ({ socket }: M, reply: R): Window<R> => ({
    reply,
    startedAt: now(),
    bytesBefore: socket.bytesRead,
  })

  function check(message: M, { reply, startedAt, bytesBefore }: Window<R>): void {
    if (message.complete || message.destroyed) {
      windows.delete(message)
      return
    }
    // Received bytes wait in the buffer: the server reads too slowly, not the client.
    if (message.readableLength > 0) {
      windows.set(message, windowOf(message, reply))
      return
    }
    if (now() - startedAt < windowMs) return
    if (message.socket.bytesRead - bytesBefore >= bytesMin) {
      windows.set(message, windowOf(message, reply))
      return
    }
    windows.delete(message)
    expire(message, reply)
  }

  return {
    watch: (message: M, reply: R): void => void windows.set(message, windowOf(message, reply)),
    /** Stops observing an answered message, unless its body is unfinished. */
    release: (message: M): void => {
      if (message.complete) windows.delete(message)
    },
    sweep: (): void => {
      for (const [message, window] of windows) check(message, window)
    },
    /** The reply to the request whose body arrives on this connection. */
    replyOn: (socket: unknown): R | undefined =>
      [...windows].find(([message]) => message.socket === socket && !message.complete)?.[1].reply,
    size: () => windows.size,
  }
}
