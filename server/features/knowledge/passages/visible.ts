import { scopeGrants } from '../../../../contract/accounts/scopes.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible } from '../../projects/access/access.ts'

/**
 * Whether the caller sees source `s` now: its record as it is, not as it was when it was indexed. An older version's
 * passages aren't seen.
 */
export const isSourceVisible = (sql: Sql, caller: Caller): Fragment => sql`(s.state = 'ready' and case s.type
  when 'file' then ${mayReadFiles(caller) ? fileIsVisible(sql, caller) : sql`false`}
  when 'block' then ${isProjectVisible(sql, caller, sql`s.scope_id`)} and exists (
    select from blocks b where b.org_id = ${caller.orgId} and b.project_id = any(array[s.scope_id])
      and b.id = any(array[s.item_id]) and b.type in ('text', 'note'))
  when 'session' then ${caller.share ? sql`false` : sessionIsVisible(sql, caller)}
  else (
    select m.project_id is null or ${isProjectVisible(sql, caller, sql`m.project_id`)} from memories m
    where m.org_id = ${caller.orgId} and m.id = any(array[s.item_id]) and m.status = 'active' and m.version = s.version
    order by m.id limit 1)
  end)`

export const mayReadFiles = ({ scopes }: Pick<Caller, 'scopes'>): boolean =>
  scopes === 'all' || scopeGrants(scopes, 'files:read')

/** As long as it's pinned, to those who can read it. */
const sessionIsVisible = (sql: Sql, caller: Caller): Fragment => sql`(
  select a.project_id = s.space_id and ${isProjectVisible(sql, caller, sql`a.project_id`)} from agent_sessions a
  where a.org_id = ${caller.orgId} and a.id = any(array[s.item_id]) and a.knowledge and a.deleted_at is null
  order by a.id limit 1)`

/**
 * A file's folder decides which project it belongs to and whether it's trashed. A moved file isn't found until it's
 * counted in its new project.
 */
const fileIsVisible = (sql: Sql, caller: Caller): Fragment => sql`(
  select d.is_visible from files f cross join lateral (
    select coalesce(d.project_id, d.org_id) = s.space_id and (d.project_id is null or ${isProjectVisible(sql, caller, sql`d.project_id`)}) as is_visible from folders d
    where d.org_id = ${caller.orgId} and d.id = any(array[f.parent_id]) and d.trashed_by is null
    order by d.id limit 1
  ) d
  where f.org_id = ${caller.orgId} and f.id = any(array[s.item_id]) and f.deleted_at is null and f.status = 'ready'
    and f.content_number = s.version
  order by f.id limit 1)`
