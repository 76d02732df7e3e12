import type { IncomingMessage } from 'node:http'
import { openDatabase } from '../../server/database/database.ts'
import { extractEvent } from '../../server/features/webhooks/receive/parse-request.ts'
import { redactHeaders } from '../../server/inbound/sanitize.ts'
import { newId } from '../../server/security/ids.ts'
import { acceptedSchemes } from '../../server/signatures/signature-schemes.ts'
import { verify } from '../../server/signatures/verify.ts'
import { startFloor } from './server.ts'

/**
 * The smallest receiver: one statement and one durable commit per event, and only the checks every receiver needs.
 * Webhooks are in memory, with ten connections. Routing, metrics, quotas and turns between organizations count as the
 * subject's cost.
 */
const sql = openDatabase(JSON.parse(process.argv[2]!), 'floor')
const rows = await sql<{ orgId: string; id: string; version: number; secretHash: Uint8Array }[]>`
  select org_id as "orgId", id, version, secret_hash as "secretHash" from webhooks`
const receivers = new Map(rows.map((row) => [row.id, row]))
const schemes = acceptedSchemes('auto')

async function respond(request: IncomingMessage) {
  const { orgId, id, version, secretHash } = receivers.get(request.url!.split('/').at(-1)!)!
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const headers = request.headers as Record<string, string>
  const secrets = [{ text: headers.authorization!.slice('Bearer '.length), hash: secretHash }]
  const now = new Date()
  const { scheme } = verify(schemes, { url: '', headers, body }, secrets, now)
  const { type, externalId, deduplicationKey } = extractEvent({
    headers,
    body,
    scheme: scheme!,
    source: 'custom',
    dedupWindowSeconds: 600,
  })
  const verification = { scheme: scheme!.name, result: 'valid', reason: null }
  const eventId = newId()
  const [stored] = await sql<{ eventId: string }[]>`
    with receiver as (
      select * from webhooks where org_id = ${orgId} and id = ${id} and version = ${version} for key share
    ), seen as (
      insert into webhook_seen as s (org_id, webhook_id, external_id, event_id, seen_at)
      select r.org_id, r.id, ${deduplicationKey}, ${eventId}::uuid, ${now} from receiver r
      on conflict (org_id, webhook_id, external_id) do update set event_id = s.event_id
      returning event_id
    ), event as (
      insert into events (org_id, id, webhook_id, direction, type, source, external_id, status, verification, body,
        headers, received_at)
      select r.org_id, ${eventId}, r.id, 'inbound', ${type}, r.source, ${externalId}, 'received',
        ${sql.json(verification)}, ${body}, ${sql.json(redactHeaders(headers, secrets))}, ${now}
      from receiver r join seen on seen.event_id = ${eventId}::uuid
      returning org_id
    ), event_count as (insert into quota_usage (org_id, quota, amount) select org_id, 'events', 1 from event)
    select event_id as "eventId" from seen`
  return { status: 202, body: stored }
}

startFloor(respond)
