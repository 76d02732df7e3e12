import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import { lockTable } from './access.ts'
import type { StoredColumn } from './columns.ts'
import type { TableIds } from './manifest/portable-tables.ts'
import { NO_ROWS, recordChange, writerOf } from './record-change.ts'

/**
 * Copies tables with their rows and views, without history, and returns the new ids by the old ones. Rows keep their ids,
 * which are unique in their table, so links between rows lead to the copies.
 */
export async function copyTables(ctx: Context<'quotas'>, from: string, to: string): Promise<TableIds> {
  const { sql, caller } = ctx
  const { orgId } = caller
  const originals = await listTables(sql, orgId, from)
  const tables = new Map(originals.map(({ id }) => [id, newId()]))
  const views = new Map<string, string>()
  for (const original of originals) {
    const id = tables.get(original.id)!
    const stamp = { ...writerOf(ctx), now: ctx.now() }
    await copyTable(sql, orgId, original, {
      id,
      projectId: to,
      columns: copyColumns(original, tables),
      ...stamp,
    })
    for (const [old, copied] of await copyViews(sql, orgId, original.id, { tableId: id, now: stamp.now }))
      views.set(old, copied)
    const rows = await copyRows(sql, orgId, original.id, { tableId: id, ...stamp })
    for (const { id: column, tableId } of original.columns)
      if (tableId && !tables.has(tableId)) await redirect(sql, orgId, id, { column, copies: new Map() })
    const table = await lockTable(ctx, id)
    const counts = { ...NO_ROWS, created: rows.count, bytes: rows.bytes }
    await recordChange(ctx, table, { seq: table.seq, kind: 'created', rows: counts })
  }
  return { tables, views }
}

/** What links name in the copy. Others would lead to the original, so their cells become empty. */
interface CopiedItems {
  files: ReadonlyMap<string, string>
  blocks: ReadonlyMap<string, string>
}

/** Links to files and blocks lead to their copies. Runs aren’t copied. */
export async function copyLinks(
  { sql, caller: { orgId } }: Context,
  projectId: string,
  { files, blocks }: CopiedItems,
): Promise<void> {
  for (const { id, columns } of await listTables(sql, orgId, projectId))
    for (const { id: column, type, target } of columns) {
      if (type !== 'link' || target === 'row') continue
      const copies = target === 'file' ? files : target === 'block' ? blocks : new Map<string, string>()
      await redirect(sql, orgId, id, { column, copies })
    }
}

interface Original {
  id: string
  columns: StoredColumn[]
}

const listTables = (sql: Sql, orgId: string, projectId: string) => sql<Original[]>`
  select id, columns from project_tables
  where org_id = ${orgId} and project_id = ${projectId} and deleted_at is null order by id`

/** A column that links to a deleted table becomes an empty one. */
const copyColumns = ({ columns }: Original, tables: ReadonlyMap<string, string>): StoredColumn[] =>
  columns.map((column) => {
    if (!column.tableId) return column
    const { target: _, tableId: __, ...fields } = column
    const tableId = tables.get(column.tableId)
    return tableId ? { ...column, tableId } : { ...fields, type: 'text' }
  })

interface Writer {
  userId: string | null
  runId: string | null
  now: Date
}

const copyTable = (
  sql: Sql,
  orgId: string,
  original: Original,
  {
    id,
    projectId,
    columns,
    userId,
    runId,
    now,
  }: Writer & { id: string; projectId: string; columns: StoredColumn[] },
) => sql`
  insert into project_tables (org_id, id, project_id, name, search_key, description, columns, labels, key_column,
    created_by, run_id, created_at, updated_at)
  select org_id, ${id}, ${projectId}, name, search_key, description, ${sql.json(columns)}, labels, key_column,
    ${userId}, ${runId}, ${now}, ${now}
  from project_tables where org_id = ${orgId} and id = ${original.id}`

async function copyViews(
  sql: Sql,
  orgId: string,
  from: string,
  { tableId, now }: { tableId: string; now: Date },
): Promise<Map<string, string>> {
  const views = await sql<{ id: string }[]>`
    select id from table_views where org_id = ${orgId} and table_id = ${from} order by id`
  const ids = new Map(views.map(({ id }) => [id, newId()]))
  await sql`
    insert into table_views (org_id, id, table_id, name, settings, created_at, updated_at)
    select v.org_id, i.new, ${tableId}, v.name, v.settings, ${now}, ${now}
    from unnest(${[...ids.keys()]}::uuid[], ${[...ids.values()]}::uuid[]) i (old, new)
    join table_views v on v.org_id = ${orgId} and v.id = i.old`
  return ids
}

async function copyRows(
  sql: Sql,
  orgId: string,
  from: string,
  { tableId, userId, runId, now }: Writer & { tableId: string },
) {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    with copied as (
      insert into table_rows (org_id, table_id, id, cells, key_text, bytes, seq, updated_by, run_id, created_at, updated_at)
      select r.org_id, ${tableId}, r.id, r.cells, r.key_text, r.bytes, 1, ${userId}, ${runId}, ${now}, ${now}
      from table_rows r where r.org_id = ${orgId} and r.table_id = ${from}
      returning bytes
    )
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from copied`
  return row!
}

interface Redirected {
  column: string
  /** By the originals’ ids. */
  copies: ReadonlyMap<string, string>
}

const redirect = (sql: Sql, orgId: string, tableId: string, { column, copies }: Redirected) => sql`
  update table_rows r set cells = case when f.new is null then r.cells - ${column}::text
    else jsonb_set(r.cells, array[${column}]::text[], to_jsonb(f.new)) end
  from table_rows o left join unnest(${[...copies.keys()]}::text[], ${[...copies.values()]}::text[]) f (old, new)
    on f.old = o.cells ->> ${column}
  where r.org_id = ${orgId} and r.table_id = ${tableId} and r.cells ? ${column} and o.org_id = r.org_id
    and o.table_id = r.table_id and o.id = r.id`
