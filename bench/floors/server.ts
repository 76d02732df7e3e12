import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatEtag } from '../../server/endpoint/etag.ts'
import { safeHeaders } from '../../server/http/headers.ts'
import { createLog } from '../../server/log.ts'
import { newId } from '../../server/security/ids.ts'

const log = await createLog('info')
const HEADERS = { ...safeHeaders(null), 'content-type': 'application/json', 'cache-control': 'no-store' }

interface FloorResponse {
  status: number
  body: unknown
  /** Absent if the response has no etag. */
  version?: number | undefined
}

/**
 * Sends production headers and writes one log line per request, but does no routing, validation, access checks, metrics
 * or limits.
 */
export function startFloor(respond: (request: IncomingMessage) => Promise<FloorResponse>): void {
  const server = createServer((request, response) => {
    // Clients disconnect mid-request when a round ends. That must not end the process.
    handle(request, response).catch(() => response.destroy())
  })
  async function handle(request: IncomingMessage, response: ServerResponse) {
    const start = performance.now()
    const requestId = newId()
    const { status, body, version } = await respond(request)
    const text = JSON.stringify(body)
    const etag = version === undefined ? {} : { etag: formatEtag(version, text) }
    response.writeHead(status, { ...HEADERS, ...etag, 'x-request-id': requestId }).end(text)
    const ms = Math.round((performance.now() - start) * 10) / 10
    log.info({ requestId, status, ms }, `${request.method} ${request.url!.split('?')[0]}`)
  }
  server.listen(0, '127.0.0.1', () =>
    process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  )
  process.on('SIGTERM', () => process.exit(0))
}
