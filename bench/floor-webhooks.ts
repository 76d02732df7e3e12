import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { openDatabase } from '../server/database/database.ts'
import { insertReceived } from '../server/features/webhooks/receive/receive-queries.ts'
import { newId } from '../server/security/ids.ts'

/** The smallest program that stores a received event: the same statement, without verification. */
const sql = openDatabase(JSON.parse(process.argv[2]!), 'floor')
const rows = await sql<{ orgId: string; id: string; version: number }[]>`
  select org_id as "orgId", id, version from webhooks`
const receivers = new Map(rows.map((row) => [row.id, row]))

const server = createServer((request, response) => {
  // Clients disconnect in the middle of a request when a round ends; that must not end the process.
  respond(request, response).catch(() => response.destroy())
})

async function respond(request: IncomingMessage, response: ServerResponse) {
  const receiver = receivers.get(request.url!.split('/').at(-1)!)!
  const body = await buffer(request)
  const payload = JSON.parse(body.toString())
  const stored = await insertReceived(sql, receiver.orgId, receiver, {
    id: newId(),
    type: payload.type,
    externalId: payload.id,
    deduplicationKey: payload.id,
    verification: { scheme: 'secret', result: 'valid', reason: null },
    body,
    headers: request.headers as Record<string, string>,
    now: new Date(),
  })
  response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(stored))
}

server.listen(0, '127.0.0.1', () =>
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.on('SIGTERM', () => process.exit(0))
