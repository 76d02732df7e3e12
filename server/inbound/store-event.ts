import type { Fragment, Sql } from '../database/database.ts'
import { type InsertedEvent, notifyEvent, notifyEventStreams } from '../events/publish.ts'
import { countEventCte } from '../quotas/usage-queries.ts'
import { newId } from '../security/ids.ts'
import type { Receiver } from './receiver.ts'

export interface Verification {
  scheme: string | null
  result: 'valid' | 'invalid' | 'none'
  reason: string | null
}

export interface InboundEvent {
  id: string
  type: string
  /** The id that the sender assigned, for people who look for it. */
  externalId: string
  /** Identifies the event among those of its receiver: a repeated one is a duplicate. */
  deduplicationKey: string
  verification: Verification
  /** As it was received. */
  body: Uint8Array
  headers: Record<string, string>
  now: Date
}

/** Where a feature stores what it receives, as parts of one statement. */
export interface EventStore {
  /**
   * Selects and locks (`for key share`) the receiver, with `org_id`, `id`, `source` and the `verdict` that becomes the
   * status of the event. No row if the receiver is no longer at the version that verified the request.
   */
  receiver: Fragment
  /** The table of ids that were received; `receiver` is the column with the id of the receiver. */
  seen: { table: string; receiver: string; days: number }
  /** `, name as (…)`: what follows from a new event. Reads `receiver` and `event`. */
  effects: Fragment
  /** Whether deliveries are to be attempted now. */
  hasDeliveries: Fragment
}

export interface StoredEvent {
  eventId: string
  status: 'received' | 'filtered' | 'held'
  isDuplicate: boolean
}

/**
 * Stores the event, its external id and its effects in one statement, and notifies. Of an event that is received twice
 * the first one is stored, also when both arrive at once. Null if the receiver has changed.
 */
export async function storeEvent(
  sql: Sql,
  orgId: string,
  event: InboundEvent,
  { receiver, seen, effects, hasDeliveries }: EventStore,
): Promise<StoredEvent | null> {
  const { id, type, externalId, deduplicationKey, verification, body, headers, now } = event
  const receiverColumn = sql(seen.receiver)
  const expired = sql`s.seen_at < ${now}::timestamptz - make_interval(days => ${seen.days}::int)`
  const [row] = await sql<(Omit<StoredEvent, 'isDuplicate'> & InsertedEvent)[]>`
    with receiver as (${receiver}), seen as (
      insert into ${sql(seen.table)} as s (org_id, ${receiverColumn}, external_id, event_id, seen_at)
      select r.org_id, r.id, ${deduplicationKey}, ${id}::uuid, ${now} from receiver r
      on conflict (org_id, ${receiverColumn}, external_id) do update set
        event_id = case when ${expired} then excluded.event_id else s.event_id end,
        seen_at = case when ${expired} then excluded.seen_at else s.seen_at end
      returning event_id
    ), event as (
      insert into events (org_id, id, webhook_id, direction, type, source, external_id, status, verification, body,
        headers, received_at)
      select r.org_id, ${id}, r.id, 'inbound', ${type}, r.source, ${externalId}, r.verdict,
        ${sql.json(verification as never)}, ${body}, ${sql.json(headers)}, ${now}
      from receiver r join seen on seen.event_id = ${id}::uuid
      returning org_id, id, status
    ), ${countEventCte(sql)} ${effects}
    select seen.event_id as "eventId",
      coalesce((select status from event), (select first.status from events first
        where first.org_id = ${orgId} and first.id = seen.event_id), 'received') as status,
      ${hasDeliveries} as "hasDeliveries"
    from seen`
  if (!row) return null
  const isDuplicate = row.eventId !== id
  if (!isDuplicate) notifyEvent(sql, orgId, row)
  const status = ['filtered', 'held'].includes(row.status) ? row.status : 'received'
  return { eventId: row.eventId, status, isDuplicate }
}

export interface Refusal {
  verification: Verification
  headers: Record<string, string>
  now: Date
}

/** Without the body, which is not authenticated. */
export async function insertRefusal(
  sql: Sql,
  orgId: string,
  { id, source }: Pick<Receiver, 'id' | 'source'>,
  { verification, headers, now }: Refusal,
): Promise<void> {
  await sql`
    with event as (
      insert into events (org_id, id, webhook_id, direction, type, source, status, verification, headers, received_at)
      values (${orgId}, ${newId()}, ${id}, 'inbound', 'unknown', ${source}, 'rejected', ${sql.json(verification as never)},
        ${sql.json(headers)}, ${now})
      returning org_id
    ), ${countEventCte(sql)}
    select`
  notifyEventStreams(sql, orgId)
}
