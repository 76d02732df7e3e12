import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Server as TcpServer } from 'node:net'
import { afterEach } from 'vitest'

/** Closed after each test. */
export function loopbackServers() {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  const listen = async (server: Server | TcpServer): Promise<number> => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
    })
    return (server.address() as AddressInfo).port
  }

  return {
    listen,
    serve: async (listener: RequestListener) =>
      `http://127.0.0.1:${await listen(createServer(listener))}/hook`,
    closeAfterTest: (close: () => unknown) => void closers.push(close),
  }
}
