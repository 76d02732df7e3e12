import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openExplainedDatabase, type Statement } from '../../server/testing/plans/explain.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { sessionsOf } from './callers.ts'
import { findUncovered } from './coverage.ts'
import { listRequests } from './requests.ts'
import type { World } from './seed.ts'
import { seedLargeWorld } from './seed-large.ts'

/**
 * Every list and search of the API, with every filter and order, in an organization with 100,000 rows in each table
 * beside 500 small organizations, with statistics: the first page, and the one after it.
 */

/** Ends a test that hangs, also on a busy machine. */
const TIME_MAX = 600_000
const PAGE = 51
/** For a member, a list reads 200 rows first, each with its project and the workspaces that grant access. */
const ROWS_MAX = 20 * PAGE + 5 * 200
/** One call of the access function, which calls another, for each link of a page, and for the folder itself. */
const CALLS_MAX = 2 * PAGE + 4
/**
 * A search first filters the 3,000 records that are next in order, then up to 5,000 matches of an index; each
 * record is read with its folder and, for a member, with the workspaces that grant access.
 */
const SEARCH_ROWS_MAX = 30_000
/** Sequential scans of tables with few rows are the best plan. */
const SMALL_TABLE = 600

/** Requests that read more than a page, each with its reason. */
const EXCEPTIONS: Record<string, { rows: number; mayScan?: true; reason: string }> = {
  'agentRuns.changes': { rows: 5000, reason: 'reads all changes of the run, which has a thousand' },
  'agents.faces': {
    rows: 5000,
    reason: 'reads all agents of the organization, which a quota limits, with their current versions',
  },
  'agentRuns.list': {
    rows: 6000,
    reason: 'reads the workspaces of each project for a member; of two filters, one has an index',
  },
  'agents.list': {
    rows: 3000,
    reason: 'a search reads all agents of the organization, which a quota limits',
  },
  'agentRuns.stats': {
    rows: 150_000,
    reason: 'reads the newest 10,000 runs of two days four times, and the access to each of their projects',
  },
  'approvals.grants': {
    rows: 5500,
    reason: 'has a thousand, each with its agent and the person who granted it',
  },
  'approvals.list': { rows: 15_000, reason: 'counts the approvals that the caller may decide among 1,000' },
  'comments.counts': {
    rows: 20_000,
    reason: 'reads the open threads of a canvas, and whether their blocks exist',
  },
  'comments.people': { rows: 10_000, reason: 'reads the names of 2,000 members' },
  'connectorEndpoints.replies': {
    rows: 5000,
    reason:
      'reads the newest reply of each of 200 endpoints with its project, then a page of those with the newest',
  },
  'forms.list': {
    rows: 10_000,
    reason:
      'reads the open forms, of which there are 1,000, each with its project and the workspaces that grant access',
  },
  'feedback.list': { rows: 3000, reason: 'counts at most 1,000 submissions after the page for `total`' },
  'feedback.queue': { rows: 6000, reason: 'counts each of six statuses up to 1,000' },
  'guardrails.list': { rows: 3000, reason: 'reads all agents of the organization, which a quota limits' },
  'home.read': {
    rows: 10_000,
    mayScan: true,
    reason:
      'has parts of fourteen statements: 200 open approvals, the newest 100 rows of eight projects, the webhooks of the organization; reads the connections, which a quota limits',
  },
  'mcpCalls.list': { rows: 6000, reason: 'adds the counts of 40 tools for each hour of a day' },
  'mcpServers.list': { rows: 3000, reason: 'reads all agents of the organization, which a quota limits' },
  'notifications.list': {
    rows: 10_000,
    reason:
      'counts 100 unread ones, and looks for a kind among the thousand of a person, each with its subject',
  },
  'quotas.list': { rows: 650_000, mayScan: true, reason: 'counts what quotas limit, such as agents' },
  'quotas.listOf': { rows: 650_000, mayScan: true, reason: 'counts the same as quotas.list' },
  'memory.list': {
    rows: 30_000,
    reason: 'reads 2,000 memories for those that the caller sees, and ranks up to 800 matches',
  },
  'passages.search': {
    rows: 30_000,
    reason: 'reads up to 6,000 passages with the rarest words, and their sources',
  },
  'search.find': {
    rows: 30_000,
    reason:
      'reads 4,000 of the newest records, and 2,000 matches, each with the project or folder that it is in',
  },
  'skills.list': { rows: 3000, reason: 'counts the skills of all agents, which a quota limits' },
  'tables.rows': {
    rows: 210_000,
    mayScan: true,
    reason:
      'a search, a filter or a sort reads the rows of its table, which has a limit; the rows are half of all',
  },
  'telephony.overview': {
    rows: 10_000,
    mayScan: true,
    reason:
      'reads the connections of the organization, has all numbers and rules, which limits bound, and the hours of the projects of numbers',
  },
  'webhooks.list': { rows: 20_000, reason: 'has 24 hours of four quarters each for 50 webhooks' },
  'webhooks.eventsOf': {
    rows: 5000,
    reason: 'reads ten pages of deliveries, then of events, in search of a status',
  },
}

