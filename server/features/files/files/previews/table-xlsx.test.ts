import { type CellObject, utils, type WorkBook, write } from '@e965/xlsx'
import { describe, expect, test } from 'vitest'
import { XLSX } from '../../../../testing/factories/preview-files.ts'
import { rawZip } from '../../../../testing/factories/raw-zip.ts'
import type { RenderJob } from './job.ts'
import { renderWorkbook } from './table-xlsx.ts'
import { readZip } from './zip-parts.ts'

const JOB: RenderJob = {
  format: 'workbook',
  mimeType: XLSX,
  language: null,
  isPartial: false,
  textBytesMax: 524_288,
}
const render = (bytes: Uint8Array) => renderWorkbook(bytes, JOB)

function workbookOf(sheets: Record<string, unknown[][]>): WorkBook {
  const workbook = utils.book_new()
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), name)
  return workbook
}
const bytesOf = (workbook: WorkBook, bookType: 'xlsx' | 'xls' | 'ods' | 'xlsb' = 'xlsx'): Buffer =>
  write(workbook, { type: 'buffer', bookType, compression: true })

/** Rewrites the XML of every worksheet in a file. */
const withSheets = (bytes: Buffer, change: (xml: string) => string) =>
  rawZip(
    readZip(bytes, () => true).map(({ name, content }) => ({
      name,
      content: name.startsWith('xl/worksheets/') ? change(content.toString()) : content,
    })),
  )

