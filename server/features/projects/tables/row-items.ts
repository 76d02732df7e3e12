import type { Filter } from '../../../../contract/projects/table-fields.ts'
import type { Context } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { findTable, lockTable } from './access.ts'
import { requireColumn, shownColumns } from './columns.ts'
import { matchesQuery } from './filter.ts'
import { listRowsById } from './list-rows.ts'
import { isOutsideLink, presentRows } from './present-rows.ts'
import { nextSeq, recordChange } from './record-change.ts'
import { isOutsideTable, type TableRow } from './records.ts'
import { rowOrder, type Sort } from './sort.ts'
import { parseRows, writeRows } from './upsert.ts'
import { findView } from './views.ts'

/** Rows that work is done for, one after the other. */
export interface RowSelection {
  tableId: string
  viewId?: string | undefined
  rowIds?: readonly string[] | undefined
  /** Instead of the view's. */
  filter?: Filter | undefined
  sort?: readonly Sort[] | undefined
  search?: string | undefined
}

interface RowItems {
  /** Rows `n, id, label`, from 1 in the view's order. */
  items: Fragment
  /** Some texts are by guests or untrusted runs. */
  isOutside: boolean
}

export async function selectRowItems(
  ctx: Context,
  projectId: string,
  selection: RowSelection,
): Promise<RowItems> {
  const { sql } = ctx
  const table = await findProjectTable(ctx, projectId, selection.tableId)
  const { orgId, id, columns, key } = table
  const { rowIds, viewId, search } = selection
  const view =
    viewId === undefined ? null : ((await findView(sql, orgId, id, viewId)) ?? raise(notFound('View')))
  const matches = matchesQuery(sql, {
    columns,
    key,
    filter: selection.filter ?? view?.settings.filter,
    search,
    path: 'filter',
  })
  const { orderBy } = rowOrder(sql, columns, selection.sort ?? view?.settings.sort ?? [])
  const items = sql`
    select row_number() over (order by ${orderBy}) as n, r.id, ${labelSql(sql, table)} as label from table_rows r
    where r.org_id = ${orgId} and r.table_id = ${id} and ${matches}
      ${rowIds ? sql`and r.id = any(${[...rowIds]}::uuid[])` : sql``}`
  return { items, isOutside: table.hasOutside }
}

/** The key, or the first column with a text. */
function labelSql(sql: Sql, { columns, key }: TableRow): Fragment {
  const first = key ?? shownColumns(columns).find(({ type }) => type === 'text')?.id ?? ''
  return sql`left(coalesce(nullif(r.cells ->> ${first}, ''), r.id::text), 80)`
}

/** Also checks that results fit into these columns. */
export async function requireResultColumns(
  ctx: Context,
  projectId: string,
  { tableId, columns: refs }: { tableId: string; columns: readonly string[] },
  path: string,
): Promise<void> {
  const table = await findProjectTable(ctx, projectId, tableId, refs.length > 0 ? 'edit' : 'view')
  for (const ref of refs) {
    const { id } = requireColumn(table.columns, ref, `${path}.${ref}`)
    if (id === table.key) throw badField(`${path}.${ref}`, 'must not be the key')
  }
}

interface RowItem {
  /** By column name. */
  values: Record<string, unknown>
  /** Some texts are by guests or untrusted runs, maybe since the row was selected. */
  isOutside: boolean
}

/** Null if the row was deleted. */
export async function readRowItem(
  ctx: Context,
  projectId: string,
  { tableId, rowId }: { tableId: string; rowId: string },
): Promise<RowItem | null> {
  const table = await findProjectTable(ctx, projectId, tableId)
  const [row] = await presentRows(ctx, table, await listRowsById(ctx.sql, table.orgId, tableId, [rowId]))
  if (!row) return null
  const names = new Map(shownColumns(table.columns).map(({ id, name }) => [id, name]))
  const values = Object.entries(row.values)
  const isOutside =
    table.hasOutside ||
    values.some(([, value]) => isOutsideLink(value)) ||
    (await hasOutsideLabels(ctx.sql, table))
  return { values: Object.fromEntries(values.map(([id, value]) => [names.get(id) ?? id, value])), isOutside }
}

/** Such as a column's name. */
async function hasOutsideLabels(sql: Sql, { orgId, id }: TableRow): Promise<boolean> {
  const [row] = await sql<{ isOutside: boolean }[]>`
    select ${isOutsideTable(sql)} as "isOutside" from project_tables t where t.org_id = ${orgId} and t.id = ${id}`
  return row!.isOutside
}

/** In the caller's transaction, which has locked the project. Errors name the column. */
export async function writeRowItem(
  ctx: Context<'quotas'>,
  projectId: string,
  { tableId, rowId, values }: { tableId: string; rowId: string; values: Record<string, unknown> },
): Promise<void> {
  const table = await lockTable(ctx, tableId)
  if (table.projectId !== projectId) throw notFound('Table')
  const given = await parseRows(ctx, table, [{ id: rowId, values }], 'rows')
  const seq = nextSeq(table)
  const { counts } = await writeRows(ctx, table, given, { seq, mode: 'update', path: 'rows' })
  if (counts.updated > 0) await recordChange(ctx, table, { seq, kind: 'rows', rows: counts })
}

async function findProjectTable(
  ctx: Context,
  projectId: string,
  tableId: string,
  to: 'view' | 'edit' = 'view',
): Promise<TableRow> {
  const table = await findTable(ctx, tableId, to)
  return table.projectId === projectId ? table : raise(notFound('Table'))
}
