import type { Fragment, Sql } from '../../../database/database.ts'
import { type EventFilter, filtersOf, idsOfPrefix, prefixOf, searchedIds, typeOf } from './event-filters.ts'

export interface WebhookLog extends EventFilter {
  webhookId: string
  before: string | null
  limit: number
}

/** How many pages of deliveries or events are read in search of one page with a status. */
const SCANNED_PAGES = 10

/** The ids of the newest events that a webhook received or forwarded. */
export async function listWebhookEventIds(sql: Sql, orgId: string, log: WebhookLog): Promise<string[]> {
  const { search, status, direction, limit } = log
  // An inbound event is forwarded only by the webhook that received it.
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

/** A delivery has the type and the direction of its event, which never change. */
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
 * The status of an event changes, so deliveries do not contain it. Events with a common status are among the newest
 * deliveries of the webhook, and the organization has few events with a rare status. Only a status that is common in
 * other webhooks but rare in this one requires the full scan.
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
  // An array and the status in the order: otherwise a generic plan scans all events.
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
