import { Readable } from 'node:stream'

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

/** A comment line, which clients ignore: it keeps proxies from closing an idle connection. */
export const HEARTBEAT = Buffer.from(': heartbeat\n\n')

export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Keeps nginx from buffering the response.
  'x-accel-buffering': 'no',
}

/** JSON escapes line breaks, so the data always fits one `data:` line and no value can start an event of its own. */
export function formatEvent(name: string, data: unknown, id?: number | string): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
