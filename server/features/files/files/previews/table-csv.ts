import { decode } from './encoding.ts'
import { type Preview, PreviewError, type RenderJob } from './job.ts'
import { COLUMNS_MAX, createTableBudget, PREVIEW_TABLE, type TableLimits } from './limits.ts'
import { isContainer } from './office-file.ts'

/** Formulas are never evaluated. */
export function renderCsv(
  bytes: Uint8Array,
  { mimeType }: RenderJob,
  limits: TableLimits = PREVIEW_TABLE,
): Preview<'table'> {
  if (isContainer(bytes)) throw new PreviewError('broken')
  const text = decode(bytes)
  const delimiter = mimeType === 'text/tab-separated-values' ? '\t' : delimiterOf(text)
  const { rows, totalRows, totalColumns } = scanCsv(text, delimiter, limits.rowsMax, COLUMNS_MAX)
  const budget = createTableBudget(limits)
  const shown: string[][] = []
  for (const cells of rows) {
    const row = budget.take(cells)
    if (!row) break
    shown.push(row)
  }
  const truncated = budget.isTruncated() || shown.length < totalRows || totalColumns > COLUMNS_MAX
  const sheet = { name: '', rows: shown, totalRows, totalColumns }
  return { kind: 'table', mimeType, truncated, sheets: [sheet], totalSheets: 1 }
}

const DELIMITERS = [',', ';', '\t', '|']
const SAMPLE_UNITS_MAX = 65_536
const SAMPLE_ROWS_MAX = 50

/** Most rows at equal width, then the widest. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, SAMPLE_UNITS_MAX)
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(sample, delimiter) }))
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).delimiter
}

function scoreOf(sample: string, delimiter: string): number {
  const { rows } = scanCsv(sample, delimiter, SAMPLE_ROWS_MAX, COLUMNS_MAX)
  const widths = Map.groupBy(rows, (row) => row.length)
  const [width, alike] = [...widths].reduce((best, next) => (next[1].length > best[1].length ? next : best), [
    1,
    [],
  ] as [number, string[][]])
  return width === 1 ? 0 : (alike.length / rows.length) * 1000 + width
}

interface Table {
  rows: string[][]
  totalRows: number
  totalColumns: number
}

/**
 * Counts cells beyond the limits without storing them, so a million columns cost no more memory than their text. As in
 * spreadsheets, quotes count at a cell's beginning, and text after the closing quote belongs to the cell.
 */
function scanCsv(text: string, delimiter: string, rowsMax: number, columnsMax: number): Table {
  const table: Table = { rows: [], totalRows: 0, totalColumns: 0 }
  let position = 0
  let row: string[] = []
  let columns = 0
  const isShown = () => table.rows.length < rowsMax && columns < columnsMax

  const endCell = (start: number, end: number, quoted: string | null) => {
    if (isShown()) row.push(quoted === null ? text.slice(start, end) : quoted + text.slice(start, end))
    columns++
  }
  const endRow = () => {
    if (table.rows.length < rowsMax) table.rows.push(row)
    table.totalRows++
    table.totalColumns = Math.max(table.totalColumns, columns)
    row = []
    columns = 0
  }

  while (position < text.length) {
    let quoted: string | null = null
    if (text[position] === '"') {
      const end = endOfQuoted(text, position + 1)
      quoted = isShown() ? text.slice(position + 1, end).replaceAll('""', '"') : ''
      position = end + 1
    }
    const start = Math.min(position, text.length)
    position = endOfBare(text, start, delimiter)
    endCell(start, position, quoted)
    if (text[position] === delimiter) {
      position++
      if (position === text.length) endCell(position, position, null)
      continue
    }
    if (position < text.length) position += text[position] === '\r' && text[position + 1] === '\n' ? 2 : 1
    endRow()
  }
  if (columns > 0) endRow()
  return table
}

function endOfQuoted(text: string, from: number): number {
  let position = from
  for (;;) {
    const quote = text.indexOf('"', position)
    if (quote === -1) return text.length
    if (text[quote + 1] !== '"') return quote
    position = quote + 2
  }
}

function endOfBare(text: string, from: number, delimiter: string): number {
  const separator = delimiter.charCodeAt(0)
  let position = from
  while (position < text.length) {
    const unit = text.charCodeAt(position)
    if (unit === separator || unit === LINE_FEED || unit === CARRIAGE_RETURN) break
    position++
  }
  return position
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
