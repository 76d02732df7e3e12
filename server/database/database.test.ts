import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../testing/database.ts'
import { openDatabase, type Pool } from './database.ts'
import { parserFor } from './values.ts'

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
])('a pool reads the time %s as written', async (iso) => {
  const [row] = await sql<{ text: string; date: string }[]>`
      select ${iso}::timestamptz(3) as text, ${new Date(iso)}::timestamptz(3) as date`
  expect(row).toEqual({ text: iso, date: iso })
})

test('a pool reads times stored in microseconds, as by graphile-worker, in milliseconds', async () => {
  const [row] = await sql`select '2026-11-15 02:03:44.202999+00'::timestamptz as at`
  expect(row).toEqual({ at: '2026-11-15T02:03:44.202Z' })
})

test('a pool reads a count as a number', async () => {
  const [row] = await sql`select count(*) from generate_series(1, 3)`
  expect(row).toEqual({ count: 3 })
})

test('a pool reads an array as written', async () => {
  const awkward = fc.array(
    fc.oneof(fc.string({ unit: fc.constantFrom(...'a ",\\{}\nN') }), fc.constant(null)),
  )
  await fc.assert(
    fc.asyncProperty(awkward, fc.array(fc.maxSafeInteger()), async (texts, numbers) => {
      const [row] = await sql`
        select ${texts}::text[] as texts, ${numbers}::bigint[] as numbers, array['NULL', 'null'] as words`
      expect(row).toEqual({ texts, numbers, words: ['NULL', 'null'] })
    }),
  )
})

test('a pool reads arrays of times, numbers and booleans', async () => {
  const at = '2026-11-15T02:03:44.202Z'
  const id = '0198a1b2-0000-7000-8000-000000000000'
  const [row] = await sql`
    select ${[at]}::timestamptz[] as times, ${[1.5]}::float8[] as doubles, ${[7]}::int[] as integers,
      ${[id]}::uuid[] as ids, array[true, false, null] as flags,
      array[json_build_object('a', 'b"\\')] as objects, array['1'::jsonb] as values`
  expect(row).toEqual({
    times: [at],
    doubles: [1.5],
    integers: [7],
    ids: [id],
    flags: [true, false, null],
    objects: [{ a: 'b"\\' }],
    values: [1],
  })
})

test('every array column in the schema has a type that is read as an array', async () => {
  const columns = await sql<{ name: string; oid: number }[]>`
    select attrelid::regclass || '.' || attname as name, atttypid::int as oid from pg_attribute
    join pg_type on pg_type.oid = atttypid join pg_class on pg_class.oid = attrelid
    where typcategory = 'A' and relnamespace = 'public'::regnamespace and attnum > 0`
  expect(columns.length).toBeGreaterThan(0)
  expect(columns.filter(({ oid }) => parserFor(oid) === undefined)).toEqual([])
})
