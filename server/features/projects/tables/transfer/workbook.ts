import { Readable } from 'node:stream'
import { type ZipEntry, zip } from '../../../../storage/zip.ts'

/** Text, an exact decimal, or empty. */
export type XlsxCell = string | { decimal: string } | null

interface Sheet {
  name: string
  header: readonly string[]
  rows: () => AsyncIterable<XlsxCell[]>
  now: Date
}

/**
 * A workbook with one sheet, written as it is read. Texts are inline strings, which no spreadsheet takes for formulas.
 */
export const workbook = (sheet: Sheet): AsyncGenerator<Buffer> => zip(entriesOf(sheet))

async function* entriesOf({ name, header, rows, now }: Sheet): AsyncGenerator<ZipEntry> {
  const entry = (path: string, content: () => Readable): ZipEntry => ({
    ...{ path, modifiedAt: now, compress: true },
    open: async () => content(),
  })
  const part = (path: string, text: string) => entry(path, () => Readable.from([XML + text]))
  yield part('[Content_Types].xml', CONTENT_TYPES)
  yield part('_rels/.rels', RELATIONSHIPS)
  yield part('xl/workbook.xml', workbookPart(name))
  yield part('xl/_rels/workbook.xml.rels', WORKBOOK_RELATIONSHIPS)
  yield entry('xl/worksheets/sheet1.xml', () => Readable.from(sheetPart(header, rows())))
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const CONTENT_TYPES = `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/></Types>`
const RELATIONSHIPS = `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`
const WORKBOOK_RELATIONSHIPS = `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`

const SHEET_NAME_CHARACTERS = 31

/** Spreadsheets refuse these characters in a sheet's name. */
function workbookPart(name: string): string {
  const sheetName =
    name
      .replace(/[[\]*?:/\\']/g, ' ')
      .trim()
      .slice(0, SHEET_NAME_CHARACTERS)
      .toWellFormed() || 'Table'
  return `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets><sheet name="${escapeXml(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`
}

const ROWS_PER_CHUNK = 200

async function* sheetPart(
  header: readonly string[],
  rows: AsyncIterable<XlsxCell[]>,
): AsyncGenerator<string> {
  let chunk = `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rowPart(header)}`
  let count = 0
  for await (const cells of rows) {
    chunk += rowPart(cells)
    if (++count % ROWS_PER_CHUNK > 0) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}</sheetData></worksheet>`
}

const rowPart = (cells: readonly XlsxCell[]) => `<row>${cells.map(cellPart).join('')}</row>`

function cellPart(cell: XlsxCell): string {
  if (cell === null) return '<c/>'
  if (typeof cell === 'object') return `<c><v>${cell.decimal}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`
}

const ESCAPES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

/** Without characters that XML forbids. */
const escapeXml = (text: string) =>
  text.replace(/[^\t\n\r\u0020-\ufffd]/g, '').replace(/[&<>"]/g, (character) => ESCAPES.get(character)!)
