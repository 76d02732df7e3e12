import type { Caller, Context } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { notFound } from '../../errors.ts'
import { isUuid } from '../../security/ids.ts'
import { projectAccess, visibleProjectPage } from '../projects/access/access.ts'

/**
 * Each space is a lookup in the index. For a caller who sees more spaces, the matches of the organization are filtered.
 */
const SPACES_MAX = 100

/** The projects to search and the organization itself; null to search everything, if the caller sees many projects. */
export async function spacesOf(ctx: Context, projectRef: string | undefined): Promise<string[] | null> {
  const { sql, caller } = ctx
  if (projectRef !== undefined) return [await findProjectId(sql, caller, projectRef)]
  const projects = await listProjectsIfFew(sql, caller)
  return projects && [caller.orgId, ...projects]
}

/** The projects that the caller sees; null if they are many. */
export async function listProjectsIfFew(sql: Sql, caller: Caller): Promise<string[] | null> {
  const unfiltered = { visibility: undefined, workspaceId: undefined, conditions: null }
  const page = visibleProjectPage(sql, caller, unfiltered, { after: null, limit: SPACES_MAX + 1 })
  const rows = await sql<{ id: string }[]>`${page}`
  return rows.length > SPACES_MAX ? null : rows.map(({ id }) => id)
}

async function findProjectId(sql: Sql, caller: Caller, ref: string): Promise<string> {
  const isRef = isUuid(ref) ? sql`p.id = ${ref.toLowerCase()}` : sql`p.slug = ${ref.toLowerCase()}`
  const [row] = await sql<{ id: string }[]>`
    select p.id from projects p where p.org_id = ${caller.orgId} and ${isRef} and p.deleted_at is null
      and ${projectAccess(sql, caller)} is not null`
  if (!row) throw notFound('Project')
  return row.id
}
