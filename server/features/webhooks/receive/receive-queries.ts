import { REPETITION_TIMES_MAX } from '../../../../contract/webhooks/repetitions.ts'
import type { Sql } from '../../../database/database.ts'
import { notifyEvent } from '../../../events/publish.ts'
import { insertIntoLog } from '../../../inbound/event-log.ts'
import { type InboundEvent, type StoredEvent, storeEvents } from '../../../inbound/store-event.ts'
import type { SealedSecrets } from '../secrets.ts'

export interface ReceiverRow extends SealedSecrets {
  secretHash: Uint8Array
  previousSecretHash: Uint8Array | null
  orgId: string
  source: string
  scheme: string
  status: 'active' | 'paused' | 'disabled'
  version: number
  dedupWindowSeconds: number
}

export const receiverColumns = (sql: Sql) => sql`
  w.org_id as "orgId", w.id, w.source, w.scheme, w.status, w.version, w.dedup_window_seconds as "dedupWindowSeconds",
  w.secret_sealed as "secretSealed",
  w.secret_hash as "secretHash", w.previous_secret_sealed as "previousSecretSealed",
  w.previous_secret_hash as "previousSecretHash", w.previous_secret_until as "previousSecretUntil"`

/** Finds a webhook and its tenant by the id in its public URL: a sender sends no other id. Outgoing ones have no URL. */
export async function findReceiver(sql: Sql, id: string) {
  const [row] = await sql<
    ReceiverRow[]
  >`select ${receiverColumns(sql)} from webhooks w where w.id = ${id} and w.receives`
  return row ?? null
}

/** Like `findReceiver`, for a member of the organization. */
export async function findReceiverOf(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<ReceiverRow[]>`
    select ${receiverColumns(sql)} from webhooks w where w.org_id = ${orgId} and w.id = ${id}`
  return row ?? null
}

const DEDUPLICATION_DAYS = 7

/** The events, with a delivery where the webhook forwards; null where the webhook is no longer at this version. */
export const insertReceived = (
  sql: Sql,
  orgId: string,
  events: InboundEvent[],
): Promise<(StoredEvent | null)[]> =>
  storeEvents(sql, orgId, events, {
    receiver: sql`
      select * from webhooks w where w.org_id = ${orgId} and w.id = i.receiver_id and w.version = i.version for key share`,
    columns: sql`w.org_id, w.id, w.source, w.url, w.paused_reason, case when not event_matches(w.events, i.type) then 'filtered'
      when w.status = 'paused' and w.paused_reason is distinct from 'backlog' then 'held' else 'received' end as verdict`,
    seen: { table: 'webhook_seen', receiver: 'webhook_id', days: DEDUPLICATION_DAYS },
    insert: insertIntoLog(sql),
    effects: sql`, delivery as (
      insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, next_attempt_at,
        trigger, created_at)
      select e.org_id, new_id(r.now), e.id, r.type, 'inbound', r.id, r.url,
        case e.status when 'held' then 'held' else 'pending' end, case e.status when 'received' then r.now end, 'scheduled',
        r.now
      from event e join receiver r on r.event_id = e.id where r.url is not null and e.status <> 'filtered'
        and r.paused_reason is distinct from 'backlog'
      returning status
    ), repetition as (
      insert into event_repetitions as p (org_id, event_id, count, times)
      select r.org_id, seen.event_id, 1, array[r.now]
      from receiver r join seen on seen.receiver_id = r.id and seen.external_id = r.key
      where seen.event_id <> r.event_id order by seen.event_id
      on conflict (org_id, event_id) do update set count = p.count + 1,
        times = (p.times || excluded.times)[greatest(cardinality(p.times) + 2 - ${REPETITION_TIMES_MAX}::int, 1):]
    )`,
    statusBefore: sql`(select first.status from events first where first.org_id = ${orgId} and first.id = seen.event_id)`,
    isWorkDue: sql`exists (select from delivery where status = 'pending')`,
    announce: (isWorkDue) => notifyEvent(sql, orgId, { hasDeliveries: isWorkDue }),
  })
