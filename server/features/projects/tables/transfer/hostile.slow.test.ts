import { beforeAll, describe, expect, test } from 'vitest'
import { type RawEntry, rawZip } from '../../../../testing/factories/raw-zip.ts'
import { cookie, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

/** Each file is refused with a reason, or imported as what it shows, by a process with limited memory and time. */

let app: TestApp
let client: Awaited<ReturnType<TestApp['withSession']>>
let headers: Record<string, string>
let projectId: string
beforeAll(async () => {
  app = await shareTestApp()
  const owner = await app.person(await app.organization(), { role: 'owner' })
  client = await app.withSession(owner)
  headers = cookie(await app.session(owner))
  projectId = (await app.project(owner)).id
})

let count = 0
async function importFile(name: string, content: Buffer | string) {
  const { id } = await client.tables.create({ projectId, name: `Hostile ${++count}`, columns: [] })
  const form = new FormData()
  form.set('createColumns', 'true')
  form.set('file', new File([content as never], name))
  const response = await fetch(`${app.url}/api/v1/tables/${id}/import`, {
    method: 'POST',
    body: form,
    headers,
  })
  const body = await response.json()
  const { items } = await client.tables.rows({ id })
  return { status: response.status, message: body.error?.message, rows: items.map(({ values }) => values) }
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** A workbook with one sheet, around these rows in XML. */
function workbookOf(rows: string | Buffer, parts: RawEntry[] = [], head = ''): Buffer {
  const sheet = Buffer.concat([
    Buffer.from(`${head}<worksheet xmlns="${MAIN}"><sheetData>`),
    Buffer.from(rows as string),
    Buffer.from('</sheetData></worksheet>'),
  ])
  return rawZip([
    {
      name: '[Content_Types].xml',
      content:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    },
    { name: 'xl/worksheets/sheet1.xml', content: sheet },
    ...parts,
  ])
}

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const HEADER = `<row r="1">${text('Name')}</row>`
const strings = (content: string | Buffer): RawEntry => ({ name: 'xl/sharedStrings.xml', content })
const repeated = (piece: string, times: number) => Buffer.alloc(piece.length * times, piece)

const TOO_COMPLEX = 'body.file is too complex to import: split it'
const BROKEN = 'body.file can’t be read: it is damaged, or its content doesn’t match its type'
const TOO_LARGE =
  'body.file must have at most 100,000 rows, 100 columns, 20 sheets, and 10,000 characters in a cell: split it'

const DOCTYPE = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 8 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? '' : n - 1};`.repeat(10)}">`).join('')}]>`

describe('a hostile file', () => {
  const refused: [title: string, name: string, content: () => Buffer | string, message: string][] = [
    ['a zip bomb', 'a.xlsx', () => workbookOf(Buffer.alloc(150_000_000)), TOO_COMPLEX],
    [
      'a zip bomb that declares 100 bytes',
      'a.xlsx',
      () => rawZip([{ name: 'xl/worksheets/sheet1.xml', content: Buffer.alloc(150_000_000), size: 100 }]),
      TOO_COMPLEX,
    ],
    [
      'a zip bomb with an OpenDocument name',
      'a.ods',
      () => rawZip([{ name: 'content.xml', content: Buffer.alloc(150_000_000, '<a/>') }]),
      TOO_COMPLEX,
    ],
    [
      'a shared string of 100 MB',
      'a.xlsx',
      () =>
        workbookOf('<row r="1"><c t="s"><v>0</v></c></row>', [
          strings(
            Buffer.concat([
              Buffer.from('<sst><si><t>'),
              repeated('x', 100_000_000),
              Buffer.from('</t></si></sst>'),
            ]),
          ),
        ]),
      TOO_LARGE,
    ],
    [
      'seven million shared strings',
      'a.xlsx',
      () =>
        workbookOf('<row r="1"><c t="s"><v>0</v></c></row>', [
          strings(
            Buffer.concat([
              Buffer.from('<sst>'),
              repeated('<si><t>x</t></si>', 7_000_000),
              Buffer.from('</sst>'),
            ]),
          ),
        ]),
      TOO_COMPLEX,
    ],
    [
      'a million rows with values',
      'a.xlsx',
      () =>
        workbookOf(Buffer.concat([Buffer.from(HEADER), repeated('<row><c><v>1</v></c></row>', 1_000_000)])),
      TOO_LARGE,
    ],
    [
      'a value in the last row and column',
      'a.xlsx',
      () => workbookOf(`${HEADER}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`),
      TOO_LARGE,
    ],
    ['ten million cells', 'a.csv', () => `${'a,'.repeat(99)}a\n`.repeat(100_000), TOO_LARGE],
    [
      'entities that expand to gigabytes',
      'a.xlsx',
      () => workbookOf(`${HEADER}<row>${text('&a7;')}</row>`, [], DOCTYPE),
      BROKEN,
    ],
    ['a text with the name of a workbook', 'a.xlsx', () => 'Name\nAda', BROKEN],
    ['a page with the name of a workbook', 'a.xls', () => '<table><tr><td>Name</td></tr></table>', BROKEN],
    ['a workbook with the name of a text', 'a.csv', () => workbookOf(HEADER), BROKEN],
    [
      'a document with the name of a workbook',
      'a.xlsx',
      () => rawZip([{ name: 'word/document.xml', content: '<w/>' }]),
      BROKEN,
    ],
  ]
  test.each(refused)('is refused with a reason: %s', async (_title, name, content, message) => {
    expect(await importFile(name, content())).toEqual({ status: 400, message, rows: [] })
    expect((await app.request('GET', '/healthz')).status).toBe(200)
  })

  test('has the rows with values of a sheet with a million formatted rows and columns', async () => {
    const empty = Array.from({ length: 16_000 }, () => '<c s="1"/>').join('')
    const rows = Buffer.concat([
      Buffer.from(`<row r="1">${text('Name')}${empty}</row><row r="2">${text('Ada')}${empty}</row>`),
      repeated('<row><c s="1"/></row>', 1_000_000),
    ])
    expect(await importFile('a.xlsx', workbookOf(rows))).toMatchObject({
      status: 200,
      rows: [{ name: 'Ada' }],
    })
  })

  test('has saved values instead of formulas, and formulas in texts as texts', async () => {
    const cells = [
      '<c><f>1+1</f><v>2</v></c>',
      '<c t="str"><f>HYPERLINK("http://evil","x")</f><v>x</v></c>',
      '<c><f>WEBSERVICE("http://evil")</f></c>',
      text("=cmd|' /C calc'!A0"),
    ]
    const header = ['N', 'Link', 'Web', 'Text'].map(text).join('')
    const { status, rows } = await importFile(
      'a.xlsx',
      workbookOf(`<row>${header}</row><row>${cells.join('')}</row>`),
    )
    expect([status, rows]).toEqual([200, [{ n: 2, link: 'x', text: "=cmd|' /C calc'!A0" }]])
  })
})
