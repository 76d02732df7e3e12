import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** Forwards the request; the response is passed back whole, stalls, breaks off, or is lost. */
  forward: (upstream?: 'whole' | 'held' | 'cut' | 'lost') => void
}

/** A proxy between the CLI and the server that can drop, refuse and delay requests. */
export async function createProxy(target: string, onRequest: (exchange: Exchange) => unknown) {
  const server = createServer((request, response) => {
    const forward: Exchange['forward'] = (outcome = 'whole') => {
      const { method, url, headers } = request
      const onward = send(target + url, { method, headers }, (upstream) => {
        if (outcome === 'lost') return response.destroy()
        response.writeHead(upstream.statusCode!, upstream.headers)
        if (outcome === 'whole') return upstream.pipe(response)
        return upstream.once('data', (chunk: Buffer) =>
          response.write(chunk.subarray(0, 1), () => outcome === 'cut' && response.destroy()),
        )
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      request.pipe(onward)
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
