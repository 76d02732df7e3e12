import { scanCsv } from './csv-scan.ts'
import { decode } from './encoding.ts'
import type { Preview, RenderJob } from './job.ts'
import { COLUMNS_MAX, createTableBudget, ROWS_MAX } from './table-limits.ts'

/** Renders delimited text as one sheet. Cells are plain text; formulas are never evaluated. */
export function renderCsv(bytes: Uint8Array, { mimeType }: RenderJob): Preview<'table'> {
  const text = decode(bytes)
  const delimiter = mimeType === 'text/tab-separated-values' ? '\t' : delimiterOf(text)
  const { rows, totalRows, totalColumns } = scanCsv(text, delimiter, ROWS_MAX, COLUMNS_MAX)
  const budget = createTableBudget()
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

/** The delimiter with the most rows of equal width, and of those the widest. */
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
