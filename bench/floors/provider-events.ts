import type { IncomingMessage } from 'node:http'
import { openDatabase } from '../../server/database/database.ts'
import { telegramReceiver } from '../../server/features/connections/connectors/catalog/messaging/telegram.ts'
import { openSecrets, toSecret } from '../../server/features/connections/endpoints/secrets.ts'
import { redactHeaders } from '../../server/inbound/sanitize.ts'
import { newId } from '../../server/security/ids.ts'
import { createVault } from '../../server/security/vault.ts'
import { TELEGRAM } from '../../server/signatures/signature-schemes.ts'
import { verify } from '../../server/signatures/verify.ts'
import { SECRET } from '../secret.ts'
import { startFloor } from './server.ts'

/**
 * The smallest receiver: one statement and one durable commit per event, and only the checks every receiver needs.
 * Endpoints are in memory, with ten connections. No routing, metrics, quotas or turns between organizations.
 */
const sql = openDatabase(JSON.parse(process.argv[2]!), 'floor')
const vault = createVault(SECRET)
const rows = await sql<{ orgId: string; id: string; version: number; sealed: string }[]>`
  select org_id as "orgId", id, version, secret_sealed as sealed from connector_endpoints`
const receivers = new Map(
  rows.map(({ sealed, ...row }) => [
    row.id,
    { ...row, secret: toSecret(openSecrets(vault, row.id, sealed)!.generated) },
  ]),
)

async function respond(request: IncomingMessage) {
  const { orgId, id, version, secret } = receivers.get(request.url!.split('/').at(-1)!)!
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const headers = request.headers as Record<string, string>
  const secrets = [secret]
  const now = new Date()
  const { valid } = verify([TELEGRAM], { url: '', headers, body }, secrets, now)
  if (!valid) return { status: 401, body: {} }
  const content = { headers, body: JSON.parse(body.toString()), account: { id: null }, kept: {} }
  const [record] = telegramReceiver.normalize(content)
  const { eventKey, externalId, thread } = record!
  const eventId = newId()
  await sql`
    with receiver as (
      select * from connector_endpoints where org_id = ${orgId} and id = ${id} and version = ${version} for key share
    ), seen as (
      insert into connector_seen as s (org_id, endpoint_id, external_id, event_id, seen_at)
      select r.org_id, r.id, ${externalId}, ${eventId}::uuid, ${now} from receiver r
      on conflict (org_id, endpoint_id, external_id) do update set duplicates = s.duplicates + 1
      returning event_id
    ), event as (
      insert into connector_events (org_id, endpoint_id, id, event_key, external_id, status, thread, record, body, headers,
        received_at)
      select r.org_id, r.id, ${eventId}, ${eventKey}, ${externalId}, 'pending', ${thread}, ${sql.json(record as never)},
        ${body}, ${sql.json(redactHeaders(headers, secrets))}, ${now}
      from receiver r join seen on seen.event_id = ${eventId}::uuid
      returning org_id
    ), thread as (
      insert into connector_threads as t (org_id, endpoint_id, thread, due_at, changed_at)
      select r.org_id, r.id, ${thread}, ${now}, ${now} from receiver r
      on conflict (org_id, endpoint_id, thread) do update set due_at = coalesce(t.due_at, excluded.due_at)
    ), counted as (
      update connector_counts set received = received + 1 where org_id = ${orgId} and endpoint_id = ${id}
    )
    insert into quota_usage (org_id, quota, amount) select org_id, 'events', 1 from event`
  return { status: 200, body: {} }
}

startFloor(respond)
