import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { guestHeaders, tokenIn } from '../../../testing/factories/sharing.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let org: Organization
let owner: Person
let client: Awaited<ReturnType<TestApp['withSession']>>
let projectId: string
beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  owner = await app.person(org, { role: 'owner', name: 'Ada' })
  client = await app.withSession(owner)
  projectId = (await app.project(owner)).id
})

let count = 0
const COLUMNS = [
  { name: 'SKU' },
  { name: 'Amount', type: 'money' as const, currency: 'EUR' },
  { name: 'Stock', type: 'number' as const },
  { name: 'Since', type: 'date' as const },
  { name: 'Active', type: 'boolean' as const },
  { name: 'State', type: 'choice' as const, choices: [{ name: 'Open' }, { name: 'In progress' }] },
]
const createTable = (more: object = {}) =>
  client.tables.create({ projectId, name: `Products ${++count}`, columns: COLUMNS, key: 'sku', ...more })

const namesOf = async (id: string, query: object = {}) =>
  (await client.tables.rows({ id, ...query })).items.map(({ values }) => values.sku)
const filtered = (filter: object) => ({ filter: JSON.stringify(filter) })
const sorted = (...sort: object[]) => ({ sort: JSON.stringify(sort) })

describe('table', () => {
  test('has columns with readable ids, and values in their type’s form', async () => {
    const table = await createTable()
    expect(table).toMatchObject({
      ...{ projectId, key: 'sku', rowCount: 0, canEdit: true, createdBy: owner.id },
    })
    expect(table.columns.map(({ id, type }) => [id, type])).toEqual([
      ['sku', 'text'],
      ['amount', 'money'],
      ['stock', 'number'],
      ['since', 'date'],
      ['active', 'boolean'],
      ['state', 'choice'],
    ])
    const { rows } = await client.tables.upsert({
      id: table.id,
      rows: [
        {
          values: {
            SKU: 'a',
            Amount: '12.5',
            stock: '3',
            since: '2027-01-31',
            Active: true,
            State: 'In progress',
          },
        },
      ],
    })
    expect(await client.tables.row({ id: table.id, rowId: rows[0]!.id })).toMatchObject({
      values: {
        sku: 'a',
        amount: '12.50',
        stock: 3,
        since: '2027-01-31',
        active: true,
        state: 'in_progress',
      },
      updatedBy: owner.id,
    })
  })

  test.each([
    [{ amount: 12.5 }, 'amount must be a decimal string such as "12.50"'],
    [{ stock: 'many' }, 'stock must be a number'],
    [{ since: '2027-02-30' }, 'since must be a date such as 2027-01-31'],
    [{ active: 'yes' }, 'active must be true or false'],
    [{ state: 'done' }, 'state must be a choice: open, in_progress'],
    [{ price: 1 }, 'price must be a column of the table: sku, amount, stock, since, active, state'],
    [{ sku: 'a', SKU: 'b' }, 'SKU is given twice, by id and by name'],
    [{ sku: 'x'.repeat(201) }, 'sku must be at most 200 characters, because it is the key'],
    [{ sku: 'a\0b' }, 'sku must not contain NUL or broken Unicode characters'],
  ])('refuses %j and writes no row of the call', async (values, message) => {
    const { id } = await createTable()
    const rows = [{ values: { sku: 'first' } }, { values }]
    await expect(client.tables.upsert({ id, rows })).rejects.toThrow(`body.rows.1.values.${message}`)
    expect((await client.tables.get({ id })).rowCount).toBe(0)
  })

  test('refuses a second table with its name, also in other case', async () => {
    const { name } = await createTable()
    await expect(client.tables.create({ projectId, name: name.toUpperCase() })).rejects.toThrow(
      'The project has a table named',
    )
  })

  test('can be deleted and restored with its rows', async () => {
    const { id } = await createTable()
    await client.tables.upsert({ id, rows: [{ values: { sku: 'a' } }] })
    await client.tables.remove({ id })
    await expect(client.tables.get({ id })).rejects.toThrow('Table not found')
    const { items } = await client.tables.list({ projectId, deleted: 'true' })
    expect(items.find((table) => table.id === id)?.deletedAt).toEqual(expect.any(String))
    expect(await client.tables.undelete({ id })).toMatchObject({ rowCount: 1, deletedAt: null })
    expect(await namesOf(id)).toEqual(['a'])
  })
})

