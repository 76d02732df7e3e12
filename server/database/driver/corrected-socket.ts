import type { Socket } from 'node:net'

/**
 * Corrects three events of a socket that the driver handles wrongly:
 * - It is closed before the server has sent anything, as a proxy does whose servers are all down. The driver would connect
 *   again immediately and without limit while its query waits: here, the socket fails with an error.
 * - It fails later. The driver would reject the statements that it has sent when the error is reported, and drop those
 *   that it sends until the socket is closed: after the next connect they succeed without having been executed, or receive
 *   the results of others. Here, a socket that fails is only closed, upon which the driver rejects all of them.
 * - The server is ready on a new connection for which a transaction waits. Without `fetch_types`, the driver would let it
 *   wait forever (issues 751 and 1219 of the driver): here, the event is emitted a second time, which starts the transaction.
 */
export function correctSocket<S extends Socket>(socket: S): S {
  const failEarly = () => socket.destroy(closedEarlyError())
  socket.once('end', failEarly)
  socket.once('data', () => {
    socket.off('end', failEarly)
    closeWithoutError(socket)
  })
  repeatReady(socket)
  return socket
}

/** ReadyForQuery, outside of a transaction. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

function repeatReady(socket: Socket): void {
  let lastBytes = Buffer.alloc(0)
  socket.on('data', function check(chunk: Buffer) {
    lastBytes = Buffer.concat([lastBytes, chunk]).subarray(-READY.length)
    if (!lastBytes.equals(READY)) return
    socket.off('data', check)
    const bytesBefore = bytesSentBy(socket)
    // By then, the driver has sent the statement for which it opened the connection, if there is one.
    setImmediate(() => setImmediate(() => bytesSentBy(socket) === bytesBefore && socket.emit('data', READY)))
  })
}

const bytesSentBy = (socket: Socket): number => socket.bytesWritten + socket.writableLength

function closeWithoutError(socket: Socket): void {
  const emit = socket.emit.bind(socket) as (name: string, ...args: unknown[]) => boolean
  socket.emit = (name: string, ...args: unknown[]) => {
    if (name === 'error') return true
    return name === 'close' ? emit('close', false) : emit(name, ...args)
  }
}

const closedEarlyError = () =>
  Object.assign(new Error('The server closed the connection before it answered'), {
    code: 'CONNECTION_CLOSED',
  })
