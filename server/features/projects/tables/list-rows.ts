import type { InputOf } from '../../../../contract/endpoint.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { badField, notFound, raise } from '../../../errors.ts'
import { findTable } from './access.ts'
import type { StoredColumn } from './columns.ts'
import { matchesQuery } from './filter.ts'
import { type Group, groupKey } from './group.ts'
import { presentRows } from './present-rows.ts'
import { presentTable, type RowRecord, rowColumns, type TableRow } from './records.ts'
import { type RowOrder, rowOrder, type SortKey, type SortPosition } from './sort.ts'
import { rowsById } from './write-queries.ts'

export async function listRows(ctx: Context<'vault'>, input: InputOf<typeof tables.rows>) {
  const { id, filter, sort = [], search, group, limit, cursor, offset } = input
  if (cursor !== undefined && offset > 0) throw badField('query.offset', 'must be absent with a cursor')
  const table = await findTable(ctx, id)
  const { orgId, columns, key } = table
  const list = JSON.stringify(['rows', orgId, id, filter ?? null, sort, search ?? '', group ?? null])
  const position = decodeCursor(ctx.vault, list, cursor)
  const rows = await selectRows(ctx.sql, orgId, id, {
    matches: matchesQuery(ctx.sql, { columns, key, filter, search, path: 'query.filter' }),
    order: rowOrder(ctx.sql, columns, sort, { groups: groupOrder(ctx.sql, columns, group) }),
    after: position === null ? null : JSON.parse(position),
    limit: limit + 1,
    offset,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = last && rows.length > limit ? JSON.stringify({ values: last.sorted, id: last.id }) : null
  return {
    items: await presentRows(ctx, table, page.map(withoutSorted)),
    nextCursor: next === null ? null : encodeCursor(ctx.vault, list, next),
    seq: table.seq,
  }
}

function groupOrder(sql: Sql, columns: readonly StoredColumn[], group: Group | undefined): SortKey[] {
  if (!group) return []
  const { key, sortKeys } = groupKey(sql, columns, group, 'query.group')
  return sortKeys(key)
}

interface Page {
  matches: Fragment
  order: RowOrder
  after: SortPosition | null
  limit: number
  offset?: number
}

type SortedRow = RowRecord & { sorted: (string | null)[] }

/** Filters have too many shapes to prepare each. */
export const selectRows = (
  sql: Sql,
  orgId: string,
  tableId: string,
  { matches, order, after, limit, offset = 0 }: Page,
) =>
  sql<SortedRow[]>`
    select ${rowColumns(sql)}, ${order.values} as sorted from table_rows r
    where r.org_id = ${orgId} and r.table_id = ${tableId} and ${after ? order.after(after) : sql`true`} and ${matches}
    order by ${order.orderBy} limit ${limit} offset ${offset}`.unprepared()

function withoutSorted(sorted: SortedRow): RowRecord {
  const { sorted: _, ...row } = sorted
  return row
}

const BATCH_ROWS = 500

/** All matching rows in batches, for exports. Sorts once, so a row deleted meanwhile is left out. */
export async function* readRows(
  sql: Sql,
  { orgId, id, columns, key }: TableRow,
  { filter, search, sort = [] }: Pick<InputOf<typeof tables.export>, 'filter' | 'search' | 'sort'>,
): AsyncGenerator<RowRecord[]> {
  const matches = matchesQuery(sql, { columns, key, filter, search, path: 'query.filter' })
  const ids = await listIds(sql, orgId, id, { matches, order: rowOrder(sql, columns, sort) })
  for (let at = 0; at < ids.length; at += BATCH_ROWS) {
    const batch = ids.slice(at, at + BATCH_ROWS)
    const rows = new Map((await listRowsById(sql, orgId, id, batch)).map((row) => [row.id, row]))
    yield batch.flatMap((rowId) => rows.get(rowId) ?? [])
  }
}

async function listIds(
  sql: Sql,
  orgId: string,
  tableId: string,
  { matches, order }: Pick<Page, 'matches' | 'order'>,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select r.id from table_rows r where r.org_id = ${orgId} and r.table_id = ${tableId} and ${matches}
    order by ${order.orderBy}`.unprepared()
  return rows.map((row) => row.id)
}

export async function getRow(ctx: Context, { id, rowId }: InputOf<typeof tables.row>) {
  const table = await findTable(ctx, id)
  const rows = await listRowsById(ctx.sql, table.orgId, id, [rowId])
  const [row] = await presentRows(ctx, table, rows)
  return row ?? raise(notFound('Row'))
}

export const listRowsById = (sql: Sql, orgId: string, tableId: string, ids: string[]) => sql<RowRecord[]>`
  select ${rowColumns(sql)} from ${rowsById(sql, orgId, tableId, sql`unnest(${ids}::uuid[])`)} order by r.id`

/** More is less work to read again. */
const CHANGED_MAX = 500

/** For live clients. */
export async function listChanged(ctx: Context, { id, since }: InputOf<typeof tables.changed>) {
  const { sql } = ctx
  const table = await findTable(ctx, id)
  const { orgId, seq, prunedSeq } = table
  const answer = { table: presentTable(table), rows: [], deletedIds: [], reset: true }
  if (since > seq || since < prunedSeq) return answer
  const changed = await sql<RowRecord[]>`
    select ${rowColumns(sql)} from table_rows r
    where r.org_id = ${orgId} and r.table_id = ${id} and r.seq > ${since} order by r.seq limit ${CHANGED_MAX + 1}`
  if (changed.length > CHANGED_MAX) return answer
  const deleted = await listDeletedSince(sql, orgId, id, since)
  if (deleted.length > CHANGED_MAX) return answer
  const rows = await presentRows(ctx, table, changed)
  return { ...answer, rows, deletedIds: deleted.map((row) => row.id), reset: false }
}

const listDeletedSince = (sql: Sql, orgId: string, tableId: string, since: number) => sql<{ id: string }[]>`
  select distinct c.row_id as id from table_row_changes c
  where c.org_id = ${orgId} and c.table_id = ${tableId} and c.seq > ${since} and c.after is null and not exists (
    select from table_rows r where r.org_id = c.org_id and r.table_id = c.table_id and r.id = c.row_id)
  limit ${CHANGED_MAX + 1}`
