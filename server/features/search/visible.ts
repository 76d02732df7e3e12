import { scopeGrants } from '../../../contract/accounts/scopes.ts'
import { SEARCH_TYPES, type SearchType } from '../../../contract/search/search-options.ts'
import type { Caller, Context } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { notFound } from '../../errors.ts'
import { isUuid } from '../../security/ids.ts'
import { isProjectVisible, projectAccess, visibleProjectPage } from '../projects/access/access.ts'

/** By credential. Records are checked one by one. */
export const allowedTypes = ({ scopes }: Pick<Caller, 'scopes'>): SearchType[] =>
  SEARCH_TYPES.filter((type) => type !== 'file' || scopes === 'all' || scopeGrants(scopes, 'files:read'))

/** A file's folder decides which project it belongs to and whether it's trashed. */
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

/** Each space is an index lookup. Above this, the organization's matches are filtered instead. */
const SPACES_MAX = 100

/** Includes the organization itself. Null searches everything, if the caller sees many projects. */
export async function listSearchSpaces(
  ctx: Context,
  projectRef: string | undefined,
): Promise<string[] | null> {
  const { sql, caller } = ctx
  if (projectRef !== undefined) return [await findProjectId(sql, caller, projectRef)]
  const projects = await listProjectsIfFew(sql, caller)
  return projects && [caller.orgId, ...projects]
}

export async function listProjectsIfFew(sql: Sql, caller: Caller): Promise<string[] | null> {
  const unfiltered = { visibility: undefined, workspaceId: undefined, conditions: null }
  const page = visibleProjectPage(sql, caller, unfiltered, { after: null, limit: SPACES_MAX + 1 })
  const rows = await sql<{ id: string }[]>`${page}`
  return rows.length > SPACES_MAX ? null : rows.map(({ id }) => id)
}

export async function findProjectId(sql: Sql, caller: Caller, ref: string): Promise<string> {
  const isRef = isUuid(ref) ? sql`p.id = ${ref.toLowerCase()}` : sql`p.slug = ${ref.toLowerCase()}`
  const [row] = await sql<{ id: string }[]>`
    select p.id from projects p where p.org_id = ${caller.orgId} and ${isRef} and p.deleted_at is null
      and ${projectAccess(sql, caller)} is not null`
  if (!row) throw notFound('Project')
  return row.id
}
