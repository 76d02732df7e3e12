import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { type Preview, PreviewError, type RenderJob } from './job.ts'
import { COLUMNS_MAX, createTableBudget, PREVIEW_TABLE, SHEETS_MAX, type TableLimits } from './limits.ts'
import { detectContainer } from './office-file.ts'
import { readZip, storeZip } from './zip-parts.ts'

/** Cells show saved values. Formulas aren't evaluated. */
export function renderWorkbook(
  bytes: Uint8Array,
  { mimeType }: RenderJob,
  limits: TableLimits = PREVIEW_TABLE,
): Preview<'table'> {
  const { rowsMax } = limits
  const isZip = detectContainer(bytes) === 'zip'
  const { file, omittedSheets } = isZip
    ? repack(bytes, rowsMax)
    : { file: Buffer.from(bytes), omittedSheets: 0 }
  const workbook = open(file, rowsMax)
  const visibleSheets = workbook.SheetNames.filter((_, index) => !workbook.Workbook?.Sheets?.[index]?.Hidden)
  const budget = createTableBudget(limits)
  const sheets = visibleSheets
    .slice(0, SHEETS_MAX)
    .map((name) => presentSheet(name, workbook, budget, rowsMax))
  const totalSheets = visibleSheets.length + omittedSheets
  const truncated = budget.isTruncated() || totalSheets > sheets.length
  return { kind: 'table', mimeType, truncated, sheets, totalSheets }
}

/** Twice the shown number, because some sheets may be hidden. */
const SHEETS_READ_MAX = SHEETS_MAX * 2

function repack(bytes: Uint8Array, rowsMax: number): { file: Buffer; omittedSheets: number } {
  const parts = readZip(bytes, (name) => /\.(xml|rels|bin)$/i.test(name) && !/drawing|media\//i.test(name))
  let omittedSheets = 0
  for (const part of parts) {
    // Workbooks have none, and libraries differ in what they do with them.
    if (part.content.includes('<!ENTITY')) throw new PreviewError('broken')
    if (part.name.endsWith('workbook.xml')) {
      const shortened = shortenSheetList(part.content, SHEETS_READ_MAX)
      part.content = shortened.content
      omittedSheets += shortened.omittedSheets
    } else if (part.content.includes('sheetData')) part.content = shortenWorksheet(part.content, rowsMax)
  }
  return { file: storeZip(parts), omittedSheets }
}

function open(file: Buffer, rowsMax: number): WorkBook {
  try {
    return read(file, {
      sheets: Array.from({ length: SHEETS_READ_MAX }, (_, index) => index),
      sheetRows: rowsMax,
      dense: true,
      cellFormula: false,
      cellHTML: false,
      // The short date format depends on the locale. ISO 8601 is unambiguous.
      dateNF: 'yyyy-mm-dd',
    })
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new PreviewError(/password|encrypt/i.test(String(error)) ? 'encrypted' : 'broken')
  }
}

function presentSheet(
  name: string,
  workbook: WorkBook,
  budget: ReturnType<typeof createTableBudget>,
  rowsMax: number,
) {
  const sheet = workbook.Sheets[name]
  const { rows: totalRows, columns: totalColumns } = extentOf(sheet)
  const rows: string[][] = []
  for (const cells of rowsOf(sheet, Math.min(rowsMax, totalRows))) {
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

function* rowsOf(sheet: WorkSheet | undefined, rows: number): Generator<string[]> {
  const data = (sheet?.['!data'] ?? []) as (CellObject | undefined)[][]
  for (let r = 0; r < rows; r++) {
    // Unwritten rows and cells are array holes.
    yield Array.from((data[r] ?? []).slice(0, COLUMNS_MAX), (cell) => (cell ? utils.format_cell(cell) : ''))
  }
}

const TOTAL_ROWS_MAX = 1_048_576
const TOTAL_COLUMNS_MAX = 16_384

/** Also corrects the dimensions. The library would parse all rows and trust the file's dimensions. */
function shortenWorksheet(content: Buffer, rowsMax: number): Buffer {
  const xml = content.toString('latin1')
  const end = xml.search(/<\/(?:\w+:)?sheetData\s*>/)
  if (end === -1) return content
  let rows = 0
  let columns = 0
  let rowTags = 0
  let cutAt = end
  let nextRow = 1
  let nextColumn = 1
  TAG.lastIndex = 0
  for (let tag = TAG.exec(xml); tag && tag.index < end; tag = TAG.exec(xml)) {
    const [, row, attributes = ''] = tag
    const reference = REFERENCE.exec(attributes)
    if (row === 'row') {
      nextRow = Math.min(reference ? Number.parseInt(reference[2]!, 10) : nextRow, TOTAL_ROWS_MAX) + 1
      nextColumn = 1
      rowTags++
      if (cutAt === end && (rowTags > rowsMax || nextRow - 1 > rowsMax)) cutAt = tag.index
    } else {
      // Formatting alone is no value: some programs write it to every row and column.
      const isEmpty = attributes.endsWith('/')
      const column = reference?.[1] ? columnOf(reference[1]) : nextColumn
      nextColumn = column + 1
      if (isEmpty) continue
      rows = Math.max(rows, nextRow - 1)
      columns = Math.max(columns, column)
    }
  }
  const extent = rows > 0 ? `<dimension ref="A1:${lettersOf(columns)}${rows}"/>` : ''
  const data = xml.slice(xml.search(/<(?:\w+:)?sheetData\b/), cutAt)
  const [opening = ''] = /^[\s\S]*?<(?:\w+:)?worksheet\b[^>]*>/.exec(xml.slice(0, HEAD_UNITS_MAX)) ?? []
  return Buffer.from(`${opening}${extent}${data}${xml.slice(end)}`, 'latin1')
}

const TAG = /<(?:\w+:)?(row|c)(?=[\s/>])([^>]*)/g
const REFERENCE = /\sr=["']([A-Z]*)(\d+)["']/
const HEAD_UNITS_MAX = 16_384

function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters.slice(0, 4)) column = column * 26 + letter.charCodeAt(0) - 64
  return Math.min(column, TOTAL_COLUMNS_MAX)
}

function lettersOf(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26))
  return column > 26 ? lettersOf(Math.floor((column - 1) / 26)) + letter : letter
}

/** The library searches all parts for each sheet, which takes minutes for ten thousand sheets. */
export function shortenSheetList(
  content: Buffer,
  sheetsMax: number,
): { content: Buffer; omittedSheets: number } {
  let seen = 0
  let omittedSheets = 0
  const xml = content.toString('latin1').replace(/<(?:\w+:)?sheet\s[^<>]*\/>/g, (sheet) => {
    seen++
    if (seen <= sheetsMax) return sheet
    if (!/\sstate=["'](hidden|veryHidden)/.test(sheet)) omittedSheets++
    return ''
  })
  return { content: Buffer.from(xml, 'latin1'), omittedSheets }
}
