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

/** Newest first. An index finds the ids of a page; only then are the rows read. */
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
  // Received and forwarded events, each by its own index, then the newest of both.
  return sql`
    select id from (
      (select e.id from events e where e.org_id = ${orgId} and e.webhook_id = ${webhookId} ${after} ${ofType} ${filters}
        order by e.id desc limit ${limit})
      union
      (select e.id from deliveries d cross join lateral (
          select e.* from events e where e.org_id = d.org_id and e.id = d.event_id limit 1
        ) e
        where d.org_id = ${orgId} and d.webhook_id = ${webhookId} ${before ? sql`and d.event_id < ${before}` : sql``}
          ${ofType} ${filters} order by d.event_id desc limit ${limit})
    ) of_webhook order by id desc limit ${limit}`
}

/** A prefix matches few types: a loose index scan finds them, then the newest events of each are merged. */
function idsOfAll(sql: Sql, orgId: string, { type, limit }: EventList, filters: Fragment): Fragment {
  const prefix = prefixOf(type)
  if (prefix === undefined) {
    return sql`
      select e.id from events e where e.org_id = ${orgId} ${typeOf(sql, type)} ${filters} order by e.id desc limit ${limit}`
  }
  const next = (after: Fragment) => sql`
    select e.type from events e where e.org_id = ${orgId} and e.type ~>=~ ${prefix} and ${after}
      and starts_with(e.type, ${prefix}) order by e.type using ~<~ limit 1`
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

/** The prefix of a type filter such as `order.*`. */
const prefixOf = (type: string | undefined) =>
  type?.endsWith('*') && type !== '*' ? type.slice(0, -1).toLowerCase() : undefined

function typeOf(sql: Sql, type: string | undefined): Fragment {
  if (type === undefined || type === '*') return sql``
  const prefix = prefixOf(type)
  return prefix === undefined
    ? sql`and e.type = ${type.toLowerCase()}`
    : sql`and starts_with(e.type, ${prefix})`
}

function filtersOf(sql: Sql, orgId: string, { status, direction, search }: EventList): Fragment {
  const ofStatus = status === undefined ? sql`` : sql`and e.status = ${status}`
  const ofDirection = direction === undefined ? sql`` : sql`and e.direction = ${direction}`
  return sql`${ofStatus} ${ofDirection} ${search === undefined ? sql`` : hasId(sql, orgId, search)}`
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Matches the id of the event, of the sender, or of a delivery. */
function hasId(sql: Sql, orgId: string, id: string): Fragment {
  const byUuid = UUID.test(id)
    ? sql`select ${id}::uuid union all
        select d.event_id from deliveries d where d.org_id = ${orgId} and d.id = ${id}::uuid union all`
    : sql``
  return sql`and e.id in (
    ${byUuid} select x.id from events x where x.org_id = ${orgId} and x.external_id = ${id})`
}

export async function findEvent(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<EventRow[]>`
    select ${columns(sql)} from events e left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and e.id = ${id}`
  return row ?? null
}
