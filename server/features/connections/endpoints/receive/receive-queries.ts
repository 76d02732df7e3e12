import type { Fragment, Sql } from '../../../../database/database.ts'
import { notify } from '../../../../database/transaction.ts'
import type { Receiver } from '../../../../inbound/receiver.ts'
import {
  type InboundEvent,
  type Refusal,
  type StoredEvent,
  storeEvents,
} from '../../../../inbound/store-event.ts'
import { countEventCte } from '../../../../metering/usage-queries.ts'
import { newId } from '../../../../security/ids.ts'

/** Wakes the workers that handle provider events. */
export const EVENTS_CHANNEL = 'atrium_connector_events'
const DEDUPLICATION_DAYS = 30

export interface ReceiverRow {
  orgId: string
  id: string
  connectionId: string
  slug: string
  version: number
  events: string[]
  sessionKey: string
  filter: string | null
  fields: Record<string, string>
  secretSealed: string
  hasProofSecret: boolean
  kept: Record<string, string>
  account: { id: string | null } | null
}

const columns = (sql: Sql): Fragment => sql`
  org_id as "orgId", id, connection_id as "connectionId", connector_slug as slug, version, events,
  session_key as "sessionKey", filter, fields, secret_sealed as "secretSealed", has_proof_secret as "hasProofSecret", kept,
  account`

/** A provider has only this id, so the lookup finds the tenant. */
export async function findReceiver(sql: Sql, id: string): Promise<ReceiverRow | null> {
  const [row] = await sql<ReceiverRow[]>`select ${columns(sql)} from connector_receivers where id = ${id}`
  return row ?? null
}

/** For an organization's worker. */
export async function findOrgReceiver(sql: Sql, orgId: string, id: string): Promise<ReceiverRow | null> {
  const [row] = await sql<ReceiverRow[]>`
    select ${columns(sql)} from connector_receivers where org_id = ${orgId} and id = ${id}`
  return row ?? null
}

/** Locks threads before counts, as workers do, and both in order, so that statements never deadlock. */
export const insertEvents = (
  sql: Sql,
  orgId: string,
  events: InboundEvent[],
): Promise<(StoredEvent | null)[]> =>
  storeEvents(sql, orgId, events, {
    // The view would also lock the connection, which all its endpoints' events would then write.
    receiver: sql`
      select e.org_id, e.id from connector_endpoints e
      join connections c on c.org_id = e.org_id and c.id = e.connection_id and c.deleted_at is null
      where e.org_id = ${orgId} and e.id = i.receiver_id and e.version + c.generation = i.version and e.deleted_at is null
      for key share of e`,
    columns: sql`w.org_id, w.id, i.details ->> 'status' as verdict`,
    seen: {
      table: 'connector_seen',
      receiver: 'endpoint_id',
      days: DEDUPLICATION_DAYS,
      onRepeat: (isExpired) => sql`, duplicates = case when ${isExpired} then 0 else s.duplicates + 1 end`,
    },
    insert: sql`
      event as (
        insert into connector_events (org_id, endpoint_id, id, event_key, external_id, seen_key, status, reason, thread,
          record, body, headers, received_at, finished_at, trace)
        select r.org_id, r.id, r.event_id, r.type, r.external_id, nullif(r.key, r.external_id), r.verdict,
          r.details ->> 'reason', r.details ->> 'thread', r.details -> 'record',
          case when r.body <> '' then decode(r.body, 'base64') end, r.headers, r.now,
          case when r.verdict = 'ignored' then r.now end, r.trace
        from receiver r join seen on seen.event_id = r.event_id
        returning org_id, endpoint_id, id, status, thread, received_at
      )`,
    effects: sql`, thread as (
        insert into connector_threads as t (org_id, endpoint_id, thread, due_at, changed_at)
        select e.org_id, e.endpoint_id, e.thread, min(e.received_at), max(e.received_at) from event e
        where e.status = 'pending' group by e.org_id, e.endpoint_id, e.thread
        order by e.endpoint_id, e.thread collate "C"
        on conflict (org_id, endpoint_id, thread) do update set
          due_at = coalesce(t.due_at, excluded.due_at), changed_at = excluded.changed_at
        returning t.thread
      ), counted as (
        insert into connector_counts as n (org_id, endpoint_id, received, duplicates, ignored, last_received_at)
        select r.org_id, r.id, count(e.id), count(*) - count(e.id), count(*) filter (where e.status = 'ignored'), max(r.now)
        from receiver r left join event e on e.id = r.event_id
        where (select count(*) from thread) >= 0 group by r.org_id, r.id order by r.id
        on conflict (org_id, endpoint_id) do update set
          received = n.received + excluded.received, duplicates = n.duplicates + excluded.duplicates,
          ignored = n.ignored + excluded.ignored, last_received_at = excluded.last_received_at
      )`,
    statusBefore: sql`(
      select first.status from connector_events first
      where first.org_id = ${orgId} and first.endpoint_id = seen.receiver_id and first.id = seen.event_id)`,
    isWorkDue: sql`exists (select from thread)`,
    announce: (isWorkDue) => {
      if (isWorkDue) wakeEventWorkers(sql)
    },
  })

export const wakeEventWorkers = (sql: Sql): void => notify(sql, EVENTS_CHANNEL)

export async function insertRefusal(
  sql: Sql,
  orgId: string,
  { id }: Pick<Receiver, 'id'>,
  { verification, headers, now }: Refusal,
): Promise<void> {
  const eventId = newId()
  await sql`
    with event as (
      insert into connector_events (org_id, endpoint_id, id, event_key, external_id, status, reason, headers, received_at,
        finished_at)
      values (${orgId}, ${id}, ${eventId}, 'unknown', ${eventId}, 'rejected', ${verification.reason}, ${sql.json(headers)},
        ${now}, ${now})
      returning org_id
    ), ${countEventCte(sql)}
    insert into connector_counts as n (org_id, endpoint_id, rejected) values (${orgId}, ${id}, 1)
    on conflict (org_id, endpoint_id) do update set rejected = n.rejected + 1`
}

/** Unless there is one, or the window closed. */
export async function updateProofSecret(
  sql: Sql,
  orgId: string,
  id: string,
  sealed: string,
  now: Date,
): Promise<boolean> {
  const { count } = await sql`
    update connector_endpoints set secret_sealed = ${sealed}, has_proof_secret = true, secret_until = null,
      version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id = ${id} and not has_proof_secret and secret_until > ${now} and deleted_at is null`
  return count === 1
}
