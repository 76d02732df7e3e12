import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { type Preview, PreviewError, type RenderJob } from './job.ts'
import { containerOf } from './office-container.ts'
import { COLUMNS_MAX, createTableBudget, ROWS_MAX, SHEETS_MAX } from './table-limits.ts'
import { shortenSheetList } from './workbook-sheets.ts'
import { shortenWorksheet } from './worksheet.ts'
import { readZip } from './zip-read.ts'
import { storeZip } from './zip-store.ts'

/** Renders a spreadsheet as rows of displayed text. Formulas are not evaluated: cells have their saved values. */
export function renderWorkbook(bytes: Uint8Array, { mimeType }: RenderJob): Preview<'table'> {
  const isZip = containerOf(bytes) === 'zip'
  const { file, omittedSheets } = isZip ? repack(bytes) : { file: Buffer.from(bytes), omittedSheets: 0 }
  const workbook = open(file)
  const visibleSheets = workbook.SheetNames.filter((_, index) => !workbook.Workbook?.Sheets?.[index]?.Hidden)
  const budget = createTableBudget()
  const sheets = visibleSheets.slice(0, SHEETS_MAX).map((name) => presentSheet(name, workbook, budget))
  const totalSheets = visibleSheets.length + omittedSheets
  const truncated = budget.isTruncated() || totalSheets > sheets.length
  return { kind: 'table', mimeType, truncated, sheets, totalSheets }
}

/** Twice the shown number, because some sheets may be hidden. */
const SHEETS_READ_MAX = SHEETS_MAX * 2

/** Rebuilds the archive with only the parts that a preview needs. */
function repack(bytes: Uint8Array): { file: Buffer; omittedSheets: number } {
  const parts = readZip(bytes, (name) => /\.(xml|rels|bin)$/i.test(name) && !/drawing|media\//i.test(name))
  let omittedSheets = 0
  for (const part of parts) {
    if (part.name.endsWith('workbook.xml')) {
      const shortened = shortenSheetList(part.content, SHEETS_READ_MAX)
      part.content = shortened.content
      omittedSheets += shortened.omittedSheets
    } else if (part.content.includes('sheetData')) part.content = shortenWorksheet(part.content)
  }
  return { file: storeZip(parts), omittedSheets }
}

function open(file: Buffer): WorkBook {
  try {
    return read(file, {
      sheets: Array.from({ length: SHEETS_READ_MAX }, (_, index) => index),
      sheetRows: ROWS_MAX,
      dense: true,
      cellFormula: false,
      cellHTML: false,
      // The short date format depends on the locale; ISO 8601 is unambiguous.
      dateNF: 'yyyy-mm-dd',
    })
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new PreviewError(/password|encrypt/i.test(String(error)) ? 'encrypted' : 'broken')
  }
}

function presentSheet(name: string, workbook: WorkBook, budget: ReturnType<typeof createTableBudget>) {
  const sheet = workbook.Sheets[name]
  const { rows: totalRows, columns: totalColumns } = extentOf(sheet)
  const rows: string[][] = []
  for (const cells of rowsOf(sheet, totalRows)) {
    const row = budget.take(cells)
    if (!row) break
    rows.push(row)
  }
  if (rows.length < totalRows || totalColumns > COLUMNS_MAX) budget.markTruncated()
  return { name: name.slice(0, NAME_UNITS_MAX).toWellFormed(), rows, totalRows, totalColumns }
}

const NAME_UNITS_MAX = 255

function extentOf(sheet: WorkSheet | undefined): { rows: number; columns: number } {
  const reference = sheet?.['!fullref'] ?? sheet?.['!ref']
  if (!reference) return { rows: 0, columns: 0 }
  const { e: end } = utils.decode_range(reference)
  return { rows: end.r + 1, columns: end.c + 1 }
}

function* rowsOf(sheet: WorkSheet | undefined, totalRows: number): Generator<string[]> {
  const data = (sheet?.['!data'] ?? []) as (CellObject | undefined)[][]
  for (let r = 0; r < Math.min(ROWS_MAX, totalRows); r++) {
    // Unwritten rows and cells are array holes.
    yield Array.from((data[r] ?? []).slice(0, COLUMNS_MAX), (cell) => (cell ? utils.format_cell(cell) : ''))
  }
}
