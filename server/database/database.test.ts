import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { openDatabase, type Pool } from './database.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

test.each([
  '2026-11-15T02:03:44.202Z',
  '2026-11-15T02:03:44.200Z',
  '2026-11-15T02:03:44.000Z',
  '1999-12-31T23:59:59.007Z',
])('reads the time %s as it was written', async (iso) => {
  const [row] = await sql<{ text: string; date: string }[]>`
      select ${iso}::timestamptz(3) as text, ${new Date(iso)}::timestamptz(3) as date`
  expect(row).toEqual({ text: iso, date: iso })
})

test('reads a time stored in microseconds, as graphile-worker does, in milliseconds', async () => {
  const [row] = await sql`select '2026-11-15 02:03:44.202999+00'::timestamptz as at`
  expect(row).toEqual({ at: '2026-11-15T02:03:44.202Z' })
})

test('reads a count as a number', async () => {
  const [row] = await sql`select count(*) from generate_series(1, 3)`
  expect(row).toEqual({ count: 3 })
})
