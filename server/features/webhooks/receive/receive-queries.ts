import type { Sql } from '../../../database/database.ts'
import { notifyEventStreams } from '../../../events/publish.ts'
import type { KeptSecrets } from '../secrets.ts'

export interface ReceiverRow extends KeptSecrets {
  secretHash: Uint8Array
  previousSecretHash: Uint8Array | null
  orgId: string
  source: string
  status: 'active' | 'paused' | 'disabled'
  version: number
}

const columns = (sql: Sql) => sql`
  w.org_id as "orgId", w.id, w.source, w.status, w.version, w.secret_sealed as "secretSealed",
  w.secret_hash as "secretHash", w.previous_secret_sealed as "previousSecretSealed",
  w.previous_secret_hash as "previousSecretHash", w.previous_secret_until as "previousSecretUntil"`

/** By the public address alone, which is how senders know it: the tenant is what this finds out. */
export async function findReceiver(sql: Sql, id: string) {
  const [row] = await sql<ReceiverRow[]>`select ${columns(sql)} from webhooks w where w.id = ${id}`
  return row ?? null
}

/** The same for those who are in an organization already. */
export async function findReceiverOf(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<ReceiverRow[]>`
    select ${columns(sql)} from webhooks w where w.org_id = ${orgId} and w.id = ${id}`
  return row ?? null
}

/** Of all tenants: which of them a sender with one address for all means is told by the secret it signed with. */
export const listReceiversOf = (sql: Sql, source: string) =>
  sql<ReceiverRow[]>`
    select ${columns(sql)} from webhooks w where w.source = ${source} and w.status <> 'disabled' order by w.id`

export interface Received {
  id: string
  type: string
  externalId: string
  verification: { scheme: string | null; result: string; reason: string | null }
  payload: unknown
  headers: Record<string, string>
  now: Date
}

export interface Kept {
  eventId: string
  status: 'received' | 'filtered' | 'held'
  isToDeliver: boolean
}

/**
 * The event, its delivery, and the note that it was seen, in one statement; of the same event twice the first counts,
 * also when both arrive at once. Null if the webhook is not at this version any more.
 */
export async function insertReceived(
  sql: Sql,
  orgId: string,
  { id: webhookId, version }: Pick<ReceiverRow, 'id' | 'version'>,
  event: Received,
): Promise<Kept | null> {
  const { id, type, externalId, verification, payload, headers, now } = event
  const [row] = await sql<Kept[]>`
    with w as (
      select *, case when not event_matches(events, ${type}) then 'filtered'
        when status = 'paused' then 'held' else 'received' end as verdict
      from webhooks where org_id = ${orgId} and id = ${webhookId} and version = ${version}
      for key share
    ), seen as (
      insert into webhook_seen as s (org_id, webhook_id, external_id, event_id, seen_at)
      select w.org_id, w.id, ${externalId}, ${id}::uuid, ${now} from w
      on conflict (org_id, webhook_id, external_id) do update set
        event_id = case when s.seen_at < ${now}::timestamptz - interval '7 days' then excluded.event_id else s.event_id end,
        seen_at = case when s.seen_at < ${now}::timestamptz - interval '7 days' then excluded.seen_at else s.seen_at end
      returning event_id
    ), e as (
      insert into events (org_id, id, webhook_id, direction, type, source, external_id, status, verification, payload,
        headers, received_at)
      select w.org_id, ${id}, w.id, 'inbound', ${type}, w.source, ${externalId}, w.verdict,
        ${sql.json(verification)}, ${sql.json(payload as never)}, ${sql.json(headers)}, ${now}
      from w join seen on seen.event_id = ${id}::uuid
      returning org_id, id, status
    ), d as (
      insert into deliveries (org_id, id, event_id, webhook_id, url, status, next_attempt_at, trigger, created_at)
      select e.org_id, new_id(${now}), e.id, w.id, w.url, case e.status when 'held' then 'held' else 'pending' end,
        case e.status when 'received' then ${now}::timestamptz end, 'scheduled', ${now}
      from e, w where w.url is not null and e.status <> 'filtered'
      returning id
    )
    select seen.event_id as "eventId",
      coalesce((select status from e), (select first.status from events first
        where first.org_id = ${orgId} and first.id = seen.event_id), 'received') as status,
      exists (select from d) and exists (select from e where e.status = 'received') as "isToDeliver"
    from seen`
  if (!row) return null
  return { ...row, status: ['filtered', 'held'].includes(row.status) ? row.status : 'received' }
}

export interface Rejected extends Pick<Received, 'id' | 'verification' | 'headers' | 'now'> {
  webhookId: string
  source: string
}

/** Without its body: nobody has vouched for it. */
export async function insertRejected(sql: Sql, orgId: string, rejected: Rejected): Promise<void> {
  const { id, webhookId, source, verification, headers, now } = rejected
  await sql`
    insert into events (org_id, id, webhook_id, direction, type, source, status, verification, headers, received_at)
    values (${orgId}, ${id}, ${webhookId}, 'inbound', 'unknown', ${source}, 'rejected', ${sql.json(verification)},
      ${sql.json(headers)}, ${now})`
  notifyEventStreams(sql, orgId)
}
