import type { Fragment, Sql } from '../../../database/database.ts'
import type { Claimed } from '../deliver/delivery-queries.ts'
import { columns, type EventRow, toSend } from './event-records.ts'
import type { LogCursor } from './log-cursor.ts'

/** What there is to read from a place on, so many at once. */
export interface Reading extends LogCursor {
  upTo: string
  /** Nothing older than this, whatever the place says. */
  since: Date
}

export const AT_ONCE_MAX = 100

/** What has been committed by now, as the database writes it down. */
export async function findPresent(sql: Sql): Promise<string> {
  const [row] = await sql<{ present: string }[]>`select pg_current_snapshot()::text as present`
  return row!.present
}

export async function isListening(sql: Sql, orgId: string, webhookId: string): Promise<boolean> {
  const rows = await sql`
    select from webhooks where org_id = ${orgId} and id = ${webhookId} and status <> 'disabled'`
  return rows.length > 0
}

interface Numbered {
  recordedIn: string
}

/** Of the organization, or of one webhook: what it received and what it was to forward. */
export async function listEventsToTell(sql: Sql, orgId: string, webhookId: string | null, reading: Reading) {
  const ofWebhook = sql`and (e.webhook_id = ${webhookId}::uuid or exists (
    select from deliveries d where d.org_id = e.org_id and d.event_id = e.id and d.webhook_id = ${webhookId}::uuid))`
  return sql<(EventRow & Numbered)[]>`
    select ${columns(sql)}, e.recorded_in::text as "recordedIn" from events e
    left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and ${isNew(sql, reading)} ${webhookId === null ? sql`` : ofWebhook}
    order by e.recorded_in, e.id limit ${AT_ONCE_MAX}`
}

/** What a webhook would forward if its address were the caller's machine, whether it has another one or none. */
export async function listEventsToForward(sql: Sql, orgId: string, webhookId: string, reading: Reading) {
  return sql<(Omit<Claimed, 'trigger' | 'failingSince'> & Numbered)[]>`
    select e.org_id as "orgId", e.id, w.id as "webhookId", '' as url, 1 as attempt, e.recorded_in::text as "recordedIn",
      w.secret_sealed as "secretSealed", w.previous_secret_sealed as "previousSecretSealed",
      w.previous_secret_until as "previousSecretUntil", ${toSend(sql)} as event
    from webhooks w join events e on e.org_id = w.org_id and (
      (e.webhook_id = w.id and e.status not in ('filtered', 'rejected'))
      or (e.webhook_id is null and w.source = 'custom' and event_matches(w.events, e.type)))
    where w.org_id = ${orgId} and w.id = ${webhookId} and w.status <> 'disabled' and ${isNew(sql, reading)}
    order by e.recorded_in, e.id limit ${AT_ONCE_MAX}`
}

const isNew = (sql: Sql, { seen, upTo, after, since }: Reading): Fragment => sql`
  e.recorded_in >= pg_snapshot_xmin(${seen}::pg_snapshot)
  and not pg_visible_in_snapshot(e.recorded_in, ${seen}::pg_snapshot)
  and pg_visible_in_snapshot(e.recorded_in, ${upTo}::pg_snapshot) and e.received_at >= ${since}
  ${after === null ? sql`` : sql`and (e.recorded_in, e.id) > (${after.recordedIn}::xid8, ${after.id}::uuid)`}`
