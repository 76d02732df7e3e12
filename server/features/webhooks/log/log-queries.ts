import type { Fragment, Sql } from '../../../database/database.ts'
import { type EventFilter, filtersOf, idsOfPrefix, prefixOf, searchedIds, typeOf } from './event-filters.ts'
import { columns, type EventRow } from './event-records.ts'
import { listWebhookEventIds } from './webhook-log-queries.ts'

export interface EventList extends EventFilter {
  webhookId: string | null
  before: string | null
  limit: number
}

/** Newest first. An index finds the ids of a page; only then are the rows read. */
export async function listEvents(sql: Sql, orgId: string, { webhookId, ...list }: EventList) {
  const ids =
    webhookId === null
      ? sql`array(${idsOfAll(sql, orgId, list)})`
      : sql`${await listWebhookEventIds(sql, orgId, { webhookId, ...list })}::uuid[]`
  return sql<EventRow[]>`
    select ${columns(sql)} from events e
    left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and e.id = any(${ids})
    order by e.id desc`
}

function idsOfAll(sql: Sql, orgId: string, list: Omit<EventList, 'webhookId'>): Fragment {
  const { before, limit, type, search } = list
  const filters = sql`
    ${before ? sql`and e.id < ${before}` : sql``} ${filtersOf(sql, list)}
    ${search === undefined ? sql`` : sql`and e.id = any(array(${searchedIds(sql, orgId, search)}))`}`
  const scope = sql`e.org_id = ${orgId}`
  const prefix = prefixOf(type)
  const source = { from: sql`events e`, type: sql`e.type`, id: sql`e.id`, scope }
  return prefix === undefined
    ? sql`select e.id from events e where ${scope} ${typeOf(sql, type)} ${filters} order by e.id desc limit ${limit}`
    : idsOfPrefix(sql, source, prefix, filters, limit)
}

export async function findRepetitions(sql: Sql, orgId: string, eventId: string) {
  const [row] = await sql<{ count: number; times: string[] }[]>`
    select count, array(
        select to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from unnest(times) with ordinality t (time, n)
        order by n
      ) as times
    from event_repetitions where org_id = ${orgId} and event_id = ${eventId}`
  return row ?? { count: 0, times: [] }
}

export async function findEvent(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<EventRow[]>`
    select ${columns(sql)} from events e left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and e.id = ${id}`
  return row ?? null
}
