import type { Fragment, Sql } from '../../../database/database.ts'
import type { Cell, Cells } from './values.ts'

export interface StoredRow {
  id: string
  cells: Cells
  version: number
  /** The key as given: its value in JSON, which a number's text isn't. */
  key: Cell | null
}

/** Rows by id or by key. The table must be locked. */
export const listForUpsert = async (
  sql: Sql,
  orgId: string,
  tableId: string,
  { ids, keys }: { ids: readonly string[]; keys: readonly Cell[] },
): Promise<StoredRow[]> => {
  const columns = sql`r.id, r.cells, r.seq as version`
  const named = await sql<Omit<StoredRow, 'key'>[]>`
    select ${columns} from ${rowsById(sql, orgId, tableId, sql`unnest(${[...ids]}::uuid[])`)}`
  const keyed =
    keys.length === 0
      ? []
      : await sql<StoredRow[]>`
    select ${columns}, k.value as key
    from jsonb_array_elements(${sql.json(keys)}::jsonb) k (value) cross join lateral (
      select r.* from table_rows r
      where r.org_id = ${orgId} and r.table_id = ${tableId} and r.key_text = any(array[k.value #>> '{}'])
      order by r.key_text limit 1
    ) r`
  return [...keyed, ...named.filter(({ id }) => !keyed.some((row) => row.id === id)).map(withoutKey)]
}

/**
 * Rows `r`, each found by the primary key. Without statistics, as after a large import, a join would read the whole table
 * for a few of its rows.
 */
export const rowsById = (sql: Sql, orgId: string, tableId: string, ids: Fragment): Fragment => sql`
  ${ids} g (id) cross join lateral (
    select r.*, r.ctid as place from table_rows r
    where r.org_id = ${orgId} and r.table_id = ${tableId} and r.id = any(array[g.id]) order by r.id limit 1
  ) r`

const withoutKey = (row: Omit<StoredRow, 'key'>): StoredRow => ({ ...row, key: null })

export interface WrittenRow {
  id: string
  /** All values after the change. */
  cells: Cells
  /** Changed values. Null for a new row. */
  before: Record<string, Cell | null> | null
  after: Record<string, Cell | null>
}

export interface Stamp {
  seq: number
  key: string | null
  userId: string | null
  runId: string | null
  now: Date
}

/** Returns the number of bytes that the values take. */
export async function insertRows(
  sql: Sql,
  orgId: string,
  tableId: string,
  rows: readonly WrittenRow[],
  stamp: Stamp,
): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    with given as materialized (${givenRows(sql, rows)}), written as (
      ${insertGiven(sql, orgId, tableId, stamp)}
    ), history as (
      insert into table_row_changes (org_id, table_id, seq, row_id, before, after)
      select ${orgId}, ${tableId}, ${stamp.seq}, g.id, null, g.cells from given g
    )
    select sum(bytes)::bigint as bytes from written`
  return row!.bytes
}

/** Of a table that is created with them: undoing that deletes the table. */
export async function insertFirstRows(
  sql: Sql,
  orgId: string,
  tableId: string,
  rows: readonly WrittenRow[],
  stamp: Stamp,
): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    with given as materialized (${givenRows(sql, rows)}), written as (${insertGiven(sql, orgId, tableId, stamp)})
    select coalesce(sum(bytes), 0)::bigint as bytes from written`
  return row!.bytes
}

const insertGiven = (
  sql: Sql,
  orgId: string,
  tableId: string,
  { seq, key, userId, runId, now }: Stamp,
): Fragment => sql`
  insert into table_rows (org_id, table_id, id, cells, key_text, bytes, seq, updated_by, run_id, created_at, updated_at)
  select ${orgId}, ${tableId}, g.id, g.cells, g.cells ->> ${key}::text, octet_length(g.cells::text), ${seq}, ${userId},
    ${runId}, ${now}, ${now}
  from given g
  returning bytes`

/** Returns by how many bytes the values grew. */
export async function updateRows(
  sql: Sql,
  orgId: string,
  tableId: string,
  rows: readonly WrittenRow[],
  { seq, key, userId, runId, now }: Stamp,
): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    with given as materialized (${givenRows(sql, rows)}), former as materialized (
      select r.id, r.bytes, r.place from ${rowsById(sql, orgId, tableId, sql`(select id from given)`)}
    ), written as (
      update table_rows r set cells = g.cells, key_text = g.cells ->> ${key}::text, bytes = octet_length(g.cells::text),
        seq = ${seq}, updated_by = ${userId}, run_id = ${runId}, updated_at = ${now}
      from given g join former f on f.id = g.id
      where r.ctid = f.place
      returning r.bytes - f.bytes as grown
    ), history as (
      insert into table_row_changes (org_id, table_id, seq, row_id, before, after)
      select ${orgId}, ${tableId}, ${seq}, g.id, g.before, g.after from given g
    )
    select coalesce(sum(grown), 0)::bigint as bytes from written`
  return row!.bytes
}

const givenRows = (sql: Sql, rows: readonly WrittenRow[]): Fragment => sql`
  select g.id, g.cells, g.before, g.after
  from jsonb_to_recordset(${sql.json(rows.map(({ id, cells, before, after }) => ({ id, cells, before, after })))}::jsonb)
    as g (id uuid, cells jsonb, before jsonb, after jsonb)`
