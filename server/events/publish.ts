import type { EventType } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../context.ts'
import type { Fragment, Sql } from '../database/database.ts'
import { newId } from '../security/ids.ts'

/** Wakes whoever delivers, in every process. */
export const DELIVERIES_CHANNEL = 'atrium_deliveries'
/** Tells whoever follows the log of an organization. */
export const EVENTS_CHANNEL = 'atrium_events'

export interface Happening {
  type: EventType
  /**
   * What happened, to which ids: no names, no contents. The log is for the whole organization, and much of what happens is
   * not; whoever may see it reads the rest by the API.
   */
  data: Record<string, unknown>
}

/** Says on the transaction of the change what happened. It is heard if and only if that commits. */
export const publish = (ctx: Pick<Context, 'sql' | 'now' | 'caller'>, happening: Happening): Promise<void> =>
  publishIn(ctx.sql, ctx.caller.orgId, ctx.now(), happening)

/** The same for what happens in an organization that is not the caller's, or without one. */
export async function publishIn(sql: Sql, orgId: string, now: Date, happening: Happening): Promise<void> {
  await sql`with ${published(sql, orgId, now, happening)} select ${told(sql, orgId)} from event`
}

/**
 * For statements that make the change and say so in one round trip: `with change as (…), ${published(…)} select
 * ${told(…)} from change`. The event, and a delivery for every webhook that wants it, held where the webhook is paused;
 * nothing if `from` has no row. Webhooks of a named source forward only what they receive. Whoever pauses or deletes a
 * webhook at this moment comes before or after, and never in between.
 */
export function published(
  sql: Sql,
  orgId: string,
  now: Date,
  { type, data }: Happening,
  from: Fragment = sql``,
): Fragment {
  return sql`
    event as (
      insert into events (org_id, id, direction, type, source, status, payload, received_at)
      select ${orgId}::uuid, ${newId()}::uuid, 'internal', ${type}, 'atrium', 'received', ${sql.json(data as never)}::jsonb,
        ${now}::timestamptz ${from}
      returning org_id, id, type
    ), delivery as (
      insert into deliveries (org_id, id, event_id, webhook_id, url, status, next_attempt_at, trigger, created_at)
      select e.org_id, new_id(${now}), e.id, w.id, w.url, case w.status when 'active' then 'pending' else 'held' end,
        case w.status when 'active' then ${now}::timestamptz end, 'scheduled', ${now}
      from event e join webhooks w on w.org_id = ${orgId}::uuid and w.source = 'custom' and w.status <> 'disabled'
        and w.url is not null and event_matches(w.events, e.type)
      for key share of w
      returning id
    )` as Fragment
}

/** What a statement with `published` selects: the word to those who wait. */
export const told = (sql: Sql, orgId: string): Fragment =>
  sql`
  case when exists (select from event) then pg_notify(${EVENTS_CHANNEL}, ${orgId}) end,
  case when exists (select from delivery) then pg_notify(${DELIVERIES_CHANNEL}, '') end` as Fragment
