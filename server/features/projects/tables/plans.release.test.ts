import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openExplainedDatabase, type Statement } from '../../../testing/plans/explain.ts'
import { buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

/**
 * A full table beside another one. Pages in the order of creation and lookups by key read an index. A filter or sort on
 * any other column reads each of the table's rows once, and keeps the first page of them in memory. As this table is half
 * of the relation, the planner may scan the relation instead.
 */

const ROWS = 100_000
/** Both tables. */
const RELATION_ROWS = 2 * ROWS
const PAGE = 101
/** Ends a test that hangs, also on a busy machine. */
const TIME_MAX = 300_000

let database: Awaited<ReturnType<typeof openExplainedDatabase>>
let app: TestApp
let id: string
let headers: Record<string, string>
beforeAll(async () => {
  database = await openExplainedDatabase()
  const seeder = await buildTestApp({ on: database.plainConnection })
  const org = await seeder.organization()
  const owner = await seeder.person(org, { role: 'owner' })
  const { id: projectId } = await seeder.project(owner)
  const client = await seeder.withSession(owner)
  const columns = [{ name: 'Key' }, { name: 'N', type: 'number' as const }, { name: 'Text' }]
  for (const name of ['Other', 'Full']) {
    const link = { name: 'Other', type: 'link' as const, target: 'row' as const, tableId: id }
    const all = name === 'Full' ? [...columns, link] : columns
    const table = await client.tables.create({ projectId, name, columns: all, key: 'key' })
    id = table.id
    await seeder.sql`
      insert into table_rows (org_id, table_id, id, cells, key_text, bytes, seq, created_at, updated_at)
      select ${org.id}, ${id}, ('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        jsonb_build_object('key', 'k' || n, 'n', n % 1000, 'text', md5(n::text)), 'k' || n, 60, 1, now(), now()
      from generate_series(1, ${ROWS}::int) n`
    await seeder.sql`update project_tables set row_count = ${ROWS} where id = ${id}`
  }
  await seeder.sql.unsafe('vacuum analyze')
  headers = cookie(await seeder.session(owner))
  await seeder.close()
  await database.usePlans('generic')
  app = await buildTestApp({ on: database.connection })
}, TIME_MAX)
afterAll(async () => {
  await app.close()
  await database.close()
})

async function read(query: Record<string, string>, path = 'rows') {
  let status = 0
  const statements = await database.statementsOf(async () => {
    const url = `/api/v1/tables/${id}/${path}?${new URLSearchParams(query)}`
    ;({ status } = await app.request('GET', url, { headers }))
  })
  expect(status).toBe(200)
  return statements.filter(({ query: text }) => text.includes('table_rows'))
}

const visited = (statements: Statement[]) => statements.reduce((sum, { visitedRows }) => sum + visitedRows, 0)

describe('a table with 100,000 rows', () => {
  test('reads only a page in the order of creation, and one row by key', async () => {
    expect(visited(await read({}))).toBeLessThanOrEqual(PAGE)
    const filter = JSON.stringify({ column: 'key', op: 'eq', value: 'k99999' })
    expect(visited(await read({ filter }))).toBe(1)
  })

  test.each<Record<string, string>>([
    { sort: JSON.stringify([{ column: 'text' }]) },
    { sort: JSON.stringify([{ column: 'n', order: 'desc' }, { column: 'text' }]) },
    { filter: JSON.stringify({ column: 'text', op: 'contains', value: 'zzz' }) },
    { search: 'zzz' },
    { offset: '99950' },
    { group: JSON.stringify({ column: 'n' }), offset: '99950' },
    { group: JSON.stringify({ column: 'text' }), sort: JSON.stringify([{ column: 'n' }]) },
  ])('reads each row at most once for %j', async (query) => {
    const statements = await read(query)
    expect(visited(statements)).toBeLessThanOrEqual(RELATION_ROWS)
  })

  test('reads only a page of link targets, and each row at most once to find some by title', async () => {
    expect(visited(await read({}, 'columns/other/targets'))).toBeLessThanOrEqual(PAGE)
    expect(visited(await read({ search: 'k9' }, 'columns/other/targets'))).toBeLessThanOrEqual(RELATION_ROWS)
  })

  test('reads each row at most once for groups', async () => {
    const statements = await read({ group: JSON.stringify([{ column: 'n' }]) }, 'aggregate')
    expect(visited(statements)).toBeLessThanOrEqual(RELATION_ROWS)
  })
})
