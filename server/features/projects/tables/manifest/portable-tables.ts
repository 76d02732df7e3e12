import type { z } from 'zod'
import type { Manifest, ManifestRow as RowSchema } from '../../../../../contract/projects/project-export.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { type StoredColumn, shownColumns } from '../columns.ts'
import { isOutsideTable, type TableRow, tableColumns } from '../records.ts'
import type { Cell, Cells } from '../values.ts'

type WholeTable = NonNullable<z.output<typeof Manifest>['tables']>[number]
export type ManifestRow = z.output<typeof RowSchema>
export type ManifestView = WholeTable['views'][number]

/** A table in a manifest. Rows are JSON lists, because objects would take several times the memory. */
export interface ManifestTable extends Omit<WholeTable, 'rows'> {
  rows: readonly Uint8Array[]
}

export interface StoredView extends ManifestView {
  /** The id of the table, and of the view in manifests. */
  tableId: string
  manifestId: string
}

export interface StoredTable extends Omit<TableRow, 'access'> {
  manifestId: string
  /** Its name, description or columns are by a run that had read untrusted content. */
  isOutside: boolean
}

/** Ids in manifests by ids here, or the reverse. Blocks name tables and views. */
export interface TableIds {
  tables: ReadonlyMap<string, string>
  views: ReadonlyMap<string, string>
}

export interface ProjectTables {
  /** By id in manifests. */
  tables: StoredTable[]
  deleted: StoredTable[]
  views: StoredView[]
}

/** Locks tables in the order of their ids, as every call that locks several. */
export async function readProjectTables(
  sql: Sql,
  orgId: string,
  projectId: string,
  lock: 'share' | 'update',
): Promise<ProjectTables> {
  const all = await sql<StoredTable[]>`
    select ${tableColumns(sql)}, coalesce(t.manifest_id, t.id) as "manifestId", ${isOutsideTable(sql)} as "isOutside"
    from project_tables t where t.org_id = ${orgId} and t.project_id = ${projectId}
    order by t.id ${lock === 'share' ? sql`for share of t` : sql`for no key update of t`}`
  const views = await sql<StoredView[]>`
    select v.id, v.table_id as "tableId", v.name, v.settings, coalesce(v.manifest_id, v.id) as "manifestId"
    from table_views v
    where v.org_id = ${orgId} and v.table_id = any(${all.map(({ id }) => id)}::uuid[]) order by v.id`
  const sorted = all.toSorted((a, b) => (a.manifestId < b.manifestId ? -1 : 1))
  return {
    tables: sorted.filter(({ deletedAt }) => deletedAt === null),
    deleted: sorted.filter(({ deletedAt }) => deletedAt !== null),
    views,
  }
}

/** For blocks that show a table or repeat over its rows. */
export const toManifestIds = ({ tables, views }: ProjectTables): TableIds => ({
  tables: new Map(tables.map(({ id, manifestId }) => [id, manifestId])),
  views: new Map(views.map(({ id, manifestId }) => [id, manifestId])),
})

/** Without rows. */
export function presentForManifest(
  { tables, deleted, views }: ProjectTables,
  { id, manifestId, name, description, columns, key, isOutside }: StoredTable,
): Omit<WholeTable, 'rows'> {
  const ids = new Map([...tables, ...deleted].map((table) => [table.id, table.manifestId]))
  return {
    id: manifestId,
    name,
    description,
    columns: shownColumns(columns).map((column) => portableColumn(column, ids)),
    key,
    views: views
      .filter(({ tableId }) => tableId === id)
      .map((view) => ({ id: view.manifestId, name: view.name, settings: view.settings }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    ...(isOutside && { outside: true }),
  }
}

function portableColumn(
  column: StoredColumn,
  ids: ReadonlyMap<string, string>,
): WholeTable['columns'][number] {
  const { removedAt: _, tableId, ...fields } = column
  return { ...fields, ...(tableId !== undefined && { tableId: ids.get(tableId) ?? tableId }) }
}

const BATCH_ROWS = 500

/** In the order of their ids. */
export async function* readManifestRows(
  sql: Sql,
  { orgId, id, columns, hasOutside }: StoredTable,
  files: ReadonlyMap<string, string>,
): AsyncGenerator<ManifestRow[]> {
  const shown = shownColumns(columns)
  let after: string | null = null
  for (;;) {
    const rows: PortableRow[] = await listRows(sql, orgId, id, { after, hasOutside })
    if (rows.length > 0) yield rows.map((row) => portableRow(row, shown, files))
    if (rows.length < BATCH_ROWS) return
    after = rows.at(-1)!.id
  }
}

interface PortableRow {
  id: string
  cells: Cells
  isOutside: boolean
}

const listRows = (
  sql: Sql,
  orgId: string,
  tableId: string,
  { after, hasOutside }: { after: string | null; hasOutside: boolean },
) => sql<PortableRow[]>`
  select r.id, r.cells, ${hasOutside ? hasOutsideText(sql) : sql`false`} as "isOutside" from table_rows r
  where r.org_id = ${orgId} and r.table_id = ${tableId} and ${after === null ? sql`true` : sql`r.id > ${after}`}
  order by r.id limit ${BATCH_ROWS}`

const hasOutsideText = (sql: Sql): Fragment => sql`exists (
  select from text_origins o where o.org_id = r.org_id and o.record_id = r.id and o.hash = text_hash(r.cells ->> o.field))`

function portableRow(
  { id, cells, isOutside }: PortableRow,
  columns: readonly StoredColumn[],
  files: ReadonlyMap<string, string>,
): ManifestRow {
  const values: ManifestRow['values'] = {}
  for (const column of columns) {
    const cell = Object.hasOwn(cells, column.id) ? portableCell(column, cells[column.id]!, files) : null
    if (cell !== null) values[column.id] = cell
  }
  return { id, values, ...(isOutside && { outside: true }) }
}

/** Null for what means nothing elsewhere: a run, a file without content, and a removed choice. */
function portableCell(
  { type, target, choices = [] }: StoredColumn,
  cell: Cell,
  files: ReadonlyMap<string, string>,
): Cell | null {
  if (type === 'choice') return choices.some(({ id }) => id === cell) ? cell : null
  if (type !== 'link' || target === 'row' || target === 'block') return cell
  return target === 'file' ? (files.get(String(cell)) ?? null) : null
}
