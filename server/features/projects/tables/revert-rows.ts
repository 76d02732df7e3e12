import type { Fragment, Sql } from '../../../database/database.ts'
import { isUniqueViolation } from '../../../database/pg-errors.ts'
import { conflict } from '../../../errors.ts'
import type { RowCounts } from './record-change.ts'
import type { Stamp } from './write-queries.ts'

/**
 * Restores what the changes `seqs` replaced, cell by cell: created rows go, deleted ones return, and others get the
 * changed cells' first values. A row that somebody else has deleted since stays deleted. The table must be locked.
 */
export async function revertRows(
  sql: Sql,
  orgId: string,
  tableId: string,
  seqs: readonly number[],
  stamp: Stamp,
): Promise<RowCounts> {
  try {
    const removed = await removeCreated(sql, orgId, tableId, seqs, stamp)
    const changed = await restoreCells(sql, orgId, tableId, seqs, stamp)
    const returned = await recreateDeleted(sql, orgId, tableId, seqs, stamp)
    return {
      created: returned.count,
      updated: changed.count,
      deleted: removed.count,
      bytes: returned.bytes + changed.bytes - removed.bytes,
    }
  } catch (error) {
    if (!isUniqueViolation(error, 'table_rows_key')) throw error
    throw conflict('Another row has the key of a row to restore: change or delete that row first')
  }
}

interface Written {
  count: number
  bytes: number
}

/** Changed rows, with their first change and last change among `seqs`. */
const changedRows = (sql: Sql, orgId: string, tableId: string, seqs: readonly number[]): Fragment => sql`
  select c.row_id, min(c.seq) as first, max(c.seq) as last from table_row_changes c
  where c.org_id = ${orgId} and c.table_id = ${tableId} and c.seq = any(${[...seqs]}::bigint[]) group by c.row_id`

/** For a changed row `f`: each cell's value before the first change to it. Null cells were empty. */
const formerCells = (sql: Sql, orgId: string, tableId: string, seqs: readonly number[]): Fragment => sql`(
  select coalesce(jsonb_object_agg(e.key, e.value), '{}') from (
    select distinct on (e.key) e.key, e.value from table_row_changes c cross join jsonb_each(c.before) e
    where c.org_id = ${orgId} and c.table_id = ${tableId} and c.row_id = f.row_id and c.seq = any(${[...seqs]}::bigint[])
    order by e.key, c.seq
  ) e)`

const change = (sql: Sql, orgId: string, tableId: string, seq: Fragment): Fragment => sql`
  table_row_changes c on c.org_id = ${orgId} and c.table_id = ${tableId} and c.seq = ${seq} and c.row_id = f.row_id`

async function removeCreated(
  sql: Sql,
  orgId: string,
  tableId: string,
  seqs: readonly number[],
  { seq }: Stamp,
): Promise<Written> {
  const [row] = await sql<Written[]>`
    with gone as (
      delete from table_rows r using (${changedRows(sql, orgId, tableId, seqs)}) f
      join ${change(sql, orgId, tableId, sql`f.first`)}
      where r.org_id = ${orgId} and r.table_id = ${tableId} and r.id = f.row_id and c.before is null
      returning r.id, r.cells, r.bytes
    ), history as (
      insert into table_row_changes (org_id, table_id, seq, row_id, before, after)
      select ${orgId}, ${tableId}, ${seq}, g.id, g.cells, null from gone g
    )
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from gone`
  return row!
}

