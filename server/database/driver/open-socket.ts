import { connect, type Socket } from 'node:net'
import { correctSocket } from './corrected-socket.ts'
import { openTlsSocket, type TlsMode } from './open-tls-socket.ts'

interface SocketTarget {
  host: string[]
  port: number[]
  /** The path of a Unix socket. */
  path?: string | false
}

/** Opens the sockets of the driver's connections. */
export const createSocketFactory = (tls: TlsMode | null) => (target: SocketTarget) =>
  tls === null
    ? correctSocket(openPlainSocket(target))
    : openTlsSocket(openPlainSocket(target), target.host[0]!, tls)

const openPlainSocket = ({ host, port, path }: SocketTarget): Socket =>
  path ? connect(path) : connect(port[0]!, host[0]!)
