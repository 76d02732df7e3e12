import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function startCallback() {
  const received: URLSearchParams[] = []
  let onReceived = () => {}
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://127.0.0.1')
    if (pathname === '/callback') received.push(searchParams)
    response.setHeader('content-type', 'text/html').end('<title>Returned</title>')
    onReceived()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: `${origin}/callback`,
    async next(): Promise<URLSearchParams> {
      while (received.length === 0) await new Promise<void>((resolve) => (onReceived = resolve))
      return received.shift()!
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
