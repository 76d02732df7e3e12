import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import { lockTable } from './access.ts'
import type { StoredColumn } from './columns.ts'
import { linkGroup } from './links.ts'
import { NO_ROWS, recordChange, writerOf } from './record-change.ts'

/** What links name in the copy. Absent ones would lead to the original, so their cells stay empty. */
export interface CopiedItems {
  files: ReadonlyMap<string, string>
}

/**
 * Copies tables with their rows and views, without history. Returns the new ids by the old ones. Rows keep their order;
 * links to rows of copied tables lead to the copies.
 */
export async function copyTables(
  ctx: Context<'quotas'>,
  from: string,
  to: string,
  { files }: CopiedItems,
): Promise<ReadonlyMap<string, string>> {
  const { sql, caller } = ctx
  const originals = await listTables(sql, caller.orgId, from)
  const ids = new Map(originals.map(({ id }) => [id, newId()]))
  for (const original of originals) {
    const id = ids.get(original.id)!
    const columns = original.columns.map((column) =>
      column.tableId ? { ...column, tableId: ids.get(column.tableId) ?? column.tableId } : column,
    )
    const writer = writerOf(ctx)
    const now = ctx.now()
    await sql`
      insert into project_tables (org_id, id, project_id, name, search_key, description, columns, labels, key_column,
        created_by, run_id, created_at, updated_at)
      select org_id, ${id}, ${to}, name, search_key, description, ${sql.json(columns)}, labels, key_column,
        ${writer.userId}, ${writer.runId}, ${now}, ${now}
      from project_tables where org_id = ${caller.orgId} and id = ${original.id}`
    await sql`
      insert into table_views (org_id, id, table_id, name, settings, created_at, updated_at)
      select org_id, gen_random_uuid(), ${id}, name, settings, ${now}, ${now} from table_views
      where org_id = ${caller.orgId} and table_id = ${original.id}`
    const rows = await copyRows(sql, caller.orgId, original.id, id, { ...writer, now })
    const table = await lockTable(ctx, id)
    const counts = { ...NO_ROWS, created: rows.count, bytes: rows.bytes }
    await recordChange(ctx, table, { seq: table.seq, kind: 'created', rows: counts })
  }
  for (const original of originals) {
    const id = ids.get(original.id)!
    for (const column of original.columns.filter(({ type }) => type === 'link'))
      await redirect(sql, caller.orgId, id, { column, ids, files })
  }
  return ids
}

const listTables = (sql: Sql, orgId: string, projectId: string) => sql<
  { id: string; columns: StoredColumn[] }[]
>`
  select id, columns from project_tables
  where org_id = ${orgId} and project_id = ${projectId} and deleted_at is null order by id`

/** An id that follows from the original’s id and the copy’s table, so links can be computed, in the same order. */
const copiedId = (sql: Sql, tableId: string, rowId: ReturnType<Sql>) => sql`
  overlay(md5(${rowId}::text || ${tableId})::text placing left(replace(${rowId}::text, '-', ''), 16) || '8' from 1)::uuid`

async function copyRows(
  sql: Sql,
  orgId: string,
  from: string,
  to: string,
  { userId, runId, now }: { userId: string | null; runId: string | null; now: Date },
) {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    with copied as (
      insert into table_rows (org_id, table_id, id, cells, key_text, bytes, seq, updated_by, run_id, created_at, updated_at)
      select r.org_id, ${to}, ${copiedId(sql, to, sql`r.id`)}, r.cells, r.key_text, r.bytes, 1, ${userId}, ${runId}, ${now},
        ${now}
      from table_rows r where r.org_id = ${orgId} and r.table_id = ${from}
      returning bytes
    )
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from copied`
  return row!
}

interface Redirected extends CopiedItems {
  column: StoredColumn
  ids: ReadonlyMap<string, string>
}

/** Blocks and runs aren’t in the copy under an id that is known here, so links to them are emptied. */
async function redirect(sql: Sql, orgId: string, tableId: string, { column, ids, files }: Redirected) {
  const { id } = column
  const target = column.target === 'row' ? ids.get(linkGroup(column)) : undefined
  if (target)
    return sql`
      update table_rows r set cells = jsonb_set(r.cells, array[${id}]::text[],
        to_jsonb(${copiedId(sql, target, sql`(r.cells ->> ${id})::uuid`)}::text))
      where r.org_id = ${orgId} and r.table_id = ${tableId} and r.cells ? ${id}`
  const known = column.target === 'file' ? files : new Map<string, string>()
  return sql`
    update table_rows r set cells = case when f.new is null then r.cells - ${id}::text
      else jsonb_set(r.cells, array[${id}]::text[], to_jsonb(f.new)) end
    from table_rows o left join unnest(${[...known.keys()]}::text[], ${[...known.values()]}::text[]) f (old, new)
      on f.old = o.cells ->> ${id}
    where r.org_id = ${orgId} and r.table_id = ${tableId} and r.cells ? ${id} and o.org_id = r.org_id
      and o.table_id = r.table_id and o.id = r.id`
}
