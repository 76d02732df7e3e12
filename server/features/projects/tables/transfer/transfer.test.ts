import { beforeAll, describe, expect, test } from 'vitest'
import type { Organization, Person } from '../../../../testing/factories/factories.ts'
import { cookie, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { unzip } from '../../../../testing/unzip.ts'

let app: TestApp
let org: Organization
let owner: Person
let client: Awaited<ReturnType<TestApp['withSession']>>
let projectId: string
beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  owner = await app.person(org, { role: 'owner' })
  client = await app.withSession(owner)
  projectId = (await app.project(owner)).id
})

let count = 0
const blank = async (more: object = {}) =>
  (await client.tables.create({ projectId, name: `Imported ${++count}`, columns: [], ...more })).id

const headers = async () => cookie(await app.session(owner))

async function send(
  id: string,
  name: string,
  content: Uint8Array | string,
  fields: Record<string, string> = {},
) {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new File([content as never], name))
  const response = await fetch(`${app.url}/api/v1/tables/${id}/import`, {
    ...{ method: 'POST', body: form, headers: await headers() },
  })
  return { status: response.status, body: await response.json() }
}

const download = async (id: string, query: string) => {
  const response = await fetch(`${app.url}/api/v1/tables/${id}/export?${query}`, { headers: await headers() })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const CSV = [
  'Name,Price,Code,Since,Paid,State',
  'Ada,"€1,234.50",007,31.01.2027,yes,Open',
  'Grace,€2,008,2027-02-28,no,Open',
  '"Lin, K",€3.10,009,,yes,Open',
].join('\n')

describe('import', () => {
  test('creates columns with types that fit, and rows, from a file, pasted text or a stored file', async () => {
    const id = await blank()
    const { status, body } = await send(id, 'people.csv', CSV, { createColumns: 'true' })
    expect([status, body.created, body.errorCount]).toEqual([200, 3, 0])
    const table = await client.tables.get({ id })
    expect(table.columns.map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'text'],
      ['Price', 'money'],
      ['Code', 'text'],
      ['Since', 'date'],
      ['Paid', 'boolean'],
      ['State', 'choice'],
    ])
    const { items } = await client.tables.rows({ id })
    expect(items.map(({ values }) => values)).toEqual([
      { name: 'Ada', price: '1234.50', code: '007', since: '2027-01-31', paid: true, state: 'open' },
      { name: 'Grace', price: '2.00', code: '008', since: '2027-02-28', paid: false, state: 'open' },
      { name: 'Lin, K', price: '3.10', code: '009', paid: true, state: 'open' },
    ])
    const pasted = await blank()
    const text = 'Name\tN\nAda\t1\nGrace\t2'
    expect(await client.tables.import({ id: pasted, text, createColumns: true })).toMatchObject({
      created: 2,
    })
    const file = await client.fileTexts.write({ name: 'stored.csv', text: 'Name\nAda', projectId })
    const stored = await blank()
    expect(await client.tables.import({ id: stored, fileId: file.id, createColumns: true })).toMatchObject({
      ...{ created: 1, columns: [{ header: 'Name', column: 'name', isNew: true }] },
    })
  })

  test('lists problems by line in a dry run, and imports nothing with one', async () => {
    const id = await blank({ columns: [{ name: 'SKU' }, { name: 'Stock', type: 'number' }], key: 'SKU' })
    await client.tables.upsert({ id, rows: [{ values: { sku: 'a', stock: 1 } }] })
    const text = 'SKU,Stock,Other\na,2,x\nb,many,x\nb,3,x\nc,4,x'
    const dry = await client.tables.import({ id, text, dryRun: true })
    expect(dry).toMatchObject({
      ...{ dryRun: true, seq: null, rows: 4, created: 1, updated: 1, errorCount: 2 },
      errors: [
        { line: 3, column: 'Stock', message: 'must be a number' },
        { line: 4, column: 'SKU', message: 'is a duplicate of line 3' },
      ],
      columns: [{ column: 'sku' }, { column: 'stock' }, { header: 'Other', column: null }],
    })
    await expect(client.tables.import({ id, text })).rejects.toThrow(
      'line 3, Stock must be a number (and 1 more problems)',
    )
    expect((await client.tables.rows({ id })).items.map(({ values }) => values)).toEqual([
      { sku: 'a', stock: 1 },
    ])
    const mapped = await client.tables.import({
      id,
      text: 'Nr,Qty\na,5\nz,6',
      mapping: { Nr: 'sku', Qty: 'stock' },
    })
    expect(mapped).toMatchObject({ created: 1, updated: 1 })
    await expect(
      client.tables.import({ id, text: 'A,B\n1,2', mapping: { A: 'sku', B: 'sku' } }),
    ).rejects.toThrow('body.mapping.B must not be sku, which A maps to')
  })

  test.each([
    ['a.xlsx', Buffer.from('PK\x03\x04 broken'), 'body.file can’t be read'],
    ['a.png', Buffer.from('x'), 'body.file must be a CSV file'],
    ['a.csv', 'a,'.repeat(1_000_000), 'body.file must have at most 100,000 rows, 100 columns'],
    ['a.csv', `Name\n${'x'.repeat(10_001)}`, 'line 2, Name must be at most 10,000 characters'],
    ['a.csv', '', 'body.file'],
  ])('refuses the hostile file %s', async (name, content, message) => {
    const { status, body } = await send(await blank(), name, content, { createColumns: 'true' })
    expect(status).toBe(400)
    expect(body.error.message).toContain(message)
  })

  test('refuses NUL in a cell', async () => {
    const { status, body } = await send(await blank(), 'a.csv', 'Name\na\0b', { createColumns: 'true' })
    expect([status, body.error.message]).toEqual([
      400,
      'line 2, Name must not contain NUL or broken Unicode characters',
    ])
  })
})

