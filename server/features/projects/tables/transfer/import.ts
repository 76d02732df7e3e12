import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import { TABLE_LIMITS } from '../../../../../contract/projects/table-options.ts'
import type { ImportResult } from '../../../../../contract/projects/tables.ts'
import type { Context } from '../../../../context.ts'
import { dryRun } from '../../../../dry-run.ts'
import { ApiError } from '../../../../errors.ts'
import { lockTable } from '../access.ts'
import { changeSettings } from '../manage.ts'
import { NO_ROWS, nextSeq, recordChange } from '../record-change.ts'
import type { TableRow } from '../records.ts'
import { writeRows } from '../upsert.ts'
import { createErrors, type ImportErrors } from './import-errors.ts'
import { type MappedColumn, mapColumns } from './map-columns.ts'
import { parseLines } from './parse-lines.ts'
import type { PreparedImport } from './read-source.ts'

export { prepareImport } from './read-source.ts'

type Result = z.output<typeof ImportResult>

const SAMPLE_ROWS = 20
const SAMPLE_CHARACTERS = 200

/** A dry run imports the file and takes it back, so that it finds what an import would. */
export const importRows = (ctx: Context<'quotas'>, input: PreparedImport): Promise<Result> =>
  input.dryRun
    ? dryRun(ctx, async (inside) => ({ ...(await run(inside, input)), dryRun: true, seq: null }))
    : ctx.transaction((inside) => run(inside, input))

async function run(ctx: Context<'quotas'>, input: PreparedImport): Promise<Result> {
  const { id, dryRun: isDryRun, source } = input
  const table = await lockTable(ctx, id)
  const { columns, mapped } = mapColumns(table, source, input)
  await changeSettings(ctx, table, { ...settingsOf(table), columns })
  const changed: TableRow = { ...table, columns }
  const errors = createErrors()
  const seq = nextSeq(table)
  const counts = await importLines(ctx, changed, { mapped, source, seq, errors })
  const { created, updated, unchanged } = counts
  if (errors.count > 0 && !isDryRun) throw errors.asApiError()
  if (created + updated > 0)
    await recordChange(ctx, table, {
      seq,
      kind: 'imported',
      rows: { ...NO_ROWS, created, updated, bytes: counts.bytes },
    })
  return {
    dryRun: false,
    seq: table.seq,
    rows: source.rows.length,
    ...{ created, updated, unchanged },
    columns: mapped.map(presentColumn),
    errors: errors.list,
    errorCount: errors.count,
    sample: source.rows
      .slice(0, SAMPLE_ROWS)
      .map((row) => row.map((cell) => cell.slice(0, SAMPLE_CHARACTERS).toWellFormed())),
  }
}

const settingsOf = ({ name, description, key }: TableRow) => ({ name, description, key })

const presentColumn = ({ header, column, isNew }: MappedColumn) => ({
  header,
  column: column?.id ?? null,
  type: column?.type ?? null,
  isNew,
})

interface ImportLines {
  mapped: readonly MappedColumn[]
  source: PreparedImport['source']
  seq: number
  errors: ImportErrors
}

/** Rows with errors are left out, so that one doesn’t hide others. */
async function importLines(ctx: Context, table: TableRow, { mapped, source, seq, errors }: ImportLines) {
  const counts = { created: 0, updated: 0, unchanged: 0, bytes: 0 }
  const keys = new Map<string | number | boolean, number>()
  for (let at = 0; at < source.rows.length; at += TABLE_LIMITS.rowsPerCall) {
    const lines = source.rows.slice(at, at + TABLE_LIMITS.rowsPerCall)
    const rows = await parseLines(ctx, table, { mapped, lines, firstLine: at + FIRST_LINE, errors, keys })
    if (rows.length === 0) continue
    const { counts: written } = await writeRows(ctx, table, rows, { seq, mode: 'upsert', path: 'body.rows' })
    counts.created += written.created
    counts.updated += written.updated
    counts.unchanged += rows.length - written.created - written.updated
    counts.bytes += written.bytes
    if (table.rowCount + counts.created > TABLE_LIMITS.rows)
      throw new ApiError('CONFLICT', `A table can have ${TABLE_LIMITS.rows.toLocaleString('en-US')} rows`, {
        details: { reason: 'table_full' },
      })
    await nextTurn()
  }
  return counts
}

/** After the header, which is line 1. */
const FIRST_LINE = 2
