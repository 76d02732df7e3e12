import { TABLE_CHANGES_MAX, TABLE_HISTORY_DAYS } from '../../../../contract/projects/table-options.ts'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { firstBatch, inBatch } from '../../../database/delete-batch.ts'
import type { EmptyProject } from '../../../feature.ts'

const TABLES_PER_BATCH = 100
const ROWS_PER_BATCH = 5000

/** Deletes tables, history and removed columns’ values whose time is over. */
export async function sweepTables(ctx: JobContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - TABLE_HISTORY_DAYS * 86_400_000)
  for (const { orgId, id } of await listExpired(ctx.sql, before))
    while ((await ctx.transaction(({ sql }) => emptyTable(sql, orgId, id, ROWS_PER_BATCH))) > 0);
  for (const { orgId, id } of await listWithOldHistory(ctx.sql, before))
    while ((await ctx.transaction(({ sql }) => pruneHistory(sql, orgId, id, before))) > 0);
  for (const { orgId, id } of await listWithRemovedColumns(ctx.sql, before))
    while ((await ctx.transaction(({ sql }) => stripColumns(sql, orgId, id, before))) > 0);
}

interface TableRef {
  orgId: string
  id: string
}

const listExpired = (sql: Sql, before: Date) => sql<TableRef[]>`
  select org_id as "orgId", id from project_tables where deleted_at < ${before} order by deleted_at
  limit ${TABLES_PER_BATCH}`

const listWithOldHistory = (sql: Sql, before: Date) => sql<TableRef[]>`
  (select distinct c.org_id as "orgId", c.table_id as id from (
    select org_id, table_id from table_changes where created_at < ${before} order by created_at limit ${ROWS_PER_BATCH}) c)
  union
  (select org_id, id from project_tables where seq - pruned_seq > ${TABLE_CHANGES_MAX} limit ${TABLES_PER_BATCH})`

const listWithRemovedColumns = (sql: Sql, before: Date) => sql<TableRef[]>`
  select org_id as "orgId", id from project_tables t
  where t.columns @? '$[*].removedAt' and exists (
    select from jsonb_array_elements(t.columns) c where c ->> 'removedAt' < ${before.toISOString()})
  limit ${TABLES_PER_BATCH}`

/** Parts first, so a batch stays small. */
const emptyTable = (sql: Sql, orgId: string, id: string, limit: number): Promise<number> => {
  const batchOf = (table: 'table_rows' | 'table_row_changes' | 'table_changes') =>
    inBatch(sql, sql`${sql(table)} t where t.org_id = ${orgId} and t.table_id = ${id}`, limit)
  return firstBatch([
    () => sql`delete from table_row_changes where ${batchOf('table_row_changes')}`,
    () => sql`delete from table_changes where ${batchOf('table_changes')}`,
    () => sql`delete from table_rows where ${batchOf('table_rows')}`,
    () => sql`delete from project_tables where org_id = ${orgId} and id = ${id}`,
  ])
}

export const emptyProjectTables: EmptyProject = async ({ sql }, { orgId, id }, limit) => {
  const [table] = await sql<{ id: string }[]>`
    select id from project_tables where org_id = ${orgId} and project_id = ${id} limit 1`
  return table ? emptyTable(sql, orgId, table.id, limit) : 0
}

/** The oldest change with its rows. Runs that made it can’t be undone. */
async function pruneHistory(sql: Sql, orgId: string, id: string, before: Date): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`
    select t.pruned_seq as seq from project_tables t where t.org_id = ${orgId} and t.id = ${id} for no key update`
  if (!row) return 0
  const [last] = await sql<{ seq: number | null }[]>`
    select max(c.seq) as seq from (
      select seq from table_changes
      where org_id = ${orgId} and table_id = ${id} and (created_at < ${before} or seq <= (
        select t.seq - ${TABLE_CHANGES_MAX}::bigint from project_tables t where t.org_id = ${orgId} and t.id = ${id}))
      order by seq limit 20
    ) c`
  if (last!.seq === null) return 0
  await sql`
    update project_tables set pruned_seq = ${last!.seq} where org_id = ${orgId} and id = ${id}`
  await sql`delete from table_row_changes where org_id = ${orgId} and table_id = ${id} and seq <= ${last!.seq}`
  const { count } = await sql`
    delete from table_changes where org_id = ${orgId} and table_id = ${id} and seq <= ${last!.seq}`
  return count
}

/** Values first, in batches; then the columns. */
async function stripColumns(sql: Sql, orgId: string, id: string, before: Date): Promise<number> {
  const [table] = await sql<{ ids: string[] }[]>`
    select array(select c ->> 'id' from jsonb_array_elements(t.columns) c
      where c ->> 'removedAt' < ${before.toISOString()}) as ids
    from project_tables t where t.org_id = ${orgId} and t.id = ${id} for no key update`
  const ids = table?.ids ?? []
  if (ids.length === 0) return 0
  const { count, bytes } = await stripCells(sql, orgId, id, ids)
  if (count > 0) {
    await sql`
      update project_tables set row_bytes = row_bytes + ${bytes}::bigint where org_id = ${orgId} and id = ${id}`
    return count
  }
  const { count: changed } = await sql`
    update project_tables t set columns = (
      select coalesce(jsonb_agg(e.c order by e.n), '[]') from jsonb_array_elements(t.columns) with ordinality e (c, n)
      where not (e.c ->> 'id' = any(${ids}::text[]) and e.c ? 'removedAt'))
    where t.org_id = ${orgId} and t.id = ${id}`
  return changed
}

async function stripCells(sql: Sql, orgId: string, tableId: string, ids: string[]) {
  const [row] = await sql<{ count: number; bytes: number }[]>`
    with target as (
      select r.id, r.bytes, r.cells - ${ids}::text[] as cells from table_rows r
      where r.org_id = ${orgId} and r.table_id = ${tableId} and r.cells ?| ${ids}::text[] limit ${ROWS_PER_BATCH}
    ), written as (
      update table_rows r set cells = t.cells, bytes = octet_length(t.cells::text) from target t
      where r.org_id = ${orgId} and r.table_id = ${tableId} and r.id = t.id returning r.bytes - t.bytes as grown
    )
    select count(*) as count, coalesce(sum(grown), 0)::bigint as bytes from written`
  return row!
}
