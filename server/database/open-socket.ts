import { connect, type Socket } from 'node:net'

interface SocketTarget {
  host: string[]
  port: number[]
  /** Of a socket in the file system. */
  path?: string | false
}

/**
 * The socket of a connection, with two events that the driver handles wrongly:
 * - It is closed before the server has sent anything, as a proxy does whose servers are all down. The driver would connect
 *   again at once, without a pause and without an end, while its query waits: here, that is an error.
 * - It fails later. The driver would reject the statements that it has sent when the error is reported, and forget those
 *   that it sends until the socket is closed: after the next connect they succeed without having been executed, or receive
 *   the results of others. Here, a socket that fails is only closed, upon which the driver rejects all of them.
 */
export function openSocket({ host, port, path }: SocketTarget): Socket {
  const socket = path ? connect(path) : connect(port[0]!, host[0]!)
  const failEarly = () => socket.destroy(closedEarly())
  socket.once('end', failEarly)
  socket.once('data', () => {
    socket.off('end', failEarly)
    closeWithoutError(socket)
  })
  // The driver verifies the certificate of TLS against this name.
  return Object.assign(socket, { host: host[0] })
}

function closeWithoutError(socket: Socket): void {
  const emit = socket.emit.bind(socket) as (name: string, ...args: unknown[]) => boolean
  socket.emit = (name: string, ...args: unknown[]) => {
    if (name === 'error') return true
    return name === 'close' ? emit('close', false) : emit(name, ...args)
  }
}

const closedEarly = () =>
  Object.assign(new Error('The server closed the connection before it answered'), {
    code: 'CONNECTION_CLOSED',
  })
