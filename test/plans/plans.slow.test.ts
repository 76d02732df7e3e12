import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openExplainedDatabase, type Statement } from '../../server/testing/plans/explain.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { sessionsOf } from './callers.ts'
import { listRequests } from './requests.ts'
import { seedWorld, type World } from './seed.ts'

/**
 * Every list and search of the API on tables without statistics, as in a new installation: the planner has neither the number
 * of rows of a table nor their distribution. `large-tables.large.test.ts` has 100,000 rows and statistics.
 */

/** Ends a test that hangs, also on a busy machine. */
const TIME_MAX = 600_000
const ROWS = 400
const PAGE = 51
/** The largest table has four times as many rows, and a statement may read it a few times, but not once for each row. */
const VISITED_MAX = 20 * ROWS
/** One call of the access function, which calls another, for each link of a page, and for the folder itself. */
const CALLS_MAX = 2 * PAGE + 4

let database: Awaited<ReturnType<typeof openExplainedDatabase>>
let seeder: TestApp
let world: World
beforeAll(async () => {
  database = await openExplainedDatabase()
  const tables = await database.admin<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  for (const { name } of tables)
    await database.admin`alter table ${database.admin(name)} set (autovacuum_enabled = off)`
  seeder = await buildTestApp({ on: database.plainConnection })
  world = await seedWorld(seeder, { count: ROWS, uploads: ROWS })
}, TIME_MAX)
afterAll(async () => {
  await seeder.close()
  await database.close()
})

describe.each(['custom', 'generic'] as const)('%s plans without statistics', (kind) => {
  let app: TestApp
  let callers: Awaited<ReturnType<typeof sessionsOf>>
  beforeAll(async () => {
    await database.usePlans(kind)
    app = await buildTestApp({ on: database.connection })
    callers = await sessionsOf(app, world)
  })
  afterAll(() => app.close())

  test(
    'every list and search visits each row at most a few times and calls no function per row',
    async () => {
      const failures: string[] = []
      for (const { path, by = 'owner' } of listRequests(world)) {
        const statements = await database.statementsOf(async () => {
          const { status, text } = await app.request('GET', `/api/v1${path}`, { headers: callers[by] })
          expect(status, `${path} ${text}`).toBe(200)
        })
        expect(statements.length).toBeGreaterThan(0)
        failures.push(
          ...statements.filter(isExcessive).map((statement) => describeFailure(path, by, statement)),
        )
      }
      expect(failures).toEqual([])
    },
    TIME_MAX,
  )
})

test('the tables still have no statistics after the requests', async () => {
  const analyzed = await database.admin`
    select tablename from pg_stats where schemaname = 'public' and tablename in ('files', 'folders', 'projects', 'events')`
  expect(analyzed.length).toBe(0)
})

test('the measurement detects an all-pairs comparison and a function called per row', async () => {
  const app = await buildTestApp({ on: database.connection })
  const pairs = await database.statementsOf(async () => {
    await app.sql`select count(*) from files a join files b on a.size < b.size where a.org_id = ${world.owner.orgId}`
  })
  const calls = await database.statementsOf(async () => {
    await app.sql`select project_files_access(org_id, project_id, ${world.owner.id}, 'member') from folders`
  })
  await app.close()
  expect([pairs.some(isExcessive), calls.some(isExcessive)]).toEqual([true, true])
})

const isExcessive = ({ visitedRows, calls }: Statement) => visitedRows > VISITED_MAX || calls > CALLS_MAX

const describeFailure = (path: string, by: string, { visitedRows, calls, scannedTables, query }: Statement) =>
  `${path} by ${by}: ${visitedRows} rows, ${calls} calls, scans of ${scannedTables.join()}: ${query}`
