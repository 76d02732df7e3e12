import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  forward: (outcome?: 'complete' | 'stalled' | 'truncated' | 'dropped') => void
}

export async function createProxy(target: string, onRequest: (exchange: Exchange) => unknown) {
  const server = createServer((request, response) => {
    const forward: Exchange['forward'] = (outcome = 'complete') => {
      const { method, url, headers } = request
      const outgoing = send(target + url, { method, headers }, (upstream) => {
        if (outcome === 'dropped') return response.destroy()
        response.writeHead(upstream.statusCode!, upstream.headers)
        if (outcome === 'complete') return upstream.pipe(response)
        return upstream.once('data', (chunk: Buffer) =>
          response.write(chunk.subarray(0, 1), () => outcome === 'truncated' && response.destroy()),
        )
      })
      outgoing.on('error', () => response.destroy())
      response.on('close', () => outgoing.destroy())
      request.pipe(outgoing)
    }
    onRequest({ request, response, forward })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
