import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/test-app.ts'
import { analyzeNewTables } from './migrate.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('analyzeNewTables analyzes a table with rows once, and skips empty ones', async () => {
  await app.sql`alter table workspaces set (autovacuum_enabled = off)`
  await app.organization()
  const analyzed = await analyzeNewTables(app.sql)
  expect(analyzed).toContain('workspaces')
  expect(analyzed).not.toContain('feedback')
  const statistics = await app.sql`select from pg_stats where tablename = 'workspaces'`
  expect(statistics.length).toBeGreaterThan(0)
  expect(await analyzeNewTables(app.sql)).not.toContain('workspaces')
})

test("a new database's tables are analyzed after ten changed rows", async () => {
  const rows = await app.sql<{ name: string }[]>`
    select relname as name from pg_class where reloptions::text like '%autovacuum_analyze_threshold=10%'`
  expect(rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['files', 'folders', 'projects', 'blocks']),
  )
})
