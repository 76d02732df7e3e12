import type { SearchType } from '../../../contract/search/search-options.ts'
import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import type { EntryKey } from './present.ts'
import { isEntryVisible } from './visible.ts'

/** Stored per type. An empty search lists fewer. */
const OPENED_KEPT = 100
const OPENED_MAX = 50
/** Opening a page again within this time writes nothing. */
const AGAIN_SECONDS = 10
const READ_MAX = 200
/** Messages, blocks and runs are many and belong to one of these. */
const NAMED = ['project', 'file', 'session', 'memory', 'skill', 'agent', 'schedule', 'webhook', 'table']

export interface RecentFilter {
  types: readonly SearchType[]
  spaces: readonly string[] | null
  limit: number
}

export async function listRecent(sql: Sql, caller: Caller, filter: RecentFilter): Promise<EntryKey[]> {
  const { orgId, userId } = caller
  const { types, spaces, limit } = filter
  const named = NAMED.filter((type) => (types as readonly string[]).includes(type))
  const isInScope = sql`e.type = any(${types as string[]}::text[])
    and ${spaces === null ? sql`true` : sql`e.space_id = any(${spaces as string[]}::uuid[])`}`
  const each = (condition: Fragment) => sql`
    select e.* from search_entries e where e.org_id = ${orgId} and ${condition} order by e.updated_at desc limit ${READ_MAX}`
  return sql<EntryKey[]>`
    with own as (
      select e.type, e.id, e.scope_id, e.project_id, e.space_id, o.opened_at as at, 0 as turn from (
        select * from search_opened where org_id = ${orgId} and user_id = ${userId} order by opened_at desc limit ${OPENED_MAX}
      ) o cross join lateral (
        -- A lookup by the primary key, also without statistics.
        select e.* from search_entries e where e.org_id = o.org_id and e.id = any(array[o.id]) and e.type = o.type
        order by e.org_id, e.id limit 10
      ) e
      union all
      (select e.type, e.id, e.scope_id, e.project_id, e.space_id, e.updated_at, 0 from search_entries e
      where e.org_id = ${orgId} and e.author_id = ${userId}
        -- NAMED as text, without tables, which have the turn of others: a generic plan uses the partial index search_entries_author only for its own condition.
        and e.type in ('project', 'file', 'session', 'memory', 'skill', 'agent', 'schedule', 'webhook')
      order by e.updated_at desc limit ${READ_MAX})
    ), others as (
      select e.type, e.id, e.scope_id, e.project_id, e.space_id, e.updated_at as at, 1 as turn
      from unnest(${named}::text[]) t (type) cross join lateral (${each(sql`e.type = t.type`)}) e
    ), latest as (
      select e.type, e.id, e.scope_id, e.project_id, min(e.turn) as turn, max(e.at) as at
      from (select * from own union all select * from others) e where ${isInScope}
      group by e.type, e.id, e.scope_id, e.project_id
    )
    select e.type, e.id, e.scope_id as "scopeId" from latest e where ${isEntryVisible(sql, caller)}
    order by e.turn, e.at desc limit ${limit}`
}

/** Deletes the type's oldest ones. Reloading a page changes nothing. */
export async function saveOpened(
  sql: Sql,
  orgId: string,
  { userId, type, id, now }: { userId: string; type: SearchType; id: string; now: Date },
): Promise<void> {
  const written = await sql`
    insert into search_opened as o (org_id, user_id, type, id, opened_at) values (${orgId}, ${userId}, ${type}, ${id}, ${now})
    on conflict (org_id, user_id, type, id) do update set opened_at = excluded.opened_at
      where o.opened_at < excluded.opened_at - make_interval(secs => ${AGAIN_SECONDS})
    returning id`
  if (written.length === 0) return
  await sql`
    delete from search_opened where org_id = ${orgId} and user_id = ${userId} and type = ${type} and opened_at < (
      select opened_at from search_opened where org_id = ${orgId} and user_id = ${userId} and type = ${type}
      order by opened_at desc offset ${OPENED_KEPT - 1} limit 1)`
}