describe('export', () => {
  test('writes what an import reads, without formulas', async () => {
    const id = await blank({
      columns: [{ name: 'Text' }, { name: 'Amount', type: 'money', currency: 'EUR' }],
    })
    await client.tables.upsert({
      id,
      rows: [
        { values: { text: '=HYPERLINK("http://evil")', amount: '-12.5' } },
        { values: { text: 'say "hi"\nthere', amount: '1' } },
        { values: { text: '<b>&' } },
      ],
    })
    const csv = await download(id, 'format=csv')
    expect(csv.response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.bytes.toString()).toBe(
      '\ufeffText,Amount\r\n"\'=HYPERLINK(""http://evil"")",-12.50\r\n"say ""hi""\nthere",1.00\r\n<b>&,\r\n',
    )
    const xlsx = await download(id, 'format=xlsx')
    const sheet = unzip(xlsx.bytes).get('xl/worksheets/sheet1.xml')
    expect(sheet!.toString()).toContain(
      '<is><t xml:space="preserve">=HYPERLINK(&quot;http://evil&quot;)</t></is>',
    )
    const again = await blank()
    const { body } = await send(again, 'again.xlsx', xlsx.bytes, { createColumns: 'true' })
    expect(body).toMatchObject({ created: 3, errorCount: 0 })
    const { items } = await client.tables.rows({ id: again })
    expect(items.map(({ values }) => values.text)).toEqual([
      '=HYPERLINK("http://evil")',
      'say "hi"\nthere',
      '<b>&',
    ])
    const filtered = await download(
      id,
      `format=csv&filter=${encodeURIComponent('{"column":"amount","op":"empty"}')}`,
    )
    expect(filtered.bytes.toString()).toBe('\ufeffText,Amount\r\n<b>&,\r\n')
    const wrong = await download(
      id,
      'format=csv&filter=%7B%22column%22%3A%22x%22%2C%22op%22%3A%22empty%22%7D',
    )
    expect(wrong.response.status).toBe(400)
  })
})
