import { Readable } from 'node:stream'

/** Slower clients are disconnected, and resume from their last event. */
const BUFFERED_BYTES_MAX = 1_048_576
/** A client must read its stream's end within this time. */
const CLOSE_TIMEOUT_MS = 10_000

/** `age`: maximum duration. `access`: credential or permission changed. `closing`: the server is stopping. */
export type EndReason = 'age' | 'access' | 'closing'

export type SseConnection = ReturnType<typeof createSseConnection>

const formatEnd = (reason: EndReason): Buffer => formatEvent('ended', { reason })

/** Calls `onClose` exactly once, whichever side closes. */
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
    async waitForDrain(): Promise<void> {
      if (!isOpen || content.readableLength < content.readableHighWaterMark) return
      await new Promise<void>((resolve) => {
        onDrain = resolve
      })
    },
    destroyIfSlow(): boolean {
      if (content.readableLength <= BUFFERED_BYTES_MAX) return false
      destroy()
      return true
    },
    finish,
    /** The client can reconnect if it still has access. */
    end(reason: EndReason): void {
      send(endFrameOf(reason))
      finish()
    },
  }
}

/** Keeps proxies from closing an idle connection. Clients ignore it. */
export const HEARTBEAT = Buffer.from(': heartbeat\n\n')

export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // Disables nginx buffering.
  'x-accel-buffering': 'no',
}

/** JSON escapes line breaks, so data fits one `data:` line and no value can start an event. */
export function formatEvent(name: string, data: unknown, id?: number | string): Buffer {
  const head = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
