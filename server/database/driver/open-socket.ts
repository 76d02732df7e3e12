import { connect, type Socket } from 'node:net'
import { corrected } from './corrected-socket.ts'
import { openTlsSocket, type TlsMode } from './open-tls-socket.ts'

interface SocketTarget {
  host: string[]
  port: number[]
  /** Of a socket in the file system. */
  path?: string | false
}

/** Opens the sockets of the driver's connections. */
export const createSocketFactory = (tls: TlsMode | null) => (target: SocketTarget) =>
  tls === null
    ? corrected(openPlainSocket(target))
    : openTlsSocket(openPlainSocket(target), target.host[0]!, tls)

const openPlainSocket = ({ host, port, path }: SocketTarget): Socket =>
  path ? connect(path) : connect(port[0]!, host[0]!)
