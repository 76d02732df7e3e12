import { Readable } from 'node:stream'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { tables } from '../../../../../contract/projects/tables.ts'
import type { Context } from '../../../../context.ts'
import { csvLine } from '../../../../database/csv.ts'
import { reply } from '../../../../endpoint/route.ts'
import { contentDisposition } from '../../../files/files/files.ts'
import { findTable } from '../access.ts'
import { type StoredColumn, shownColumns } from '../columns.ts'
import { matchesQuery } from '../filter.ts'
import { type LinkTitles, linkGroup, readLinks } from '../links.ts'
import { readRows } from '../list-rows.ts'
import type { TableRow } from '../records.ts'
import { rowOrder } from '../sort.ts'
import { type Cell, formatCell } from '../values.ts'
import { workbook, type XlsxCell } from './workbook.ts'

type Input = InputOf<typeof tables.export>

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

export async function exportRows(ctx: Context, { id, format, byteRequest, ...selection }: Input) {
  const table = await findTable(ctx, id)
  // Throws now: once the response has begun, it can't become an error.
  matchesQuery(ctx.sql, { columns: table.columns, key: table.key, ...selection, path: 'query.filter' })
  rowOrder(ctx.sql, table.columns, selection.sort ?? [])
  const headers = {
    'content-type': TYPES[format],
    'content-disposition': contentDisposition(`${table.name}.${format}`, TYPES[format], 'attachment'),
  }
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
  const columns = shownColumns(table.columns)
  const rows = () => readCells(ctx, table, columns, selection)
  const content =
    format === 'csv'
      ? asCsv(columns, rows())
      : workbook({ name: table.name, header: columns.map(nameOf), rows, now: ctx.now() })
  return reply(null, { bytes: { content: Readable.from(content), headers } })
}

const nameOf = ({ name }: StoredColumn) => name

async function* readCells(
  ctx: Context,
  table: TableRow,
  columns: readonly StoredColumn[],
  selection: Pick<Input, 'filter' | 'search' | 'sort'>,
): AsyncGenerator<XlsxCell[]> {
  for await (const rows of readRows(ctx.sql, table, selection)) {
    const links = await readLinks(
      ctx,
      table,
      rows.map(({ cells }) => cells),
    )
    for (const { cells } of rows) yield columns.map((column) => toCell(column, cells[column.id], links))
  }
}

function toCell(column: StoredColumn, cell: Cell | undefined, links: LinkTitles): XlsxCell {
  if (cell === undefined) return null
  if (column.type === 'number' || column.type === 'money') return { decimal: String(cell) }
  if (column.type === 'link') return links.get(linkGroup(column))?.get(String(cell))?.title ?? String(cell)
  return formatCell(column, cell)
}

const LINES_PER_CHUNK = 500

/** With a byte order mark, without which spreadsheets take UTF-8 for Latin-1. */
async function* asCsv(
  columns: readonly StoredColumn[],
  rows: AsyncIterable<XlsxCell[]>,
): AsyncGenerator<string> {
  let chunk = `\ufeff${csvLine(columns.map(nameOf))}`
  let lines = 0
  for await (const cells of rows) {
    chunk += csvLine(cells)
    if (++lines % LINES_PER_CHUNK > 0) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
