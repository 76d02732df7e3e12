import { utils, write } from '@e965/xlsx'
import type { Person } from '../../server/testing/factories/factories.ts'
import { cookie, type TestApp } from '../../server/testing/test-app.ts'
import { pngOf } from './drawn-files.ts'

const LONG = 'A folder with a name that is much too long for the width of a narrow screen'

/** Uploads a file as a form and returns its record. */
export function uploader(app: TestApp, person: Person) {
  return async (name: string, content: string | Uint8Array<ArrayBuffer>, parentId?: string) => {
    const form = new FormData()
    if (parentId) form.append('parentId', parentId)
    form.append('file', new File([content], name), name)
    const response = await fetch(`${app.url}/api/v1/files`, {
      method: 'POST',
      headers: cookie(await app.session(person)),
      body: form,
    })
    const result = (await response.json()) as { data: { id: string }; error?: { message: string } }
    if (!response.ok) throw new Error(`${name}: ${result.error?.message}`)
    return result.data
  }
}

export async function folderCreator(app: TestApp, person: Person) {
  const client = await app.withSession(person)
  return async (name: string, parentId?: string) => {
    const created = await client.files.create({ source: 'folder', name, parentId })
    return 'file' in created ? created.file.id : created.id
  }
}

/** Files of several types, folders, tags, shortcuts and a trash. */
export async function seedFiles(app: TestApp, ada: Person) {
  const client = await app.withSession(ada)
  const put = uploader(app, ada)
  const folder = await folderCreator(app, ada)

  const finance = await folder('Finance')
  const year = await folder('2026', finance)
  const quarter = await folder('Third quarter', year)
  await folder('Research notes')
  await folder(LONG)
  const apollo = await folder('Apollo')
  await app.sql`update files set protected = true where id = ${apollo}`

  const report = await put('Report 2.md', REPORT)
  await put('Report 10.md', '# The tenth\n')
  const table = await put('invoices.csv', INVOICES)
  const book = await put('budget.xlsx', workbook())
  await put(
    'settings.json',
    JSON.stringify({ theme: 'dark', rows: [1, 2, 3], nested: { ok: true } }, null, 2),
  )
  const picture = await put('logo.png', pngOf(64, 64, [196, 84, 46]))
  const notes = await put(
    'A note with a very long name that goes on and on, past every column there is.txt',
    'Note\n',
  )
  const deleted = await put('Old draft.txt', 'outdated\n')
  await put('receipts.csv', INVOICES, quarter)
  await put('summary.md', '# Summary\n', quarter)

  await client.files.update({ id: report.id, tags: ['draft', 'board', 'confidential'] })
  await client.files.update({ id: table.id, tags: ['finance'] })
  await client.files.update({ id: quarter, tags: ['finance'] })
  await client.files.create({ source: 'link', name: 'Invoices of this year', targetFileId: table.id })
  await client.files.create({ source: 'link', name: 'Draft to discuss', targetFileId: deleted.id })
  await client.files.remove({ id: deleted.id })
  const old = await folder('Last year')
  await put('inside.txt', 'in a folder\n', old)
  await client.files.remove({ id: old })
  return {
    finance,
    year,
    quarter,
    apollo,
    report: report.id,
    table: table.id,
    book: book.id,
    picture: picture.id,
    notes: notes.id,
  }
}

const INVOICES = `number,customer,amount,paid\n${Array.from(
  { length: 40 },
  (_, row) =>
    `${1001 + row},"Customer ${row + 1}, Inc.",${(row * 137.5).toFixed(2)},${row % 3 ? 'yes' : 'no'}`,
).join('\n')}\n`

const REPORT = `# Quarterly report

Sales grew by **12 %**. The table says by whom:

| Region | Sales |
|---|---|
| North | 120 |
| South | 98 |

1. Ship the importer
2. Ask the board

> Nothing is final before it is signed.

\`\`\`
select sum(amount) from invoices
\`\`\`
`

function workbook() {
  const book = utils.book_new()
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Month', 'Cost'],
      ['January', 1200],
      ['February', 900],
    ]),
    'Costs',
  )
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([
      ['Month', 'Income'],
      ['January', 3000],
    ]),
    'Income',
  )
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer)
}
