import type { InputOf } from '../../../../contract/endpoint.ts'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import type { tables } from '../../../../contract/projects/tables.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { isUniqueViolation } from '../../../database/pg-errors.ts'
import { badField, conflict, notFound } from '../../../errors.ts'
import { findTable, lockTable } from './access.ts'
import { isShown, type StoredColumn, settingsFor } from './columns.ts'
import { requireLinkedTables } from './linked-tables.ts'
import { listTargets } from './links.ts'
import { parseText } from './parse-text.ts'
import * as queries from './queries.ts'
import { NO_ROWS, nextSeq, type RowCounts, recordChange, writerOf } from './record-change.ts'
import { presentTable, type TableRow } from './records.ts'
import { type Cell, type Cells, formatCell } from './values.ts'
import { type Stamp, updateRows, type WrittenRow } from './write-queries.ts'

type Input = InputOf<typeof tables.convert>

const BATCH_ROWS = 1000
const EXAMPLES_MAX = 10
const EXAMPLE_CHARACTERS = 100

interface Conversion {
  converted: number
  emptied: number
  examples: { rowId: string; value: string }[]
}

export const convertColumn = (ctx: Context<'quotas'>, input: Input) =>
  ctx.transaction(async (inside) => {
    const { id, columnId, dryRun } = input
    const table = dryRun ? await findTable(inside, id, 'edit') : await lockTable(inside, id)
    const before = table.columns.find((column) => column.id === columnId && isShown(column))
    if (!before) throw notFound('Column')
    const after = await planColumn(inside, table, before, input)
    const seq = nextSeq(table)
    const stamp = { seq, key: table.key, ...writerOf(inside), now: ctx.now() }
    const { result, rows } = await convertCells(inside, table, {
      before,
      after,
      stamp: dryRun ? null : stamp,
    })
    if (!dryRun) {
      const columns = table.columns.map((column) => (column.id === columnId ? after : column))
      const { name, description, key, orgId } = table
      await queries.updateTable(inside.sql, orgId, id, { name, description, key, columns, now: ctx.now() })
      await recordChange(inside, table, {
        ...{ seq, kind: 'converted', rows },
        ...{ before: { columns: table.columns }, after: { columns } },
      })
    }
    return { ...result, table: presentTable(await findTable(inside, id)) }
  })

/** All cells of a column. Without a stamp, counts them. */
export async function convertCells(
  ctx: Context,
  table: TableRow,
  { before, after, stamp }: { before: StoredColumn; after: StoredColumn; stamp: Stamp | null },
): Promise<{ result: Conversion; rows: RowCounts }> {
  const result: Conversion = { converted: 0, emptied: 0, examples: [] }
  let rows = NO_ROWS
  for await (const batch of readBatches(ctx.sql, table, before.id)) {
    const changed = await convertBatch(ctx, table, { before, after, batch, result })
    if (!stamp || changed.length === 0) continue
    const bytes = await writeBatch(ctx.sql, table, changed, stamp)
    rows = { ...rows, updated: rows.updated + changed.length, bytes: rows.bytes + bytes }
  }
  return { result, rows }
}

async function planColumn(
  ctx: Context,
  table: TableRow,
  before: StoredColumn,
  { type, currency, time, choices, target, tableId }: Input,
): Promise<StoredColumn> {
  const { id, name } = before
  if (id === table.key && (type === 'boolean' || type === 'link'))
    throw badField('body.type', `must not be ${type}, because the column is the key`)
  const given =
    type === 'choice' ? (choices ?? (await choicesFrom(ctx.sql, table.orgId, table.id, before))) : choices
  const settings = settingsFor({ type, currency, time, choices: given, target, tableId }, 'body')
  const after = { id, name, ...settings }
  await requireLinkedTables(ctx, table.projectId, [after], 'body.tableId')
  return after
}

/** One for each value. */
async function choicesFrom(sql: Sql, orgId: string, tableId: string, column: StoredColumn) {
  if (column.type === 'choice') return column.choices ?? []
  const rows = await sql<{ value: string }[]>`
    select trim(r.cells ->> ${column.id}) as value from table_rows r
    where r.org_id = ${orgId} and r.table_id = ${tableId} and trim(r.cells ->> ${column.id}) <> ''
    group by 1 order by count(*) desc, 1 limit ${TABLE_LIMITS.choices + 1}`
  if (rows.length > TABLE_LIMITS.choices)
    throw conflict(`The column has more than ${TABLE_LIMITS.choices} values: give the choices to keep`)
  return rows.flatMap(({ value }) => (value.length > TABLE_LIMITS.choiceName ? [] : { name: value }))
}

interface CellRow {
  id: string
  cells: Cells
}

async function* readBatches(sql: Sql, { orgId, id }: TableRow, columnId: string): AsyncGenerator<CellRow[]> {
  let after: string | null = null
  for (;;) {
    const rows: CellRow[] = await sql<CellRow[]>`
      select r.id, r.cells from table_rows r
      where r.org_id = ${orgId} and r.table_id = ${id} and r.cells ? ${columnId}
        and ${after === null ? sql`true` : sql`r.id > ${after}`}
      order by r.id limit ${BATCH_ROWS}`
    if (rows.length > 0) yield rows
    if (rows.length < BATCH_ROWS) return
    after = rows.at(-1)!.id
  }
}

interface Batch {
  before: StoredColumn
  after: StoredColumn
  batch: readonly CellRow[]
  result: Conversion
}

/** Counts what it converts, and returns rows whose stored value differs. */
async function convertBatch(
  ctx: Context,
  table: TableRow,
  { before, after, batch, result }: Batch,
): Promise<WrittenRow[]> {
  const links = await findTargets(ctx, table, { before, after, batch })
  const written: WrittenRow[] = []
  for (const { id, cells } of batch) {
    const cell = cells[after.id]!
    const text = formatCell(before, cell)
    const parsed = parseText(after, text)
    const found = 'problem' in parsed || (links && !links.has(String(parsed.cell))) ? null : parsed.cell
    if (found === null && text !== '') {
      result.emptied++
      const example = { rowId: id, value: text.slice(0, EXAMPLE_CHARACTERS).toWellFormed() }
      if (result.examples.length < EXAMPLES_MAX) result.examples.push(example)
    } else result.converted++
    if (found === cell) continue
    const { [after.id]: _, ...others } = cells
    const merged = found === null ? others : { ...cells, [after.id]: found }
    written.push({ id, cells: merged, before: { [after.id]: cell }, after: { [after.id]: found as Cell } })
  }
  return written
}

/** For a link column, the targets that exist. */
async function findTargets(ctx: Context, table: TableRow, { before, after, batch }: Omit<Batch, 'result'>) {
  if (after.type !== 'link') return null
  const ids = batch.flatMap(({ cells }) => {
    const parsed = parseText(after, formatCell(before, cells[after.id]))
    return 'problem' in parsed || parsed.cell === null ? [] : [String(parsed.cell)]
  })
  return listTargets(ctx, table, after, ids)
}

async function writeBatch(
  sql: Sql,
  { orgId, id }: TableRow,
  rows: readonly WrittenRow[],
  stamp: Stamp,
): Promise<number> {
  try {
    return await updateRows(sql, orgId, id, rows, stamp)
  } catch (error) {
    if (!isUniqueViolation(error, 'table_rows_key')) throw error
    throw conflict('The column is the key, and several rows would get the same value')
  }
}
