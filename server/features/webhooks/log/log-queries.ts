import type { Fragment, Sql } from '../../../database/database.ts'
import { isUuid } from '../../../security/ids.ts'
import { columns, type EventRow, payloadFor } from '../event-records.ts'

export interface EventList extends EventFilter {
  webhookId: string | null
  before: string | null
  limit: number
}

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

export async function findEvent(sql: Sql, orgId: string, id: string, readerId: string) {
  const [row] = await sql<EventRow[]>`
    select ${columns(sql)}, ${payloadFor(sql, sql`${readerId}::uuid`)} as payload from events e left join webhooks w on w.org_id = e.org_id and w.id = e.webhook_id
    where e.org_id = ${orgId} and e.id = ${id}`
  return row ?? null
}

interface EventFilter {
  type?: string | undefined
  status?: EventRow['status'] | undefined
  direction?: EventRow['direction'] | undefined
  search?: string | undefined
  fromId?: string | null
}

const prefixOf = (type: string | undefined) =>
  type?.endsWith('*') && type !== '*' ? type.slice(0, -1).toLowerCase() : undefined

function typeOf(sql: Sql, type: string | undefined, column: Fragment = sql`e.type`): Fragment {
  if (type === undefined || type === '*') return sql``
  const prefix = prefixOf(type)
  return prefix === undefined
    ? sql`and ${column} = ${type.toLowerCase()}`
    : sql`and starts_with(${column}, ${prefix})`
}

function filtersOf(sql: Sql, { status, direction, fromId }: EventFilter): Fragment {
  // Literals let a generic plan use the internal events index.
  const ofDirection =
    direction === 'internal' ? sql`and e.direction = 'internal'` : sql`and e.direction = 'inbound'`
  return sql`${status === undefined ? sql`` : sql`and e.status = ${status}`} ${direction === undefined ? sql`` : ofDirection}
    ${fromId ? sql`and e.id >= ${fromId}` : sql``}`
}

const LAST_CHARACTER = '\u{10ffff}'

/** Needs an index on `scope`, type, and event id (newest first). */
interface TypedRows {
  from: Fragment
  type: Fragment
  id: Fragment
  scope: Fragment
}

/**
 * A prefix matches few types: a loose index scan finds them, then merges the newest events. The upper limit is explicit
 * because a generic plan derives none from `starts_with`.
 */
function idsOfPrefix(
  sql: Sql,
  { from, type, id, scope }: TypedRows,
  prefix: string,
  filters: Fragment,
  limit: number,
): Fragment {
  const next = (after: Fragment) => sql`
    select ${type} from ${from} where ${scope} and ${type} ~>=~ ${prefix} and ${type} ~<~ ${prefix + LAST_CHARACTER}
      and ${after} and starts_with(${type}, ${prefix}) order by ${type} using ~<~ limit 1`
  return sql`
    with recursive types (type) as (
      (${next(sql`true`)})
      union all
      select (${next(sql`${type} ~>~ types.type`)}) from types where types.type is not null
    )
    select newest.id from types cross join lateral (
      select ${id} as id from ${from} where ${scope} and ${type} = types.type ${filters} order by ${id} desc limit ${limit}
    ) newest order by newest.id desc limit ${limit}`
}

function searchedIds(sql: Sql, orgId: string, id: string): Fragment {
  const byUuid = isUuid(id)
    ? sql`select ${id}::uuid union all
        select d.event_id from deliveries d where d.org_id = ${orgId} and d.id = ${id}::uuid union all`
    : sql``
  return sql`${byUuid} select x.id from events x where x.org_id = ${orgId} and x.external_id = ${id}`
}

interface WebhookLog extends EventFilter {
  webhookId: string
  before: string | null
  limit: number
}

/** Pages read to fill one page with a status. */
const SCANNED_PAGES = 10

async function listWebhookEventIds(sql: Sql, orgId: string, log: WebhookLog): Promise<string[]> {
  const { search, status, direction, limit } = log
  // Only the webhook that received an inbound event forwards it.
  const needsForwarded = search === undefined && direction !== 'inbound'
  const idsWithStatus = needsForwarded && status !== undefined ? await findForwardedIds(sql, orgId, log) : []
  const forwards =
    status === undefined ? forwardedIds(sql, orgId, log) : sql`select unnest(${idsWithStatus}::uuid[]) as id`
  const ownIds = search === undefined ? receivedIds(sql, orgId, log) : matchingIds(sql, orgId, log, search)
  const rows = await sql<{ id: string }[]>`
    select id from ((${ownIds}) ${needsForwarded ? sql`union (${forwards})` : sql``}) e order by id desc limit ${limit}`
  return rows.map(({ id }) => id)
}

