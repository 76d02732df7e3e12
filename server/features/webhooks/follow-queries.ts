import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import type { Claimed } from './delivery-queries.ts'
import { columns, type EventRow } from './log-queries.ts'

/** These, or those since a time that come after one. */
export type NewEvents = { ids: string[] } | { since: Date; after: string | null }

export const AT_ONCE_MAX = 50

const isNew = (sql: Sql, which: NewEvents): Fragment => {
  if ('ids' in which) return sql`e.id = any(${which.ids}::uuid[])`
  return sql`e.received_at >= ${which.since} ${which.after === null ? sql`` : sql`and e.id > ${which.after}`}`
}

/** Of the organization, or of one webhook: what it received and what it was to forward. Oldest first. */
export async function listEventsToTell(sql: Sql, orgId: string, webhookId: string | null, which: NewEvents) {
  const ofWebhook = sql`and (e.webhook_id = ${webhookId}::uuid or exists (
    select from deliveries d where d.org_id = e.org_id and d.event_id = e.id and d.webhook_id = ${webhookId}::uuid))`
  return sql<EventRow[]>`
    select ${columns(sql)} from events e
    left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and ${isNew(sql, which)} ${webhookId === null ? sql`` : ofWebhook}
    order by e.id limit ${AT_ONCE_MAX}`
}

/** What a webhook would forward if its address were the caller's machine, whether it has another one or none. */
export async function listEventsToForward(sql: Sql, orgId: string, webhookId: string, which: NewEvents) {
  return sql<Omit<Claimed, 'trigger' | 'failingSince'>[]>`
    select e.org_id as "orgId", e.id, w.id as "webhookId", '' as url, 1 as attempt,
      w.secret_sealed as "secretSealed", w.previous_secret_sealed as "previousSecretSealed",
      w.previous_secret_until as "previousSecretUntil",
      jsonb_build_object('id', e.id, 'type', e.type, 'source', e.source, 'payload', e.payload,
        'receivedAt', to_char(e.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'hops', e.headers ->> 'webhook-hops') as event
    from webhooks w join events e on e.org_id = w.org_id and (
      (e.webhook_id = w.id and e.status not in ('filtered', 'rejected'))
      or (e.webhook_id is null and w.source = 'custom' and event_matches(w.events, e.type)))
    where w.org_id = ${orgId} and w.id = ${webhookId} and w.status <> 'disabled' and e.org_id = ${orgId}
      and ${isNew(sql, which)}
    order by e.id limit ${AT_ONCE_MAX}`
}

/** Whether what a caller came in with still holds: a stream stays open longer than that may be so. */
export async function isStillLetIn(sql: Sql, caller: Caller, now: Date): Promise<boolean> {
  const { via, orgId, userId, credentialId } = caller
  const rows =
    via === 'key'
      ? await sql`
          select from api_keys
          where org_id = ${orgId} and id = ${credentialId} and user_id = ${userId} and revoked_at is null`
      : await sql`
          select from sessions
          where id = ${credentialId} and org_id = ${orgId} and user_id = ${userId} and expires_at > ${now}`
  return rows.length > 0
}