async function restoreCells(
  sql: Sql,
  orgId: string,
  tableId: string,
  seqs: readonly number[],
  { seq, key, userId, runId, now }: Stamp,
): Promise<Written> {
  const [row] = await sql<Written[]>`
    with target as materialized (
      select r.id, r.cells, r.bytes, o.former, jsonb_strip_nulls(r.cells || o.former) as merged
      from (${changedRows(sql, orgId, tableId, seqs)}) f
      join ${change(sql, orgId, tableId, sql`f.first`)}
      join table_rows r on r.org_id = ${orgId} and r.table_id = ${tableId} and r.id = f.row_id
      cross join lateral (select ${formerCells(sql, orgId, tableId, seqs)} as former) o
      where c.before is not null
    ), written as (
      update table_rows r set cells = t.merged, key_text = t.merged ->> ${key}::text,
        bytes = octet_length(t.merged::text), seq = ${seq}, updated_by = ${userId}, run_id = ${runId}, updated_at = ${now}
      from target t
      where r.org_id = ${orgId} and r.table_id = ${tableId} and r.id = t.id and t.merged <> t.cells
      returning r.id, r.bytes - t.bytes as grown
    ), history as (
      insert into table_row_changes (org_id, table_id, seq, row_id, before, after)
      select ${orgId}, ${tableId}, ${seq}, t.id, changed.before, changed.after
      from target t cross join lateral (
        select jsonb_object_agg(k, coalesce(t.cells -> k, 'null')) as before,
          jsonb_object_agg(k, coalesce(t.merged -> k, 'null')) as after
        from jsonb_object_keys(t.former) k where t.cells -> k is distinct from t.merged -> k
      ) changed
      where t.merged <> t.cells
    )
    select count(*) as count, coalesce(sum(grown), 0)::bigint as bytes from written`
  return row!
}

async function recreateDeleted(
  sql: Sql,
  orgId: string,
  tableId: string,
  seqs: readonly number[],
  { seq, key, userId, runId, now }: Stamp,
): Promise<Written> {
  const [row] = await sql<Written[]>`
    with target as materialized (
      select f.row_id as id, jsonb_strip_nulls(${formerCells(sql, orgId, tableId, seqs)}) as cells
      from (${changedRows(sql, orgId, tableId, seqs)}) f
      join ${change(sql, orgId, tableId, sql`f.last`)}
      where c.after is null and not exists (
        select from table_row_changes n
        where n.org_id = ${orgId} and n.table_id = ${tableId} and n.seq = f.first and n.row_id = f.row_id and n.before is null)
        and not exists (
          select from table_rows r where r.org_id = ${orgId} and r.table_id = ${tableId} and r.id = f.row_id)
    ), written as (
      insert into table_rows (org_id, table_id, id, cells, key_text, bytes, seq, updated_by, run_id, created_at, updated_at)
      select ${orgId}, ${tableId}, t.id, t.cells, t.cells ->> ${key}::text, octet_length(t.cells::text), ${seq}, ${userId},
        ${runId}, ${now}, ${now}
      from target t
      returning bytes
    ), history as (
      insert into table_row_changes (org_id, table_id, seq, row_id, before, after)
      select ${orgId}, ${tableId}, ${seq}, t.id, null, t.cells from target t
    )
    select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes from written`
  return row!
}

/** Rows that others have changed since, without changes that were undone. */
export async function countEditedSince(
  sql: Sql,
  orgId: string,
  tableId: string,
  seqs: readonly number[],
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from (${changedRows(sql, orgId, tableId, seqs)}) f
    where exists (
      select from table_row_changes c
      join table_changes h on h.org_id = c.org_id and h.table_id = c.table_id and h.seq = c.seq
      where c.org_id = ${orgId} and c.table_id = ${tableId} and c.row_id = f.row_id and c.seq > f.first
        and c.seq <> all(${[...seqs]}::bigint[]) and not ${isUndone(sql)})`
  return row!.count
}

/** Change `h` was undone, or is what undid another: together they change nothing. */
export const isUndone = (sql: Sql): Fragment => sql`(h.undone_by is not null or h.undoes is not null or (
  h.run_id is not null and exists (
    select from runs u join runs root on root.org_id = u.org_id and root.id = coalesce(u.undo_of, u.id)
    where u.org_id = h.org_id and u.id = h.run_id and root.restored_at is not null)))`
