import { WebSocket } from 'ws'
import { refuseInTransaction } from '../../../../concurrency/work-scope.ts'

const HANDSHAKE_MS = 10_000
const BYTES_MAX = 4_194_304
/** The call does not exist, or has ended. */
const GONE = new Set([400, 404, 410])

export type SocketEnd =
  /** The socket was open and closed: the next attempt shows whether the call has ended. */
  | 'closed'
  | 'gone'
  /** The provider refuses the connection. */
  | 'refused'
  | 'unreachable'

/**
 * Follows the WebSocket of a call, which is open as long as the call. Its messages are ignored: the call is not
 * recorded.
 */
export function followCall(
  url: string,
  headers: Record<string, string>,
  { signal, onOpen }: { signal: AbortSignal; onOpen: () => void },
): Promise<SocketEnd> {
  refuseInTransaction('another server')
  const socket = new WebSocket(url, {
    headers,
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: BYTES_MAX,
    perMessageDeflate: false,
  })
  return new Promise((resolve) => {
    let isOpen = false
    const stop = () => socket.terminate()
    const end = (outcome: SocketEnd) => {
      signal.removeEventListener('abort', stop)
      resolve(outcome)
    }
    signal.addEventListener('abort', stop)
    socket.on('open', () => {
      isOpen = true
      onOpen()
    })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      end(GONE.has(statusCode) ? 'gone' : statusCode >= 500 || statusCode === 429 ? 'unreachable' : 'refused')
      socket.terminate()
    })
    socket.on('error', () => end(isOpen ? 'closed' : 'unreachable'))
    socket.on('close', () => end(isOpen ? 'closed' : 'unreachable'))
  })
}
