import type { Sql } from '../../../database/database.ts'
import { type InboundEvent, type StoredEvent, storeEvent } from '../../../inbound/store-event.ts'
import type { SealedSecrets } from '../secrets.ts'

export interface ReceiverRow extends SealedSecrets {
  secretHash: Uint8Array
  previousSecretHash: Uint8Array | null
  orgId: string
  source: string
  scheme: string
  status: 'active' | 'paused' | 'disabled'
  version: number
}

export const receiverColumns = (sql: Sql) => sql`
  w.org_id as "orgId", w.id, w.source, w.scheme, w.status, w.version, w.secret_sealed as "secretSealed",
  w.secret_hash as "secretHash", w.previous_secret_sealed as "previousSecretSealed",
  w.previous_secret_hash as "previousSecretHash", w.previous_secret_until as "previousSecretUntil"`

/** By the id in its public URL, which is all a sender has: this lookup finds the tenant. */
export async function findReceiver(sql: Sql, id: string) {
  const [row] = await sql<ReceiverRow[]>`select ${receiverColumns(sql)} from webhooks w where w.id = ${id}`
  return row ?? null
}

/** The same for a member of the organization. */
export async function findReceiverOf(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<ReceiverRow[]>`
    select ${receiverColumns(sql)} from webhooks w where w.org_id = ${orgId} and w.id = ${id}`
  return row ?? null
}

const DEDUPLICATION_DAYS = 7

/** The event, with a delivery where the webhook forwards; null if the webhook is no longer at this version. */
export const insertReceived = (
  sql: Sql,
  orgId: string,
  { id, version }: Pick<ReceiverRow, 'id' | 'version'>,
  event: InboundEvent,
): Promise<StoredEvent | null> =>
  storeEvent(sql, orgId, event, {
    receiver: sql`
      select *, case when not event_matches(events, ${event.type}) then 'filtered'
        when status = 'paused' then 'held' else 'received' end as verdict
      from webhooks where org_id = ${orgId} and id = ${id} and version = ${version}
      for key share`,
    seen: { table: 'webhook_seen', receiver: 'webhook_id', days: DEDUPLICATION_DAYS },
    effects: sql`, delivery as (
      insert into deliveries (org_id, id, event_id, webhook_id, url, status, next_attempt_at, trigger, created_at)
      select e.org_id, new_id(${event.now}), e.id, r.id, r.url, case e.status when 'held' then 'held' else 'pending' end,
        case e.status when 'received' then ${event.now}::timestamptz end, 'scheduled', ${event.now}
      from event e, receiver r where r.url is not null and e.status <> 'filtered'
      returning status
    )`,
    hasDeliveries: sql`exists (select from delivery where status = 'pending')`,
  })