describe('rows', () => {
  test('are updated by key and by id, and created otherwise', async () => {
    const { id } = await createTable()
    const first = await client.tables.upsert({
      id,
      rows: [{ values: { sku: 'a', stock: 1 } }, { values: { sku: 'b', stock: 2 } }],
    })
    expect(first).toMatchObject({ created: 2, updated: 0, unchanged: 0 })
    const [a, b] = first.rows
    const second = await client.tables.upsert({
      id,
      rows: [
        { values: { sku: 'a', stock: 5 } },
        { id: b!.id, values: { amount: '3' } },
        { values: { sku: 'c' } },
      ],
    })
    expect(second).toMatchObject({ created: 1, updated: 2, unchanged: 0 })
    expect(second.rows.slice(0, 2)).toEqual([
      { id: a!.id, action: 'updated' },
      { id: b!.id, action: 'updated' },
    ])
    const same = await client.tables.upsert({ id, rows: [{ values: { sku: 'a', stock: 5 } }] })
    expect(same).toMatchObject({ seq: second.seq, unchanged: 1 })
    const { items } = await client.tables.rows({ id })
    expect(items.map(({ values }) => values)).toEqual([
      { sku: 'a', stock: 5 },
      { sku: 'b', amount: '3.00', stock: 2 },
      { sku: 'c' },
    ])
    expect(await client.tables.get({ id })).toMatchObject({ rowCount: 3, seq: second.seq })
  })

  test('keep their keys apart', async () => {
    const { id } = await createTable()
    const { rows } = await client.tables.upsert({
      id,
      rows: [{ values: { sku: 'a' } }, { values: { sku: 'b' } }],
    })
    const upsert = (given: object[], mode?: 'insert' | 'update') =>
      client.tables.upsert({ id, rows: given as never, ...(mode && { mode }) })
    await expect(upsert([{ id: rows[1]!.id, values: { sku: 'a' } }])).rejects.toThrow(
      'body.rows.0.values.sku is the key of another row',
    )
    await expect(upsert([{ values: { sku: 'x' } }, { values: { sku: 'x' } }])).rejects.toThrow(
      'body.rows.1.values.sku is a duplicate of body.rows.0.values.sku',
    )
    await expect(upsert([{ values: { sku: 'a' } }], 'insert')).rejects.toThrow('is the key of another row')
    await expect(upsert([{ values: { sku: 'z' } }], 'update')).rejects.toThrow('Row not found')
    await expect(upsert([{ id: newId(), values: {} }])).rejects.toThrow(
      'body.rows.0.id is not a row of this table',
    )
    expect(await namesOf(id)).toEqual(['a', 'b'])
  })

  test('get one of two keys that concurrent calls create', async () => {
    const { id } = await createTable()
    const calls = Array.from({ length: 8 }, (_, n) =>
      client.tables.upsert({ id, rows: [{ values: { sku: 'same', stock: n } }] }),
    )
    const results = await Promise.all(calls)
    expect(results.map(({ created }) => created).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
    expect(await client.tables.get({ id })).toMatchObject({ rowCount: 1 })
  })

  test('are refused after another change if they name a version', async () => {
    const { id } = await createTable()
    const { rows, seq } = await client.tables.upsert({ id, rows: [{ values: { sku: 'a' } }] })
    const row = { id: rows[0]!.id, version: seq, values: { stock: 1 } }
    await client.tables.upsert({ id, rows: [row] })
    await expect(client.tables.upsert({ id, rows: [{ ...row, values: { stock: 2 } }] })).rejects.toThrow(
      `body.rows.0 has changed since version ${seq}: read it again`,
    )
  })

  test('are filtered by each type', async () => {
    const { id } = await createTable()
    await client.tables.upsert({
      id,
      rows: [
        {
          values: { sku: 'Alpha', amount: '10', stock: 1, since: '2027-01-01', active: true, state: 'open' },
        },
        { values: { sku: 'beta', amount: '9.5', stock: 20, since: '2027-02-01', state: 'in_progress' } },
        { values: { sku: '50%_off', stock: 3 } },
      ],
    })
    const find = (filter: object) => namesOf(id, filtered(filter))
    expect(await find({ column: 'amount', op: 'gt', value: '9.6' })).toEqual(['Alpha'])
    expect(await find({ column: 'amount', op: 'eq', value: '9.50' })).toEqual(['beta'])
    expect(await find({ column: 'Stock', op: 'in', value: [1, 3] })).toEqual(['Alpha', '50%_off'])
    expect(await find({ column: 'since', op: 'lte', value: '2027-01-31' })).toEqual(['Alpha'])
    expect(await find({ column: 'active', op: 'eq', value: false })).toEqual(['beta', '50%_off'])
    expect(await find({ column: 'state', op: 'ne', value: 'Open' })).toEqual(['beta', '50%_off'])
    expect(await find({ column: 'state', op: 'empty' })).toEqual(['50%_off'])
    expect(await find({ column: 'sku', op: 'contains', value: 'LPH' })).toEqual(['Alpha'])
    expect(await find({ column: 'sku', op: 'contains', value: '%_' })).toEqual(['50%_off'])
    expect(await find({ column: 'sku', op: 'not_contains', value: 'a' })).toEqual(['50%_off'])
    expect(await find({ column: 'sku', op: 'eq', value: 'beta' })).toEqual(['beta'])
    const both = [
      { column: 'stock', op: 'gte', value: 3 },
      { column: 'amount', op: 'empty' },
    ]
    expect(await find({ all: both })).toEqual(['50%_off'])
    expect(await find({ any: [...both, { all: [] }] })).toHaveLength(3)
    expect(await namesOf(id, { search: 'progress' })).toEqual(['beta'])
    expect(await namesOf(id, { search: '9.5' })).toEqual(['beta'])
    for (const [filter, message] of [
      [{ column: 'stock', op: 'contains', value: '1' }, 'query.filter.op must be one of'],
      [{ column: 'stock', op: 'gt', value: 'x' }, 'query.filter.value must be a number'],
      [{ all: [{ column: 'none', op: 'empty' }] }, 'query.filter.all.0.column must be a column of the table'],
      [{ column: "sku' or 1=1 --", op: 'empty' }, 'query.filter.column must be a column'],
    ] as const)
      await expect(find(filter)).rejects.toThrow(message)
    await expect(client.tables.rows({ id, filter: '{' })).rejects.toThrow('query.filter must be JSON')
  })

  test('are sorted by each type with empty cells last, and paged without gaps', async () => {
    const { id } = await createTable()
    const stocks = [5, null, 1, 5, null, 10, 2]
    await client.tables.upsert({
      id,
      rows: stocks.map((stock, n) => ({
        values: { sku: `r${n}`, stock, state: n % 2 === 0 ? 'in_progress' : 'open', amount: String(100 - n) },
      })),
    })
    const orders = [
      [{ column: 'stock' }],
      [{ column: 'stock', order: 'desc' }],
      [{ column: 'state' }, { column: 'amount', order: 'asc' }],
      [{ column: 'sku', order: 'desc' }],
    ]
    const expected = [
      ['r2', 'r6', 'r0', 'r3', 'r5', 'r1', 'r4'],
      ['r5', 'r0', 'r3', 'r6', 'r2', 'r1', 'r4'],
      ['r5', 'r3', 'r1', 'r6', 'r4', 'r2', 'r0'],
      ['r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0'],
    ]
    for (const [index, order] of orders.entries()) {
      expect(await namesOf(id, sorted(...order))).toEqual(expected[index])
      const paged: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await client.tables.rows({
          id,
          ...sorted(...order),
          limit: 2,
          ...(cursor && { cursor }),
        })
        paged.push(...page.items.map(({ values }) => values.sku))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(paged).toEqual(expected[index])
    }
    expect(await namesOf(id, { ...sorted({ column: 'stock' }), offset: 5 })).toEqual(['r1', 'r4'])
  })

  test('are changed and deleted in bulk, by ids or by filter', async () => {
    const { id } = await createTable()
    const { rows } = await client.tables.upsert({
      id,
      rows: Array.from({ length: 5 }, (_, n) => ({ values: { sku: `r${n}`, stock: n } })),
    })
    const filter = { column: 'stock', op: 'gte' as const, value: 3 }
    expect(
      await client.tables.updateRows({ id, filter, values: { state: 'open', stock: null } }),
    ).toMatchObject({
      updated: 2,
    })
    await expect(client.tables.updateRows({ id, filter, values: { sku: 'x' } })).rejects.toThrow(
      'body.values.sku must be absent, because it is the key',
    )
    const removed = await client.tables.removeRows({ id, ids: [rows[0]!.id, newId()] })
    expect(removed.deleted).toBe(1)
    await expect(client.tables.removeRows({ id })).rejects.toThrow('must have either ids or filter')
    const { items } = await client.tables.rows({ id, ...sorted({ column: 'sku' }) })
    expect(items.map(({ values }) => values)).toEqual([
      { sku: 'r1', stock: 1 },
      { sku: 'r2', stock: 2 },
      { sku: 'r3', state: 'open' },
      { sku: 'r4', state: 'open' },
    ])
    const [table] = await app.sql<{ exact: boolean }[]>`
      select row_bytes = (select sum(bytes) from table_rows r where r.table_id = t.id)
        and row_count = (select count(*) from table_rows r where r.table_id = t.id) as exact
      from project_tables t where id = ${id}`
    expect(table!.exact).toBe(true)
  })

  test('are added up exactly, in groups', async () => {
    const { id } = await createTable()
    await client.tables.upsert({
      id,
      rows: [
        { values: { sku: 'a', amount: '0.10', state: 'open', since: '2027-01-05' } },
        { values: { sku: 'b', amount: '0.20', state: 'open', since: '2027-01-20' } },
        { values: { sku: 'c', amount: '1', since: '2027-02-01' } },
      ],
    })
    const aggregate = (group: object[], measures: object[]) =>
      client.tables.aggregate({ id, group: JSON.stringify(group), measures: JSON.stringify(measures) })
    const sum = { op: 'sum', column: 'amount' }
    expect((await aggregate([], [sum, { op: 'count' }, { op: 'avg', column: 'amount' }])).groups).toEqual([
      { keys: [], values: ['1.30', 3, '0.433333'] },
    ])
    expect((await aggregate([{ column: 'state' }], [sum, { op: 'filled', column: 'state' }])).groups).toEqual(
      [
        { keys: ['open'], values: ['0.30', 2] },
        { keys: [null], values: ['1.00', 0] },
      ],
    )
    expect((await aggregate([{ column: 'since', part: 'month' }], [{ op: 'count' }])).groups).toEqual([
      { keys: ['2027-01'], values: [2] },
      { keys: ['2027-02'], values: [1] },
    ])
    await expect(aggregate([], [{ op: 'sum', column: 'sku' }])).rejects.toThrow(
      'query.measures.0.column must be a number or money column for sum',
    )
  })
})

describe('groups', () => {
  const rows = [
    { sku: 'b', state: 'in_progress', stock: 10, since: '2027-02-01', active: true },
    { sku: 'B', state: 'open', stock: 9, since: '2027-01-31' },
    { sku: 'a', state: 'open', stock: 10, since: '2027-01-01' },
    { state: 'in_progress', active: true },
    { sku: 'a' },
  ]

  test.each([
    [{ column: 'state' }, ['open', 'in_progress', null], ['B', 'a', 'b', undefined, 'a']],
    [{ column: 'state', order: 'desc' }, ['in_progress', 'open', null], ['b', undefined, 'B', 'a', 'a']],
    [{ column: 'sku' }, ['a', 'B', 'b', null], ['a', 'a', 'B', 'b', undefined]],
    [{ column: 'stock', order: 'desc' }, [10, 9, null], ['b', 'a', 'B', undefined, 'a']],
    [{ column: 'active' }, [false, true], ['B', 'a', 'a', 'b', undefined]],
    [
      { column: 'since', part: 'month', order: 'desc' },
      ['2027-02', '2027-01', null],
      ['b', 'B', 'a', undefined, 'a'],
    ],
  ])('grouped by %j keep the order of their rows', async (group, keys, skus) => {
    const { id } = await createTable({ key: null })
    await client.tables.upsert({ id, rows: rows.map((values) => ({ values })) })
    const { groups } = await client.tables.aggregate({
      id,
      group: JSON.stringify([{ order: 'asc', ...group }]),
    })
    expect(groups.map((each) => each.keys[0])).toEqual(keys)
    expect(await namesOf(id, { group: JSON.stringify(group) })).toEqual(skus)
    const paged: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await client.tables.rows({
        ...{ id, group: JSON.stringify(group), limit: 2 },
        ...(cursor && { cursor }),
      })
      paged.push(...page.items.map(({ values }) => values.sku))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(paged).toEqual(skus)
  })

  test('sort their rows, and of links have titles', async () => {
    const people = await createTable()
    const { rows: found } = await client.tables.upsert({
      id: people.id,
      rows: [{ values: { sku: 'Ada' } }, { values: { sku: 'Lin' } }],
    })
    const link = { name: 'Owner', type: 'link' as const, target: 'row' as const, tableId: people.id }
    const { id } = await createTable({ columns: [...COLUMNS, link] })
    const [ada, lin] = found.map((row) => row.id)
    await client.tables.upsert({
      id,
      rows: [
        { values: { sku: 'a', owner: ada, stock: 1 } },
        { values: { sku: 'b', owner: lin } },
        { values: { sku: 'c', owner: ada, stock: 2 } },
      ],
    })
    const group = { column: 'owner' }
    const sort = JSON.stringify([{ column: 'stock', order: 'desc' }])
    expect(await namesOf(id, { group: JSON.stringify(group), sort })).toEqual(['c', 'a', 'b'])
    const { groups } = await client.tables.aggregate({ id, group: JSON.stringify([group]) })
    expect(groups).toEqual([
      { keys: [{ id: ada, title: 'Ada', missing: false }], values: [2] },
      { keys: [{ id: lin, title: 'Lin', missing: false }], values: [1] },
    ])
  })
})

describe('link targets', () => {
  const titles = async (id: string, columnId: string, search?: string) =>
    (await client.tables.targets({ id, columnId, ...(search && { search }) })).items.map(({ title }) => title)

  test('are the items that a link accepts, found by title', async () => {
    const { id: project } = await app.project(owner)
    const people = await client.tables.create({ projectId: project, name: 'People' })
    await client.tables.upsert({
      id: people.id,
      rows: ['Ada', 'Ada Lovelace', 'Grace Hopper', 'Mad_a%', null].map((name) => ({ values: { name } })),
    })
    const block = await client.canvas.create({ projectId: project, type: 'note', title: 'Adapter' })
    await client.canvas.create({ projectId: (await app.project(owner)).id, type: 'note', title: 'Adamant' })
    const { id, columns } = await client.tables.create({
      projectId: project,
      name: 'Tasks',
      columns: [
        { name: 'Person', type: 'link', target: 'row', tableId: people.id },
        { name: 'Block', type: 'link', target: 'block' },
        { name: 'Text' },
      ],
    })
    expect(columns.map((column) => column.id)).toEqual(['person', 'block', 'text'])
    expect(await titles(id, 'person')).toEqual([null, 'Mad_a%', 'Grace Hopper', 'Ada Lovelace', 'Ada'])
    expect(await titles(id, 'person', 'aDa')).toEqual(['Ada', 'Ada Lovelace'])
    expect(await titles(id, 'person', 'a')).toEqual(['Ada Lovelace', 'Ada', 'Mad_a%', 'Grace Hopper'])
    expect(await titles(id, 'person', '_a%')).toEqual(['Mad_a%'])
    const { items } = await client.tables.targets({ id, columnId: 'block', search: 'ada' })
    expect(items).toMatchObject([{ id: block.id, title: 'Adapter' }])
    const only = await client.tables.targets({ id, columnId: 'block', targetId: block.id })
    expect(only.items.map(({ title }) => title)).toEqual(['Adapter'])
    expect((await client.tables.targets({ id, columnId: 'block', targetId: id })).items).toEqual([])
    const values = { block: items[0]!.id }
    expect((await client.tables.upsert({ id, rows: [{ values }] })).created).toBe(1)
    await expect(titles(id, 'text')).rejects.toThrow('params.columnId must be a link column')
    await expect(titles(id, 'none')).rejects.toThrow('Column not found')
  })

  test('omit files in the trash, a guest’s runs and files, and hidden tables', async () => {
    const { id: project } = await app.project(owner)
    const upload = async (name: string) => {
      const form = new FormData()
      form.set('projectId', project)
      form.set('file', new Blob(['text']), name)
      const headers = { cookie: (await app.session(owner)).cookie }
      const response = await fetch(`${app.url}/api/v1/files`, { method: 'POST', headers, body: form })
      return ((await response.json()) as { data: { id: string } }).data.id
    }
    await upload('plan.pdf')
    await client.files.remove({ id: await upload('plan-old.pdf') })
    const people = await client.tables.create({ projectId: project, name: 'People' })
    await client.tables.upsert({ id: people.id, rows: [{ values: { name: 'Ada' } }] })
    const { id } = await client.tables.create({
      projectId: project,
      name: 'Tasks',
      columns: [
        { name: 'File', type: 'link', target: 'file' },
        { name: 'Person', type: 'link', target: 'row', tableId: people.id },
      ],
    })
    expect(await titles(id, 'file', 'plan')).toEqual(['plan.pdf'])
    const withoutFiles = await app.withKey(owner, ['models:read'])
    await expect(withoutFiles.tables.targets({ id, columnId: 'file' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'missing_scope', required: ['files:read'] },
    })
    expect((await withoutFiles.tables.targets({ id, columnId: 'person' })).items).toHaveLength(1)
    await client.canvas.create({ projectId: project, type: 'table', metadata: { tableId: id } })
    const token = tokenIn(await client.sharing.share({ projectId: project, access: 'edit' }))
    const headers = await guestHeaders(app, token)
    for (const column of ['file', 'person']) {
      const path = `/api/v1/tables/${id}/columns/${column}/targets`
      expect((await app.request('GET', path, { headers })).body).toEqual({ items: [] })
    }
    await client.canvas.create({ projectId: project, type: 'table', metadata: { tableId: people.id } })
    const path = `/api/v1/tables/${id}/columns/person/targets`
    expect((await app.request('GET', path, { headers })).body.items).toMatchObject([{ title: 'Ada' }])
  })
})

describe('columns', () => {
  test('keep their width outside the history, also when a change is undone', async () => {
    const { id, seq } = await createTable()
    const resize = (width: number) => client.tables.update({ id, change: [{ id: 'sku', width }] })
    expect(await resize(300)).toMatchObject({ seq, columns: [{ id: 'sku', width: 300 }, {}, {}, {}, {}, {}] })
    const renamed = await client.tables.update({ id, change: [{ id: 'sku', name: 'Number' }] })
    await resize(90)
    await client.tables.undo({ id, seq: renamed.seq })
    const { columns } = await client.tables.get({ id })
    expect(columns[0]).toMatchObject({ name: 'SKU', width: 90 })
    const { items } = await client.tables.changes({ id })
    expect(items.map(({ kind }) => kind)).toEqual(['undone', 'columns', 'created'])
    await expect(resize(10)).rejects.toThrow('body.change.0.width')
  })

  test('keep their values while removed, until an undo brings them back', async () => {
    const { id } = await createTable()
    await client.tables.upsert({ id, rows: [{ values: { sku: 'a', stock: 4 } }] })
    const changed = await client.tables.update({
      id,
      remove: ['Stock'],
      add: [{ name: 'Stock', type: 'text' }],
    })
    expect(changed.columns.map((column) => column.id)).toContain('stock_2')
    expect((await client.tables.rows({ id })).items[0]!.values).toEqual({ sku: 'a' })
    const { items } = await client.tables.changes({ id })
    expect(items[0]).toMatchObject({ kind: 'columns', fields: ['columns'], by: { name: 'Ada' } })
    await client.tables.undo({ id, seq: items[0]!.seq })
    const restored = await client.tables.get({ id })
    const ids = ['sku', 'amount', 'stock', 'since', 'active', 'state']
    expect(restored.columns.map((column) => column.id)).toEqual(ids)
    expect((await client.tables.rows({ id })).items[0]!.values).toEqual({ sku: 'a', stock: 4 })
  })

  test('become the key only without duplicate values', async () => {
    const { id } = await createTable({ key: null })
    await client.tables.upsert({
      id,
      rows: [{ values: { sku: 'a' } }, { values: { sku: 'a' } }, { values: {} }],
    })
    await expect(client.tables.update({ id, key: 'sku' })).rejects.toThrow(
      'The column sku can’t be the key: several rows have "a"',
    )
    const { items } = await client.tables.rows({ id })
    await client.tables.removeRows({ id, ids: [items[0]!.id] })
    expect(await client.tables.update({ id, key: 'sku' })).toMatchObject({ key: 'sku' })
    await expect(client.tables.update({ id, remove: ['sku'] })).rejects.toThrow('The column sku is the key')
    expect(await client.tables.upsert({ id, rows: [{ values: { sku: 'a', stock: 1 } }] })).toMatchObject({
      updated: 1,
    })
  })

  test('convert their values, count what does not fit, and can be converted back by an undo', async () => {
    const { id } = await createTable()
    await client.tables.upsert({
      id,
      rows: ['1,5', 'many', '2'].map((sku) => ({ values: { sku } })),
    })
    const convert = { id, columnId: 'sku', type: 'number' as const }
    expect(await client.tables.convert({ ...convert, dryRun: true })).toMatchObject({
      ...{ converted: 2, emptied: 1, examples: [{ value: 'many' }] },
    })
    expect(await namesOf(id)).toEqual(['1,5', 'many', '2'])
    await client.tables.convert(convert)
    expect(await namesOf(id)).toEqual([1.5, undefined, 2])
    const { items } = await client.tables.changes({ id })
    await client.tables.undo({ id, seq: items[0]!.seq })
    expect(await namesOf(id)).toEqual(['1,5', 'many', '2'])
    expect((await client.tables.get({ id })).columns[0]!.type).toBe('text')
  })
})

describe('undo', () => {
  test('restores created, changed and deleted rows, and can be undone', async () => {
    const { id } = await createTable()
    await client.tables.upsert({ id, rows: [{ values: { sku: 'a', stock: 1 } }, { values: { sku: 'b' } }] })
    const before = (await client.tables.rows({ id })).items.map((row) => [row.id, row.values])
    const change = await client.tables.upsert({
      id,
      rows: [{ values: { sku: 'a', stock: 2, state: 'open' } }, { values: { sku: 'c' } }],
    })
    const read = async () => (await client.tables.rows({ id })).items.map((row) => [row.id, row.values])
    const after = await read()
    const undone = await client.tables.undo({ id, seq: change.seq })
    expect(undone).toMatchObject({ created: 0, updated: 1, deleted: 1 })
    expect(await read()).toEqual(before)
    await expect(client.tables.undo({ id, seq: change.seq })).rejects.toThrow(
      'This change was undone by change',
    )
    await client.tables.undo({ id, seq: undone.seq })
    expect(await read()).toEqual(after)
    const removed = await client.tables.removeRows({ id, filter: { all: [] } })
    expect(await read()).toEqual([])
    await client.tables.undo({ id, seq: removed.seq })
    expect(await read()).toEqual(after)
  })

  test('is refused after later changes, unless forced, and keeps other cells', async () => {
    const { id } = await createTable()
    const { rows } = await client.tables.upsert({ id, rows: [{ values: { sku: 'a', stock: 1 } }] })
    const change = await client.tables.upsert({ id, rows: [{ id: rows[0]!.id, values: { stock: 2 } }] })
    await client.tables.upsert({ id, rows: [{ id: rows[0]!.id, values: { amount: '7' } }] })
    await expect(client.tables.undo({ id, seq: change.seq })).rejects.toThrow(
      'Others have changed the same since',
    )
    await client.tables.undo({ id, seq: change.seq, force: true })
    expect((await client.tables.rows({ id })).items[0]!.values).toEqual({
      sku: 'a',
      amount: '7.00',
      stock: 1,
    })
    const { items } = await client.tables.rowChanges({ id, rowId: rows[0]!.id })
    expect(items.map((entry) => [entry.before, entry.after])).toEqual([
      [{ stock: 2 }, { stock: 1 }],
      [{ amount: null }, { amount: '7.00' }],
      [{ stock: 1 }, { stock: 2 }],
      [null, { sku: 'a', stock: 1 }],
    ])
  })
})

describe('links', () => {
  test('name items of the same project, and read as missing once they are gone', async () => {
    const target = await createTable()
    const { rows } = await client.tables.upsert({ id: target.id, rows: [{ values: { sku: 'Ada' } }] })
    const block = await client.canvas.create({ projectId, type: 'note', title: 'Plan' })
    const other = await app.project(owner)
    const elsewhere = await client.canvas.create({ projectId: other.id, type: 'note', title: 'Secret' })
    const { id } = await createTable({
      key: null,
      columns: [
        { name: 'Product', type: 'link', target: 'row', tableId: target.id },
        { name: 'Block', type: 'link', target: 'block' },
      ],
    })
    const upsert = (values: object) => client.tables.upsert({ id, rows: [{ values: values as never }] })
    await upsert({ product: rows[0]!.id, block: block.id })
    await expect(upsert({ block: elsewhere.id })).rejects.toThrow(
      'body.rows.0.values.block must be the id of a block in the project',
    )
    await expect(upsert({ product: newId() })).rejects.toThrow('must be the id of a row of the linked table')
    const read = async () => (await client.tables.rows({ id })).items[0]!.values
    expect(await read()).toEqual({
      product: { id: rows[0]!.id, title: 'Ada', missing: false },
      block: { id: block.id, title: 'Plan', missing: false },
    })
    await client.canvas.remove({ projectId, blockId: block.id })
    await client.tables.remove({ id: target.id })
    expect(await read()).toEqual({
      product: { id: rows[0]!.id, title: null, missing: true },
      block: { id: block.id, title: null, missing: true },
    })
  })
})

describe('views', () => {
  test('are shared, and refuse what no list accepts', async () => {
    const { id } = await createTable()
    const settings = {
      filter: { column: 'stock', op: 'gt' as const, value: 1 },
      sort: [{ column: 'sku' }],
      hidden: ['since'],
    }
    const view = await client.tables.createView({ id, name: 'In stock', settings })
    expect(view).toMatchObject({ name: 'In stock', tableId: id })
    await expect(
      client.tables.updateView({ id, tableViewId: view.id, settings: { sort: [{ column: 'none' }] } }),
    ).rejects.toThrow('body.settings.sort.0.column must be a column of the table')
    expect((await client.tables.updateView({ id, tableViewId: view.id, name: 'Stocked' })).settings).toEqual(
      view.settings,
    )
    await client.tables.removeView({ id, tableViewId: view.id })
    expect((await client.tables.views({ id })).items).toEqual([])
  })
})

test('changed rows are listed since a change, with deleted ids', async () => {
  const { id } = await createTable()
  const { rows, seq } = await client.tables.upsert({
    id,
    rows: [{ values: { sku: 'a' } }, { values: { sku: 'b' } }],
  })
  await client.tables.upsert({ id, rows: [{ values: { sku: 'a', stock: 1 } }] })
  await client.tables.removeRows({ id, ids: [rows[1]!.id] })
  expect(await client.tables.changed({ id, since: seq })).toMatchObject({
    ...{ reset: false, deletedIds: [rows[1]!.id], table: { rowCount: 1 } },
    rows: [{ id: rows[0]!.id, values: { sku: 'a', stock: 1 } }],
  })
  expect(await client.tables.changed({ id, since: 999 })).toMatchObject({ reset: true })
})

test('tables are copied with a project: rows in order, views, links among them, and the blocks that show them', async () => {
  const original = await app.project(owner)
  const { id: projectId } = original
  const contacts = await client.tables.create({
    projectId,
    name: 'Contacts',
    columns: [{ name: 'Name' }],
    key: 'name',
  })
  const people = await client.tables.upsert({
    id: contacts.id,
    rows: ['Ada', 'Grace', 'Lin'].map((name) => ({ values: { name } })),
  })
  const deals = await client.tables.create({
    projectId,
    name: 'Deals',
    columns: [{ name: 'With', type: 'link', target: 'row', tableId: contacts.id }],
  })
  await client.tables.upsert({ id: deals.id, rows: [{ values: { with: people.rows[1]!.id } }] })
  await client.tables.createView({ id: contacts.id, name: 'Mine' })
  await client.canvas.create({ projectId, type: 'table', metadata: { tableId: contacts.id } })
  const copy = await client.projects.duplicate({ id: projectId })
  const tables = (await client.tables.list({ projectId: copy.id })).items
  expect(tables.map(({ name, rowCount, key }) => [name, rowCount, key])).toEqual([
    ['Contacts', 3, 'name'],
    ['Deals', 1, null],
  ])
  const [copied, copiedDeals] = tables
  const rows = (await client.tables.rows({ id: copied!.id })).items
  expect(rows.map(({ values }) => values.name)).toEqual(['Ada', 'Grace', 'Lin'])
  expect((await client.tables.rows({ id: copiedDeals!.id })).items[0]!.values).toEqual({
    with: { id: rows[1]!.id, title: 'Grace', missing: false },
  })
  expect((await client.tables.views({ id: copied!.id })).items.map(({ name }) => name)).toEqual(['Mine'])
  const { items } = await client.canvas.list({ projectId: copy.id })
  expect(items[0]!.metadata).toEqual({ tableId: copied!.id })
})

describe('share link guests', () => {
  test('see and edit a table only while a block on the canvas shows it, as far as the link grants', async () => {
    const { id: projectId } = await app.project(owner)
    const { id } = await client.tables.create({ projectId, name: 'Shared', columns: [{ name: 'Text' }] })
    await client.tables.upsert({ id, rows: [{ values: { text: 'Hello' } }] })
    const token = tokenIn(await client.sharing.share({ projectId, access: 'view' }))
    const headers = await guestHeaders(app, token)
    const read = () => app.request('GET', `/api/v1/tables/${id}/rows`, { headers })
    expect((await read()).status).toBe(404)
    await client.canvas.create({ projectId, type: 'table', metadata: { tableId: id } })
    expect((await read()).body.items).toHaveLength(1)
    const body = { rows: [{ values: { text: 'By a guest' } }] }
    const write = (as: Record<string, string>) =>
      app.request('POST', `/api/v1/tables/${id}/rows`, { headers: as, body })
    expect((await write(headers)).status).toBe(403)
    await client.sharing.share({ projectId, access: 'edit' })
    const editor = await guestHeaders(app, token)
    expect((await write(editor)).status).toBe(200)
    expect((await client.tables.rows({ id })).items[1]).toMatchObject({ updatedBy: null })
    const rename = { headers: editor, body: { name: 'Mine' } }
    expect((await app.request('PATCH', `/api/v1/tables/${id}`, rename)).status).toBe(401)
  })
})
