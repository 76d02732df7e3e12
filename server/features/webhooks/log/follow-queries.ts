import type { Fragment, Sql } from '../../../database/database.ts'
import type { ClaimedDelivery } from '../deliver/delivery-queries.ts'
import { columns, deliveredEvent, type EventRow } from './event-records.ts'
import type { LogCursor } from './log-cursor.ts'

/** The part of the log after a cursor. */
export interface LogRange extends LogCursor {
  upTo: string
  /** Older events are left out, even if they are after the cursor. */
  since: Date
}

export const BATCH_MAX = 100

/** The transactions that are committed now, in the text format of PostgreSQL. */
export async function findCommittedSnapshot(sql: Sql): Promise<string> {
  const [row] = await sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`
  return row!.snapshot
}

export async function isWebhookEnabled(sql: Sql, orgId: string, webhookId: string): Promise<boolean> {
  const rows = await sql`
    select from webhooks where org_id = ${orgId} and id = ${webhookId} and status <> 'disabled'`
  return rows.length > 0
}

interface RecordedEvent {
  recordedIn: string
}

/** Events of the organization, or of one webhook: those it received and those it forwards. */
export async function listLoggedEvents(sql: Sql, orgId: string, webhookId: string | null, range: LogRange) {
  const ofWebhook = sql`and (e.webhook_id = ${webhookId}::uuid or exists (
    select from deliveries d where d.org_id = e.org_id and d.event_id = e.id and d.webhook_id = ${webhookId}::uuid))`
  return sql<(EventRow & RecordedEvent)[]>`
    select ${columns(sql)}, e.recorded_in::text as "recordedIn" from events e
    left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and ${isInRange(sql, range)} ${webhookId === null ? sql`` : ofWebhook}
    order by e.recorded_in, e.id limit ${BATCH_MAX}`
}

/** The events that a webhook would forward if its URL were the caller's machine, instead of its own URL. */
export async function listForwardedEvents(sql: Sql, orgId: string, webhookId: string, range: LogRange) {
  return sql<(Omit<ClaimedDelivery, 'trigger' | 'failingSince'> & RecordedEvent)[]>`
    select e.org_id as "orgId", e.id, w.id as "webhookId", '' as url, 1 as attempt, e.recorded_in::text as "recordedIn",
      w.secret_sealed as "secretSealed", w.previous_secret_sealed as "previousSecretSealed",
      w.previous_secret_until as "previousSecretUntil", ${deliveredEvent(sql)} as event, e.body
    from webhooks w join events e on e.org_id = w.org_id and (
      (e.webhook_id = w.id and e.status not in ('filtered', 'rejected'))
      or (e.webhook_id is null and w.source = 'custom' and event_matches(w.events, e.type)))
    where w.org_id = ${orgId} and w.id = ${webhookId} and w.status <> 'disabled' and ${isInRange(sql, range)}
    order by e.recorded_in, e.id limit ${BATCH_MAX}`
}

const isInRange = (sql: Sql, { seen, upTo, after, since }: LogRange): Fragment => sql`
  e.recorded_in >= pg_snapshot_xmin(${seen}::pg_snapshot)
  and not pg_visible_in_snapshot(e.recorded_in, ${seen}::pg_snapshot)
  and pg_visible_in_snapshot(e.recorded_in, ${upTo}::pg_snapshot) and e.received_at >= ${since}
  ${after === null ? sql`` : sql`and (e.recorded_in, e.id) > (${after.recordedIn}::xid8, ${after.id}::uuid)`}`
