import type { Fragment, Sql } from '../../../database/database.ts'
import { columns, type EventRow } from './event-records.ts'

export interface EventList {
  webhookId: string | null
  before: string | null
  limit: number
  type?: string | undefined
  status?: EventRow['status'] | undefined
  direction?: EventRow['direction'] | undefined
  search?: string | undefined
}

/** Newest first. The ids of a page are found in an index, and only then the rows are read. */
export async function listEvents(sql: Sql, orgId: string, list: EventList) {
  return sql<EventRow[]>`
    select ${columns(sql)} from events e
    left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and e.id = any(array(${idsOf(sql, orgId, list)}))
    order by e.id desc`
}

function idsOf(sql: Sql, orgId: string, list: EventList): Fragment {
  const { webhookId, before, limit } = list
  const after = before ? sql`and e.id < ${before}` : sql``
  const filters = filtersOf(sql, orgId, list)
  if (webhookId === null) return idsOfAll(sql, orgId, list, sql`${after} ${filters}`)
  const ofType = typeOf(sql, list.type)
  // What it received, and what it was to forward: each by its own index, the newest of both together.
  return sql`
    select id from (
      (select e.id from events e where e.org_id = ${orgId} and e.webhook_id = ${webhookId} ${after} ${ofType} ${filters}
        order by e.id desc limit ${limit})
      union
      (select e.id from deliveries d join events e on e.org_id = d.org_id and e.id = d.event_id
        where d.org_id = ${orgId} and d.webhook_id = ${webhookId} ${before ? sql`and d.event_id < ${before}` : sql``}
          ${ofType} ${filters} order by d.event_id desc limit ${limit})
    ) of_webhook order by id desc limit ${limit}`
}

/** Types that begin alike are few: each is found by hopping along the index, and the newest of each are taken together. */
function idsOfAll(sql: Sql, orgId: string, { type, limit }: EventList, filters: Fragment): Fragment {
  const first = beginningOf(type)
  if (first === undefined) {
    return sql`
      select e.id from events e where e.org_id = ${orgId} ${typeOf(sql, type)} ${filters} order by e.id desc limit ${limit}`
  }
  const next = (after: Fragment) => sql`
    select e.type from events e where e.org_id = ${orgId} and e.type ~>=~ ${first} and ${after}
      and starts_with(e.type, ${first}) order by e.type using ~<~ limit 1`
  return sql`
    with recursive types (type) as (
      (${next(sql`true`)})
      union all
      select (${next(sql`e.type ~>~ types.type`)}) from types where types.type is not null
    )
    select newest.id from types cross join lateral (
      select e.id from events e where e.org_id = ${orgId} and e.type = types.type ${filters} order by e.id desc limit ${limit}
    ) newest order by newest.id desc limit ${limit}`
}

/** What a type begins with, if only that was asked for. */
const beginningOf = (type: string | undefined) =>
  type?.endsWith('*') && type !== '*' ? type.slice(0, -1).toLowerCase() : undefined

function typeOf(sql: Sql, type: string | undefined): Fragment {
  if (type === undefined || type === '*') return sql``
  const first = beginningOf(type)
  return first === undefined
    ? sql`and e.type = ${type.toLowerCase()}`
    : sql`and starts_with(e.type, ${first})`
}

function filtersOf(sql: Sql, orgId: string, { status, direction, search }: EventList): Fragment {
  const ofStatus = status === undefined ? sql`` : sql`and e.status = ${status}`
  const ofDirection = direction === undefined ? sql`` : sql`and e.direction = ${direction}`
  return sql`${ofStatus} ${ofDirection} ${search === undefined ? sql`` : named(sql, orgId, search)}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** By any of its ids: its own, the sender's, that of a delivery. */
function named(sql: Sql, orgId: string, id: string): Fragment {
  const asOurs = UUID.test(id)
    ? sql`select ${id}::uuid union all
        select d.event_id from deliveries d where d.org_id = ${orgId} and d.id = ${id}::uuid union all`
    : sql``
  return sql`and e.id in (
    ${asOurs} select x.id from events x where x.org_id = ${orgId} and x.external_id = ${id})`
}

export async function findEvent(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<EventRow[]>`
    select ${columns(sql)} from events e left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and e.id = ${id}`
  return row ?? null
}
