import { scopeGrants } from '../../../contract/accounts/scopes.ts'
import { SEARCH_TYPES, type SearchType } from '../../../contract/search/search-options.ts'
import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { isProjectVisible } from '../projects/access/access.ts'

/** The types whose records the credential may read; the records themselves are checked one by one. */
export const allowedTypes = ({ scopes }: Pick<Caller, 'scopes'>): SearchType[] =>
  SEARCH_TYPES.filter((type) => type !== 'file' || scopes === 'all' || scopeGrants(scopes, 'files:read'))

/**
 * Whether the caller may open the record of the entry `e`: records of the organization, and records of a visible
 * project. The folder of a file decides where it belongs, and whether it is in the trash.
 */
export const isEntryVisible = (sql: Sql, caller: Caller): Fragment => sql`(case
  when e.type = 'file' then (
    select s.is_visible from files f cross join lateral (
      select s.project_id is null or ${isProjectVisible(sql, caller, sql`s.project_id`)} as is_visible from folders s
      where s.org_id = ${caller.orgId} and s.id = any(array[case when f.source = 'folder' then f.id else f.parent_id end])
        and s.trashed_by is null
      order by s.id limit 1
    ) s
    where f.org_id = ${caller.orgId} and f.id = any(array[e.id]) and f.deleted_at is null order by f.id limit 1)
  when e.project_id is null then true
  else ${isProjectVisible(sql, caller, sql`e.project_id`)} end)`
