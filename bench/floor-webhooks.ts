import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from '../server/database/database.ts'
import { extractEvent } from '../server/features/webhooks/receive/parse-request.ts'
import { insertReceived } from '../server/features/webhooks/receive/receive-queries.ts'
import { redactHeaders } from '../server/inbound/sanitize.ts'
import { newId } from '../server/security/ids.ts'
import { acceptedSchemes } from '../server/signatures/signature-schemes.ts'
import { verify } from '../server/signatures/verify.ts'

/**
 * The smallest program that stores a received event: the same statement and no framework. It verifies the secret, hashes
 * the body to recognize a repeated event and removes secrets from the headers, as every receiver must.
 */
const sql = openDatabase(JSON.parse(process.argv[2]!), 'floor')
const rows = await sql<{ orgId: string; id: string; version: number; secretHash: Uint8Array }[]>`
  select org_id as "orgId", id, version, secret_hash as "secretHash" from webhooks`
const receivers = new Map(rows.map((row) => [row.id, row]))
const schemes = acceptedSchemes('auto')

const server = createServer((request, response) => {
  // Clients disconnect in the middle of a request when a round ends; that must not end the process.
  respond(request, response).catch(() => response.destroy())
})

async function respond(request: IncomingMessage, response: ServerResponse) {
  const receiver = receivers.get(request.url!.split('/').at(-1)!)!
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const headers = request.headers as Record<string, string>
  const secrets = [{ text: headers.authorization!.slice('Bearer '.length), hash: receiver.secretHash }]
  const { scheme } = verify(schemes, { url: '', headers, body }, secrets, new Date())
  const stored = await insertReceived(sql, receiver.orgId, receiver, {
    id: newId(),
    ...extractEvent({ headers, body, scheme: scheme!, source: 'custom' }),
    verification: { scheme: scheme!.name, result: 'valid', reason: null },
    body,
    headers: redactHeaders(headers, secrets),
    now: new Date(),
  })
  response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(stored))
}

server.listen(0, '127.0.0.1', () =>
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.on('SIGTERM', () => process.exit(0))
