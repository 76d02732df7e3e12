import type { Fragment, Sql } from '../../../database/database.ts'
import type { Vault } from '../../../security/vault.ts'
import type { ClaimedDelivery } from '../deliver/claim.ts'
import { columns, deliveredEvent, type EventRow } from '../event-records.ts'

export interface LogRange extends LogCursor {
  upTo: string
  /** Omits older events, even after the cursor. */
  since: Date
}

export const BATCH_MAX = 100

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

/** Received and forwarded. */
export async function listLoggedEvents(sql: Sql, orgId: string, webhookId: string | null, range: LogRange) {
  const ofWebhook = sql`and (e.webhook_id = ${webhookId}::uuid or exists (
    select from deliveries d where d.org_id = e.org_id and d.event_id = e.id and d.webhook_id = ${webhookId}::uuid))`
  return sql<(EventRow & RecordedEvent)[]>`
    select ${columns(sql)}, e.recorded_in::text as "recordedIn" from events e
    left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and ${isInRange(sql, range)} ${webhookId === null ? sql`` : ofWebhook}
    order by e.recorded_in, e.id limit ${BATCH_MAX}`
}

/** As if the webhook's URL were the caller's machine. */
export async function listForwardedEvents(sql: Sql, orgId: string, webhookId: string, range: LogRange) {
  return sql<(Omit<ClaimedDelivery, 'trigger' | 'failingSince'> & RecordedEvent)[]>`
    select e.org_id as "orgId", e.id, w.id as "webhookId", '' as url, 1 as attempt, e.recorded_in::text as "recordedIn",
      w.secret_sealed as "secretSealed", w.previous_secret_sealed as "previousSecretSealed",
      w.previous_secret_until as "previousSecretUntil", ${deliveredEvent(sql, sql`w.created_by`)} as event, e.body
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

/**
 * Every event committed in snapshot `seen`, plus those in snapshot `upTo` through `after`. Transactions commit in a
 * different order than they begin, so an id or time cursor would skip or repeat events. Snapshots do neither.
 */
export interface LogCursor {
  seen: string
  upTo: string | null
  after: { recordedIn: string; id: string } | null
}

/** Older cursors are ignored: the stream starts at the present. */
export const RESUMABLE_MS = 86_400_000

/** Part of every issued cursor: changing it invalidates them all. */
const purposeOf = (orgId: string) => `log-place ${orgId}`

/** The client sends it back as `Last-Event-ID`. Signed against tampering. */
export function encodeLogCursor(
  vault: Vault,
  orgId: string,
  { seen, upTo, after }: LogCursor,
  now: Date,
): string {
  const text = [now.getTime(), seen, upTo, after?.recordedIn, after?.id].join('/')
  return `${text}/${vault.sign(purposeOf(orgId), text)}`
}

/** Null if the signature is invalid or the cursor is too old. */
export function decodeLogCursor(
  vault: Vault,
  orgId: string,
  encoded: string | undefined,
  now: Date,
): LogCursor | null {
  const end = encoded?.lastIndexOf('/') ?? -1
  if (!encoded || end < 0) return null
  const text = encoded.slice(0, end)
  if (!vault.verify(purposeOf(orgId), text, encoded.slice(end + 1))) return null
  const [time, seen, upTo, recordedIn, id] = text.split('/')
  if (now.getTime() - Number(time) > RESUMABLE_MS) return null
  return { seen: seen!, upTo: upTo || null, after: recordedIn && id ? { recordedIn, id } : null }
}
