import type { Fragment, Sql } from '../../../database/database.ts'
import { isUuid } from '../../../security/ids.ts'
import type { EventRow } from './event-records.ts'

export interface EventFilter {
  type?: string | undefined
  status?: EventRow['status'] | undefined
  direction?: EventRow['direction'] | undefined
  search?: string | undefined
  /** The first id of a range of time. */
  fromId?: string | null
}

/** The prefix of a type filter such as `order.*`. */
export const prefixOf = (type: string | undefined) =>
  type?.endsWith('*') && type !== '*' ? type.slice(0, -1).toLowerCase() : undefined

export function typeOf(sql: Sql, type: string | undefined, column: Fragment = sql`e.type`): Fragment {
  if (type === undefined || type === '*') return sql``
  const prefix = prefixOf(type)
  return prefix === undefined
    ? sql`and ${column} = ${type.toLowerCase()}`
    : sql`and starts_with(${column}, ${prefix})`
}

export function filtersOf(sql: Sql, { status, direction, fromId }: EventFilter): Fragment {
  // Literals, so that a generic plan can use the index of internal events.
  const ofDirection =
    direction === 'internal' ? sql`and e.direction = 'internal'` : sql`and e.direction = 'inbound'`
  return sql`${status === undefined ? sql`` : sql`and e.status = ${status}`} ${direction === undefined ? sql`` : ofDirection}
    ${fromId ? sql`and e.id >= ${fromId}` : sql``}`
}

const LAST_CHARACTER = '\u{10ffff}'

/** A table with an index on `scope`, the type and, newest first, the id of the event. */
interface TypedRows {
  from: Fragment
  type: Fragment
  id: Fragment
  scope: Fragment
}

/**
 * A prefix matches few types: a loose index scan finds them, then the newest events of each are merged. The upper limit is
 * explicit because a generic plan derives none from `starts_with`.
 */
export function idsOfPrefix(
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

/** The ids of the events that have this id, this id at their sender, or a delivery with this id. */
export function searchedIds(sql: Sql, orgId: string, id: string): Fragment {
  const byUuid = isUuid(id)
    ? sql`select ${id}::uuid union all
        select d.event_id from deliveries d where d.org_id = ${orgId} and d.id = ${id}::uuid union all`
    : sql``
  return sql`${byUuid} select x.id from events x where x.org_id = ${orgId} and x.external_id = ${id}`
}
