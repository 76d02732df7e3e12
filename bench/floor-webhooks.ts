import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { openDatabase } from '../server/database/database.ts'
import { insertReceived } from '../server/features/webhooks/receive/receive-queries.ts'
import { newId } from '../server/security/ids.ts'

/** The least program that keeps what it is sent: the very same statement, no proof, nothing around it. */
const sql = openDatabase(JSON.parse(process.argv[2]!), 'floor')
const rows = await sql<{ orgId: string; id: string; version: number }[]>`
  select org_id as "orgId", id, version from webhooks`
const receivers = new Map(rows.map((row) => [row.id, row]))

const server = createServer((request, response) => {
  // A client that leaves in the middle, as they all do when a round ends, is no reason to end.
  answer(request, response).catch(() => response.destroy())
})

async function answer(request: IncomingMessage, response: ServerResponse) {
  const receiver = receivers.get(request.url!.split('/').at(-1)!)!
  const payload = JSON.parse(await text(request))
  const kept = await insertReceived(sql, receiver.orgId, receiver, {
    id: newId(),
    type: payload.type,
    externalId: payload.id,
    verification: { scheme: 'secret', result: 'valid', reason: null },
    payload,
    headers: request.headers as Record<string, string>,
    now: new Date(),
  })
  response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(kept))
}

server.listen(0, '127.0.0.1', () =>
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.on('SIGTERM', () => process.exit(0))
