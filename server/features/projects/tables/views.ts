import type { z } from 'zod'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { TableView, ViewSettings } from '../../../../contract/projects/table-fields.ts'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { ApiError, notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { notifyProject } from '../../../streams/notify.ts'
import { findTable, lockTable } from './access.ts'
import { requireColumn } from './columns.ts'
import { matchesQuery } from './filter.ts'
import { groupKey } from './group.ts'
import type { TableRow } from './records.ts'
import { rowOrder } from './sort.ts'

type View = z.output<typeof TableView>
type Settings = z.output<typeof ViewSettings>

export async function listViews(ctx: Context, { id }: InputOf<typeof tables.views>) {
  const { orgId } = await findTable(ctx, id)
  return { items: await listViewRows(ctx.sql, orgId, id) }
}

export const createView = (ctx: Context, { id, name, settings }: InputOf<typeof tables.createView>) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const table = await lockTable(inside, id)
    checkSettings(sql, table, settings)
    if ((await listViewRows(sql, table.orgId, id)).length >= TABLE_LIMITS.views)
      throw new ApiError('CONFLICT', `A table can have ${TABLE_LIMITS.views} views: delete one first`, {
        details: { reason: 'too_many_views' },
      })
    const viewId = newId()
    const now = ctx.now()
    await sql`
      insert into table_views (org_id, id, table_id, name, settings, created_at, updated_at)
      values (${table.orgId}, ${viewId}, ${id}, ${name}, ${sql.json(settings)}, ${now}, ${now})`
    announceViews(sql, table)
    return (await findView(sql, table.orgId, id, viewId))!
  })

export const updateView = (
  ctx: Context,
  { id, tableViewId: viewId, name, settings }: InputOf<typeof tables.updateView>,
) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const table = await lockTable(inside, id)
    if (settings) checkSettings(sql, table, settings)
    const { count } = await sql`
      update table_views set name = coalesce(${name ?? null}, name), updated_at = ${ctx.now()},
        settings = coalesce(${settings ? sql.json(settings) : null}::jsonb, settings)
      where org_id = ${table.orgId} and table_id = ${id} and id = ${viewId}`
    if (count === 0) throw notFound('View')
    announceViews(sql, table)
    return (await findView(sql, table.orgId, id, viewId)) ?? raise(notFound('View'))
  })

export const removeView = (ctx: Context, { id, tableViewId: viewId }: InputOf<typeof tables.removeView>) =>
  ctx.transaction(async (inside) => {
    const { sql } = inside
    const table = await lockTable(inside, id)
    const { count } = await sql`
      delete from table_views where org_id = ${table.orgId} and table_id = ${id} and id = ${viewId}`
    if (count === 0) throw notFound('View')
    announceViews(sql, table)
    return { id: viewId, deleted: true as const }
  })

/** Compiles what a list would, so a view can't have a filter that no list accepts. */
function checkSettings(
  sql: Sql,
  { columns, key }: TableRow,
  { filter, sort, group, hidden, order }: Settings,
): void {
  matchesQuery(sql, { columns, key, filter, path: 'body.settings.filter' })
  rowOrder(sql, columns, sort ?? [], { path: 'body.settings.sort' })
  if (group) groupKey(sql, columns, group, 'body.settings.group')
  for (const [name, refs] of Object.entries({ hidden, order }))
    for (const [index, ref] of (refs ?? []).entries())
      requireColumn(columns, ref, `body.settings.${name}.${index}`)
}

export const announceViews = (sql: Sql, { orgId, projectId, id, seq }: TableRow): void =>
  notifyProject(sql, orgId, projectId, { kind: 'table', tableId: id, seq })

const columns = (sql: Sql): Fragment => sql`
  v.id, v.table_id as "tableId", v.name, v.settings, v.created_at as "createdAt", v.updated_at as "updatedAt"`

const listViewRows = (sql: Sql, orgId: string, tableId: string) => sql<View[]>`
  select ${columns(sql)} from table_views v where v.org_id = ${orgId} and v.table_id = ${tableId} order by v.id`

export async function findView(sql: Sql, orgId: string, tableId: string, id: string) {
  const [row] = await sql<View[]>`
    select ${columns(sql)} from table_views v
    where v.org_id = ${orgId} and v.table_id = ${tableId} and v.id = ${id}`
  return row ?? null
}