let database: Awaited<ReturnType<typeof openExplainedDatabase>>
let world: World
beforeAll(async () => {
  database = await openExplainedDatabase()
  const seeder = await buildTestApp({ on: database.plainConnection })
  world = await seedLargeWorld(seeder)
  await seeder.close()
}, TIME_MAX)
afterAll(() => database.close())

test('every list in the contract is requested with each filter and order', () => {
  expect(findUncovered(listRequests(world))).toEqual([])
})

describe.each(['custom', 'generic'] as const)('%s plans', (kind) => {
  let app: TestApp
  beforeAll(async () => {
    await database.usePlans(kind)
    app = await buildTestApp({ on: database.connection })
  })
  afterAll(() => app.close())

  test(
    'every list and search reads a limited number of rows and scans no table',
    async () => {
      const callers = await sessionsOf(app, world)
      const failures: string[] = []
      for (const { name, path, by = 'owner' } of listRequests(world)) {
        const read = async (url: string): Promise<string | undefined> => {
          let next: string | undefined
          const statements = await database.statementsOf(async () => {
            const { status, text, body } = await app.request('GET', `/api/v1${url}`, { headers: callers[by] })
            expect(status, `${url} ${text}`).toBe(200)
            next = (body.data ?? body).nextCursor ?? undefined
          })
          failures.push(...failuresOf(name, path, statements).map((failure) => `${url} by ${by}: ${failure}`))
          return next
        }
        const cursor = await read(path)
        // The condition of a cursor is a parameter, which a custom plan uses: generic plans are the harder case.
        if (cursor && kind === 'generic')
          await read(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`)
      }
      expect(failures).toEqual([])
    },
    TIME_MAX,
  )
})

test('the measurement detects a scan, a function called per row and a long index scan', async () => {
  const app = await buildTestApp({ on: database.connection })
  const statementsOf = (run: () => Promise<unknown>) => database.statementsOf(run)
  const scan = await statementsOf(() => app.sql`select count(*) from audit where details = '[]'`)
  const calls = await statementsOf(
    () => app.sql`
      select project_files_access(org_id, project_id, ${world.owner.id}, 'member') from folders
      where org_id = ${world.owner.orgId} limit 200`,
  )
  const indexScan = await statementsOf(
    () => app.sql`select id from runs where org_id = ${world.owner.orgId} order by id limit 5000`,
  )
  await app.close()
  for (const statements of [scan, calls, indexScan])
    expect(failuresOf('none', '', statements).length).toBeGreaterThan(0)
})

function failuresOf(name: string, path: string, statements: Statement[]): string[] {
  const isSearch = /[?&](search|tag)=|\/projects\?.*status=/.test(path)
  const rowsMax = EXCEPTIONS[name]?.rows ?? (isSearch ? SEARCH_ROWS_MAX : ROWS_MAX)
  const featureStatements = statements.filter(({ query }) => !query.includes('pg_catalog'))
  const rows = featureStatements.reduce((sum, { visitedRows }) => sum + visitedRows, 0)
  const plans = featureStatements.filter(
    ({ calls, scannedRows }) =>
      calls > CALLS_MAX || (!EXCEPTIONS[name]?.mayScan && scannedRows > SMALL_TABLE),
  )
  return [
    ...(rows > rowsMax
      ? [
          `${rows} rows: ${featureStatements.map(({ visitedRows, query }) => `${visitedRows} ${query}`).join('\n')}`,
        ]
      : []),
    ...plans.map(
      ({ calls, scannedTables, query }) => `${calls} calls, scans of ${scannedTables.join()}: ${query}`,
    ),
  ]
}
