import type { PublishedEventType } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../context.ts'
import type { Fragment, Sql } from '../database/database.ts'
import { notify } from '../database/transaction.ts'
import { countEventCte } from '../metering/usage-queries.ts'
import { currentTraceparent } from '../observability/tracing.ts'
import { newId } from '../security/ids.ts'

/** Wakes the delivery dispatchers. */
export const DELIVERIES_CHANNEL = 'atrium_deliveries'
/** Wakes an organization's event streams. The payload is its id. */
export const EVENTS_CHANNEL = 'atrium_events'

export interface EventInput {
  type: PublishedEventType
  /**
   * Ids, states and numbers, never names or contents: every member can read the event log, even those who may not see
   * the resource.
   */
  data: Record<string, unknown>
}

/** Publishes on the change's transaction: both commit, or neither. */
export const publish = (ctx: Pick<Context, 'sql' | 'now' | 'caller'>, event: EventInput): Promise<void> =>
  publishIn(ctx.sql, ctx.caller.orgId, ctx.now(), event)

/** Like `publish`, for an organization other than the caller's, or without a caller. */
export async function publishIn(sql: Sql, orgId: string, now: Date, event: EventInput): Promise<void> {
  const [inserted] = await sql<InsertedEvent[]>`
    with ${insertEventCte(sql, orgId, now, event)} select ${insertedEventColumns(sql)}`
  notifyEvent(sql, orgId, inserted!)
}

/**
 * For statements that change and publish in one round trip: `with change as (…), ${insertEventCte(…)} select
 * ${insertedEventColumns(…)} from change`, followed by `notifyEvent`. Inserts a delivery for each subscribed webhook:
 * held if paused, none if it has a backlog. Inserts nothing if `from` has no row. Named-source webhooks forward only
 * received events. The key share lock orders it before or after a change or deletion of the webhook.
 */
export function insertEventCte(
  sql: Sql,
  orgId: string,
  now: Date,
  { type, data }: EventInput,
  from: Fragment = sql``,
): Fragment {
  return sql`
    event as (
      insert into events (org_id, id, direction, type, source, status, payload, received_at, trace)
      select ${orgId}::uuid, ${newId()}::uuid, 'internal', ${type}, 'atrium', 'received', ${sql.json(data as never)}::jsonb,
        ${now}::timestamptz, ${currentTraceparent()}::text ${from}
      returning org_id, id, type
    ), ${countEventCte(sql)}, delivery as (
      insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, next_attempt_at, trigger, created_at)
      select e.org_id, new_id(${now}), e.id, e.type, 'internal', w.id, w.url, case w.status when 'active' then 'pending' else 'held' end,
        case w.status when 'active' then ${now}::timestamptz end, 'scheduled', ${now}
      from event e join webhooks w on w.org_id = ${orgId}::uuid and w.source = 'custom' and w.status <> 'disabled'
        and w.paused_reason is distinct from 'backlog'
        and w.url is not null and event_matches(w.events, e.type)
      for key share of w
      returning id
    )` as Fragment
}

export interface InsertedEvent {
  hasDeliveries: boolean
}

export const insertedEventColumns = (sql: Sql): Fragment =>
  sql`exists (select from delivery) as "hasDeliveries"` as Fragment

/** Call only if an event was inserted. */
export function notifyEvent(sql: Sql, orgId: string, { hasDeliveries }: InsertedEvent): void {
  notifyEventStreams(sql, orgId)
  if (hasDeliveries) notifyDispatchers(sql)
}

export const notifyEventStreams = (sql: Sql, orgId: string): void => notify(sql, EVENTS_CHANNEL, orgId)
export const notifyDispatchers = (sql: Sql): void => notify(sql, DELIVERIES_CHANNEL)