function receivedIds(sql: Sql, orgId: string, log: WebhookLog): Fragment {
  const { webhookId, before, limit } = log
  const scope = sql`e.org_id = ${orgId} and e.webhook_id = ${webhookId}`
  const filters = sql`${before ? sql`and e.id < ${before}` : sql``} ${filtersOf(sql, log)}`
  const prefix = prefixOf(log.type)
  const source = { from: sql`events e`, type: sql`e.type`, id: sql`e.id`, scope }
  return prefix === undefined
    ? sql`select e.id from events e where ${scope} ${typeOf(sql, log.type)} ${filters} order by e.id desc limit ${limit}`
    : idsOfPrefix(sql, source, prefix, filters, limit)
}

/** Deliveries store their event's type and direction, which never change. */
function forwardedIds(sql: Sql, orgId: string, log: WebhookLog, limit = log.limit): Fragment {
  const { webhookId, before, type, direction, fromId } = log
  const scope = sql`d.org_id = ${orgId} and d.webhook_id = ${webhookId}`
  const filters = sql`
    ${before ? sql`and d.event_id < ${before}` : sql``} ${direction ? sql`and d.event_direction = 'internal'` : sql``}
    ${fromId ? sql`and d.event_id >= ${fromId}` : sql``}`
  const prefix = prefixOf(type)
  const source = { from: sql`deliveries d`, type: sql`d.event_type`, id: sql`d.event_id`, scope }
  return prefix === undefined
    ? sql`
      select d.event_id as id from deliveries d where ${scope} ${typeOf(sql, type, sql`d.event_type`)} ${filters}
      order by d.event_id desc limit ${limit}`
    : idsOfPrefix(sql, source, prefix, filters, limit)
}

/**
 * Event status changes, so deliveries don't store it. Common statuses are among the webhook's newest deliveries, and
 * rare ones are few per organization. Only a status common elsewhere but rare here needs the full scan.
 */
async function findForwardedIds(sql: Sql, orgId: string, log: WebhookLog): Promise<string[]> {
  const { webhookId, status, before, limit, direction, type, fromId } = log
  const scanMax = SCANNED_PAGES * limit
  const find = async (candidates: Fragment, matches: Fragment) => {
    const [row] = await sql<{ ids: string[]; scanned: number }[]>`
      with scanned as materialized (${candidates})
      select (select count(*) from scanned)::int as scanned, array(
        select distinct c.id from scanned c where (${matches} limit 1) order by c.id desc limit ${limit}) as ids`
    return { ids: row!.ids, isComplete: row!.scanned < scanMax || row!.ids.length === limit }
  }
  const hasStatus = sql`select e.status = ${status!} from events e where e.org_id = ${orgId} and e.id = c.id`
  const newest = await find(forwardedIds(sql, orgId, log, scanMax), hasStatus)
  if (newest.isComplete) return newest.ids
  // Without the array and the status in the order, a generic plan scans all events.
  const ofStatus = await find(
    sql`
      select e.id from events e where e.org_id = ${orgId} and e.status = any(${[status!]}::text[])
        ${before ? sql`and e.id < ${before}` : sql``} ${fromId ? sql`and e.id >= ${fromId}` : sql``}
      order by e.status, e.id desc limit ${scanMax}`,
    sql`
      select true from deliveries d where d.org_id = ${orgId} and d.event_id = c.id and d.webhook_id = ${webhookId}
        ${typeOf(sql, type, sql`d.event_type`)} ${direction ? sql`and d.event_direction = 'internal'` : sql``}`,
  )
  if (ofStatus.isComplete) return ofStatus.ids
  return (await find(forwardedIds(sql, orgId, log, Number.MAX_SAFE_INTEGER), hasStatus)).ids
}

function matchingIds(sql: Sql, orgId: string, log: WebhookLog, search: string): Fragment {
  const { webhookId, before, type } = log
  return sql`
    select e.id from events e
    where e.org_id = ${orgId} and e.id = any(array(${searchedIds(sql, orgId, search)}))
      ${before ? sql`and e.id < ${before}` : sql``} ${typeOf(sql, type)} ${filtersOf(sql, log)}
      and (e.webhook_id = ${webhookId} or exists (
        select from deliveries d where d.org_id = ${orgId} and d.event_id = e.id and d.webhook_id = ${webhookId}))`
}
