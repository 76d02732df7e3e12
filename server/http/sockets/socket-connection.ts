import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import {
  CLOSE,
  type CloseCode,
  type SocketConnection,
  type SocketHandler,
} from '../../endpoint/socket-route.ts'

const BUFFERED_BYTES_MAX = 1_048_576
/** Beyond this many waiting messages, the connection isn't read. */
const WAITING_MAX = 32
const FRAMES_BURST = 200
const FRAMES_PER_SECOND = 40
const IDLE_MS = 10 * 60_000

export type LiveSocket = ReturnType<typeof runSocket>

/** Closes if the client floods, stalls or sends binary data to a handler of text. */
export function runSocket(
  socket: WebSocket,
  start: (connection: SocketConnection) => SocketHandler,
  {
    log,
    onClosed,
    bufferedBytesMax = BUFFERED_BYTES_MAX,
  }: { log: Logger; onClosed: () => void; bufferedBytesMax?: number | undefined },
) {
  let isAlive = true
  let lastTextAt = performance.now()
  let waitingCount = 0
  let handling: Promise<void> = Promise.resolve()
  const takeFrame = createFrameLimit()
  const close = (code: CloseCode, reason: string) => socket.close(code, reason)
  const isOpen = () => socket.readyState === socket.OPEN

  const handler = start({
    isOpen,
    close,
    send(message) {
      if (!isOpen()) return
      socket.send(message)
      if (socket.bufferedAmount > bufferedBytesMax) socket.terminate()
    },
  })

  function countFrame(): boolean {
    if (takeFrame()) return true
    if (isOpen()) close(CLOSE.policy, 'too many messages')
    return false
  }

  async function handle(data: Buffer, isBinary: boolean): Promise<void> {
    try {
      if (!isOpen()) return
      if (isBinary) await handler.onBytes?.(data)
      else await handler.onText(data.toString())
    } catch (err) {
      log.error({ err }, 'handling a WebSocket message failed')
      close(CLOSE.failure, 'internal error')
    } finally {
      waitingCount -= 1
      if (waitingCount < WAITING_MAX) socket.resume()
    }
  }

  socket.on('message', (data, isBinary) => {
    if (!countFrame()) return
    if (isBinary && !handler.onBytes) return close(CLOSE.unsupported, 'messages are text')
    lastTextAt = performance.now()
    waitingCount += 1
    if (waitingCount >= WAITING_MAX) socket.pause()
    handling = handling.then(() => handle(data as Buffer, isBinary))
  })
  socket.on('ping', countFrame)
  socket.on('pong', () => {
    isAlive = true
    countFrame()
  })
  // `close` follows.
  socket.on('error', (err) => log.debug({ err }, 'a WebSocket failed'))
  const closed = new Promise<void>((resolve) => {
    socket.once('close', (code) => {
      onClosed()
      void handling
        .then(() => handler.onClose(code))
        .catch((err: unknown) => log.error({ err }, 'handling the end of a WebSocket failed'))
        .finally(resolve)
    })
  })

  return {
    /** Resolves once the handler has processed all messages. */
    closed,
    close,
    terminate: () => socket.terminate(),
    checkLiveness(): void {
      if (!isAlive) socket.terminate()
      else if (performance.now() - lastTextAt > IDLE_MS) close(CLOSE.goingAway, 'idle')
      else {
        isAlive = false
        socket.ping()
      }
    },
  }
}

function createFrameLimit() {
  let tokens = FRAMES_BURST
  let at = performance.now()
  return (): boolean => {
    const now = performance.now()
    tokens = Math.min(FRAMES_BURST, tokens + ((now - at) / 1000) * FRAMES_PER_SECOND)
    at = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
