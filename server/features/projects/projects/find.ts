import type { InputOf } from '../../../../contract/endpoint.ts'
import type { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { reply } from '../../../endpoint/route.ts'
import { notFound, viewOnly } from '../../../errors.ts'
import { isUuid } from '../../../security/ids.ts'
import { projectAccess } from '../access/access.ts'
import { columns, type DetailsRow, detailColumns, type ProjectRow, presentDetails } from './records.ts'

/** NOT_FOUND if the caller doesn't see it. With `edit`, FORBIDDEN for view access. */
export const findProject = (ctx: Context, ref: string, to: 'view' | 'edit' = 'view'): Promise<ProjectRow> =>
  find(ctx, ref, to, { columns: columns(ctx.sql) })

/** Serializes canvas changes. */
export const lockProject = (ctx: Context, ref: string): Promise<ProjectRow> =>
  find(ctx, ref, 'edit', { columns: columns(ctx.sql), lock: ctx.sql`for no key update of p` })

/** Locks `for share`, so the transaction reads consistently. */
export const lockProjectForRead = (ctx: Context, ref: string): Promise<ProjectRow> =>
  find(ctx, ref, 'view', { columns: columns(ctx.sql), lock: ctx.sql`for share of p` })

export const lockIncludingDeleted = (ctx: Context, ref: string): Promise<ProjectRow> =>
  find(ctx, ref, 'edit', {
    columns: columns(ctx.sql),
    lock: ctx.sql`for no key update of p`,
    includeDeleted: true,
  })

/** For the server itself: no access check, and deleted projects too. */
export async function lockForRuntime(sql: Sql, orgId: string, id: string): Promise<ProjectRow | null> {
  const [row] = await sql<ProjectRow[]>`
    select ${columns(sql)}, 'edit' as access from projects p
    where p.org_id = ${orgId} and p.id = ${id} for no key update of p`
  return row ?? null
}

export const findDetails = (ctx: Context, ref: string): Promise<DetailsRow> =>
  find(ctx, ref, 'view', { columns: detailColumns(ctx.sql) })

interface FindOptions {
  columns: Fragment
  lock?: Fragment
  includeDeleted?: boolean
}

async function find<R extends ProjectRow>(
  ctx: Context,
  ref: string,
  to: 'view' | 'edit',
  options: FindOptions,
): Promise<R> {
  const { sql, caller } = ctx
  const [row] = await sql<R[]>`
    select ${options.columns}, a.access from projects p, lateral (select ${projectAccess(sql, caller)} as access) a
    where p.org_id = ${caller.orgId} and ${matchesRef(sql, ref)} and a.access is not null
      and ${options.includeDeleted ? sql`p.purged_at is null` : sql`p.deleted_at is null`}
    ${options.lock ?? sql``}`
  if (!row) throw notFound('Project')
  if (to === 'edit' && row.access !== 'edit') throw viewOnly()
  return row
}

export const matchesRef = (sql: Sql, ref: string): Fragment =>
  isUuid(ref) ? sql`p.id = ${ref}` : sql`p.slug = ${ref.toLowerCase()}`

export async function get(ctx: Context, { id }: InputOf<typeof projects.get>) {
  const row = await findDetails(ctx, id)
  return reply(presentDetails(row), { version: row.version })
}