/** Writes the sheets directly, because the library is slow with many sheets. */
function manySheets(count: number): Buffer {
  const all = (line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n)).join('')
  const parts = readZip(bytesOf(workbookOf({ S0: [[0]] })), (name) => !name.startsWith('xl/worksheets/'))
  const rewritten = parts.map(({ name, content }) => {
    const xml = content
      .toString()
      .replace(
        /<sheet .*?\/>/,
        all((n) => `<sheet name="S${n}" sheetId="${n + 1}" r:id="sheet${n}"/>`),
      )
      .replace(
        /(<Relationship )[^>]*(Type="[^"]*\/worksheet")[^>]*\/>|<Relationship [^>]*worksheets\/sheet1.xml[^>]*\/>/,
        all(
          (n) =>
            `<Relationship Id="sheet${n}" Target="worksheets/sheet${n}.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/>`,
        ),
      )
    return { name, content: xml }
  })
  const sheets = Array.from({ length: count }, (_, n) => ({
    name: `xl/worksheets/sheet${n}.xml`,
    content: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>${n}</v></c></row></sheetData></worksheet>`,
  }))
  return rawZip([...rewritten, ...sheets])
}

describe('a spreadsheet', () => {
  test.each(['xlsx', 'xls', 'ods', 'xlsb'] as const)('is read from %s as rows of formatted text', (type) => {
    const price: CellObject = { t: 'n', v: 0.5, z: '0%', w: '50%' }
    const bytes = bytesOf(workbookOf({ Prices: [['fox', price, true], [], [null, 'Grüße 🦊']] }), type)
    expect(render(bytes)).toEqual({
      kind: 'table',
      mimeType: XLSX,
      truncated: false,
      sheets: [
        {
          name: 'Prices',
          rows: [['fox', '50%', 'TRUE'], [], ['', 'Grüße 🦊']],
          totalRows: 3,
          totalColumns: 3,
        },
      ],
      totalSheets: 1,
    })
  })

  test('shows dates in ISO format', () => {
    const bytes = bytesOf(workbookOf({ A: [[{ t: 'n', v: 45_000, z: 'm/d/yy' }]] }))
    expect(render(bytes).sheets[0]!.rows).toEqual([['2023-03-15']])
  })

  test("shows a formula cell's saved value without the formula", () => {
    const workbook = workbookOf({ A: [[1, 2]] })
    workbook.Sheets.A!.C1 = { t: 'n', v: 42, f: 'A1+B1' }
    workbook.Sheets.A!['!ref'] = 'A1:C1'
    expect(render(bytesOf(workbook)).sheets[0]!.rows).toEqual([['1', '2', '42']])
  })

  test('shows text that looks like a formula as text', () => {
    const cells = ['=HYPERLINK("http://evil")', '+1+1', '-1+1', '@SUM(A1)', "=cmd|' /C calc'!A0"]
    expect(render(bytesOf(workbookOf({ A: [cells] }))).sheets[0]!.rows).toEqual([cells])
  })

  test('omits hidden sheets', () => {
    const workbook = workbookOf({ Shown: [['a']], Hidden: [['secret']], Last: [['b']] })
    workbook.Workbook = { Sheets: [{}, { Hidden: 1 }, {}] }
    const { sheets, totalSheets, truncated } = render(bytesOf(workbook))
    expect([sheets.map(({ name }) => name), totalSheets, truncated]).toEqual([['Shown', 'Last'], 2, false])
  })

  test('shows the first 20 of 1,000 sheets', () => {
    const { sheets, totalSheets, truncated } = render(manySheets(1000))
    expect([sheets.length, sheets[19]!.rows, totalSheets, truncated]).toEqual([20, [['19']], 1000, true])
  })

  test('shows the first of many rows and columns and counts all', () => {
    const rows = Array.from({ length: 600 }, (_, r) => Array.from({ length: 120 }, (_, c) => r * c))
    const [sheet] = render(bytesOf(workbookOf({ A: rows }))).sheets
    expect([sheet!.rows.length, sheet!.rows[499]![99], sheet!.totalRows, sheet!.totalColumns]).toEqual([
      500,
      String(499 * 99),
      600,
      120,
    ])
  })

  test.each([
    ['the largest possible size', 'A1:XFD1048576'],
    ['a single cell', 'A1'],
  ])('is counted by its cells if it declares %s', (_, claim) => {
    const rows = Array.from({ length: 700 }, () => ['a', 'b'])
    const misdeclared = withSheets(bytesOf(workbookOf({ A: rows })), (xml) =>
      xml.replace(/<dimension[^>]*>/, `<dimension ref="${claim}"/>`),
    )
    const { sheets, truncated } = render(misdeclared)
    expect([sheets[0]!.rows.length, sheets[0]!.totalRows, sheets[0]!.totalColumns, truncated]).toEqual([
      500,
      700,
      2,
      true,
    ])
  })

  test('is counted by position if its rows and cells have no reference', () => {
    const bytes = bytesOf(workbookOf({ A: Array.from({ length: 600 }, (_, n) => [n, 'x']) }))
    const bare = withSheets(bytes, (xml) =>
      xml.replace(/<(row|c)( [^>]*?) ?r="[^"]*"/g, '<$1$2').replace(/<(row|c) r="[^"]*"/g, '<$1'),
    )
    const [sheet] = render(bare).sheets
    expect([sheet!.rows[499]![0], sheet!.totalRows, sheet!.totalColumns]).toEqual(['499', 600, 2])
  })

  test('shows the first rows if a cell is in the last row and column', () => {
    const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    const bytes = bytesOf(workbookOf({ A: [['near']] }))
    const { sheets, truncated } = render(withSheets(bytes, (xml) => xml.replace('</sheetData>', far)))
    expect(sheets[0]).toMatchObject({ totalRows: 1_048_576, totalColumns: 16_384 })
    expect([sheets[0]!.rows[0], truncated]).toEqual([['near'], true])
  })
})

describe('an invalid spreadsheet', () => {
  const resultOf = (bytes: Uint8Array) => {
    try {
      return render(bytes)
    } catch (error) {
      return (error as { reason: string }).reason
    }
  }

  test.each([
    ['an empty file', ''],
    ['text', 'a,b,c'],
    ['HTML, which the library accepts', '<table><tr><td>1</td></tr></table>'],
    ['a truncated archive', bytesOf(workbookOf({ A: [['x']] })).subarray(0, 600)],
    ['an archive without sheets', rawZip([{ name: 'a.xml', content: '<a/>' }])],
  ])('is reported as broken: %s', (_, bytes) => expect(resultOf(Buffer.from(bytes as string))).toBe('broken'))

  test('is reported as encrypted if Excel wrapped it in an encrypted compound file', () => {
    const compound = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(1000),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    expect(resultOf(compound)).toBe('encrypted')
  })
})
