import { scopeGrants } from '../../../../contract/accounts/scopes.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { forbidden, notFound, viewOnly } from '../../../errors.ts'
import { projectAccess } from '../access/access.ts'
import { type TableRow, tableColumns } from './records.ts'

/**
 * The project's access. A share link's guest has the link's access to tables that a block on the canvas shows, and to no
 * others. For table `t` and project `p`.
 */
export function tableAccess(sql: Sql, caller: Caller): Fragment {
  const access = projectAccess(sql, caller)
  return caller.share ? sql`case when ${isOnCanvas(sql)} then ${access} end` : access
}

/** The project `p` of a table `t`, by its primary key, whatever the planner expects. */
export const projectOfTable = (sql: Sql, orgId: string): Fragment => sql`(
  select p.* from projects p
  where p.org_id = ${orgId} and p.id = any(array[t.project_id]) and p.deleted_at is null order by p.id limit 1) p`

const isOnCanvas = (sql: Sql): Fragment => sql`exists (
  select from blocks b
  where b.org_id = t.org_id and b.project_id = t.project_id and b.type = 'table' and b.metadata ->> 'tableId' = t.id::text)`

/** A key without this scope can't list files. */
export function requireFilesScope({ scopes }: Caller, doing: string): void {
  if (scopes !== 'all' && !scopeGrants(scopes, 'files:read'))
    throw forbidden(`${doing} requires an API key with the scope files:read`, {
      reason: 'missing_scope',
      required: ['files:read'],
    })
}

interface FindOptions {
  lock?: Fragment
  isDeleted?: boolean
}

/** NOT_FOUND if the caller doesn't see it. With `edit`, FORBIDDEN for view access. */
export async function findTable(
  ctx: Context,
  id: string,
  to: 'view' | 'edit' = 'view',
  { lock = ctx.sql``, isDeleted = false }: FindOptions = {},
): Promise<TableRow> {
  const { sql, caller } = ctx
  const [row] = await sql<TableRow[]>`
    select ${tableColumns(sql)}, a.access
    from project_tables t cross join lateral ${projectOfTable(sql, caller.orgId)},
    lateral (select ${tableAccess(sql, caller)} as access) a
    where t.org_id = ${caller.orgId} and t.id = ${id} and a.access is not null
      and t.deleted_at ${isDeleted ? sql`is not null` : sql`is null`} ${lock}`
  if (!row) throw notFound('Table')
  if (to === 'edit' && row.access !== 'edit') throw viewOnly()
  return row
}

/** Serializes changes to a table and its rows. Several tables are locked in id order, after their projects. */
export const lockTable = (ctx: Context, id: string, options: Pick<FindOptions, 'isDeleted'> = {}) =>
  findTable(ctx, id, 'edit', { ...options, lock: ctx.sql`for no key update of t` })

export async function listTableRows(
  { sql, caller }: Context,
  projectId: string,
  { isDeleted }: { isDeleted: boolean },
): Promise<TableRow[]> {
  // The access of a member is the same for all tables.
  return sql<TableRow[]>`
    with a as materialized (
      select ${projectAccess(sql, caller)} as access from projects p
      where p.org_id = ${caller.orgId} and p.id = ${projectId} and p.deleted_at is null
    )
    select ${tableColumns(sql)}, a.access from project_tables t cross join a
    where t.org_id = ${caller.orgId} and t.project_id = ${projectId} and a.access is not null
      -- Not the condition of an index, which would list the deleted tables of all projects.
      and case when t.deleted_at is null then 'shown' else 'deleted' end = ${isDeleted ? 'deleted' : 'shown'} ${caller.share ? sql`and ${isOnCanvas(sql)}` : sql``}
    order by t.search_key, t.id`
}
