import { Readable } from 'node:stream'
import { formatEvent, HEARTBEAT } from './sse-format.ts'

/** A client with more unread bytes than this is disconnected; it reconnects and resumes from its last event. */
const BUFFERED_BYTES_MAX = 1_048_576
/** A client that does not read the end of its stream within this time is disconnected. */
const CLOSE_TIMEOUT_MS = 10_000

/** `age`: maximum duration reached. `access`: credential or permission changed. `closing`: the server is stopping. */
export type EndReason = 'age' | 'access' | 'closing'

export type SseConnection = ReturnType<typeof createSseConnection>

const formatEnd = (reason: EndReason): Buffer => formatEvent('ended', { reason })

/**
 * One open response of server-sent events. `onClose` is called exactly once, whether the client or the server closes
 * it.
 */
export function createSseConnection(onClose: () => void, endFrameOf = formatEnd) {
  let isOpen = true
  let onDrain = () => {}
  let closeTimeout: NodeJS.Timeout | undefined
  const content = new Readable({ read: () => onDrain() })
  const close = () => {
    if (!isOpen) return
    isOpen = false
    onDrain()
    onClose()
  }
  content.once('close', () => {
    clearTimeout(closeTimeout)
    close()
  })
  const destroy = () => {
    content.destroy()
    close()
  }
  const send = (frame: Buffer) => {
    if (isOpen) content.push(frame)
  }

  const finish = () => {
    if (!isOpen) return
    content.push(null)
    closeTimeout = setTimeout(() => content.destroy(), CLOSE_TIMEOUT_MS).unref()
    close()
  }

  return {
    content,
    isOpen: () => isOpen,
    send,
    ping: () => send(HEARTBEAT),
    destroy,
    /** Resolves when the buffer has room for more, or the connection is closed. */
    async waitForDrain(): Promise<void> {
      if (!isOpen || content.readableLength < content.readableHighWaterMark) return
      await new Promise<void>((resolve) => {
        onDrain = resolve
      })
    },
    /** Disconnects a client that reads too slowly; returns whether it did. */
    destroyIfSlow(): boolean {
      if (content.readableLength <= BUFFERED_BYTES_MAX) return false
      destroy()
      return true
    },
    /** Ends a stream that is complete. */
    finish,
    /** Ends a stream that the client can continue with another connection, if it still has access. */
    end(reason: EndReason): void {
      send(endFrameOf(reason))
      finish()
    },
  }
}
