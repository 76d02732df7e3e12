import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  path: string
  headers: Record<string, string>
  body: string
}

type Answer = (received: ReceivedRequest, response: ServerResponse, request: IncomingMessage) => unknown

/** Records requests on loopback. Responds 200 unless the test sets a handler. */
export async function startReceiver(answer: Answer = (_received, response) => response.end('thanks')) {
  const requests: ReceivedRequest[] = []
  let current = answer
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const received = { path: request.url!, headers: request.headers as Record<string, string>, body }
    requests.push(received)
    await current(received, response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    server,
    answer: (next: Answer) => {
      current = next
    },
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
