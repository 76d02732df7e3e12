import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** Passes the request on. The answer is passed back, or begins and never ends, or is lost. */
  forward: (answer?: 'whole' | 'held' | 'cut' | 'lost') => void
}

/** Something between the command and the server, which can lose, refuse and delay what passes through it. */
export async function createProxy(target: string, meet: (exchange: Exchange) => unknown) {
  const server = createServer((request, response) => {
    const forward: Exchange['forward'] = (fate = 'whole') => {
      const { method, url, headers } = request
      const onward = send(target + url, { method, headers }, (answer) => {
        if (fate === 'lost') return response.destroy()
        response.writeHead(answer.statusCode!, answer.headers)
        if (fate === 'whole') return answer.pipe(response)
        return answer.once('data', (chunk: Buffer) =>
          response.write(chunk.subarray(0, 1), () => fate === 'cut' && response.destroy()),
        )
      })
      onward.on('error', () => response.destroy())
      response.on('close', () => onward.destroy())
      request.pipe(onward)
    }
    meet({ request, response, forward })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
