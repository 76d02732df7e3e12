import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Context, createContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { countUsed, readMeter } from '../../../metering/usage-queries.ts'
import { countReads, expectFewReads } from '../../../testing/clients/reads.ts'
import { CALLER_DEFAULTS } from '../../../testing/factories/caller.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { seedManyProjects, vacuumProjects } from '../../../testing/factories/many-projects.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { ListPosition } from '../access/access.ts'
import { findDetails, lockProject } from './find.ts'
import { type ListFilter, listRows } from './list.ts'

/** The cost of statements with 20,000 projects in 20 workspaces, 90 % of them in one: each must use an index. */

const PROJECTS = 20_000
const LIMIT = 51
/** The reads per row of a page: in the list, the project, its folder, and the workspaces that grant access. */
const PER_ROW = 6
/**
 * The reads that a search may need: the first rows in order, the matches of an index, and the access checks of both.
 */
const SEARCH_READS_MAX = 20_000
const TABLES = ['projects', 'project_workspaces', 'folders']
const MIDDLE = '00002710-0000-7000-8000-000000000000'

let app: TestApp
let workspaces: string[]
const callers = new Map<string, Caller>()
beforeAll(async () => {
  app = await buildTestApp()
  const org = await app.organization()
  const others = await Promise.all(Array.from({ length: 19 }, () => app.workspace(org)))
  workspaces = [org.workspaceId, ...others]
  const other = await app.organization()
  const [admin, member, memberOfSmall] = [
    await app.person(org, { role: 'admin' }),
    await app.person(org),
    await app.person(org),
  ]
  for (const id of others.slice(0, 3)) await app.setWorkspaceRole(member, id, 'editor')
  await app.setWorkspaceRole(memberOfSmall, workspaces[0]!, null)
  await app.setWorkspaceRole(memberOfSmall, workspaces[5]!, 'viewer')
  await seedManyProjects(app.sql, admin, { count: PROJECTS, workspaceIds: workspaces })
  await seedManyProjects(app.sql, admin, { count: 1000, workspaceIds: workspaces, deleted: true })
  await seedManyProjects(app.sql, member, { count: 1000, workspaceIds: workspaces, visibility: 'private' })
  const stranger = await app.person(other)
  await seedManyProjects(app.sql, stranger, { count: PROJECTS / 10, workspaceIds: [other.workspaceId] })
  await vacuumProjects(app.sql)
  callers.set('an admin', callerOf(admin, 'admin'))
  callers.set('a member of the large workspace and three more', callerOf(member, 'member'))
  callers.set('a member of a small workspace', callerOf(memberOfSmall, 'member'))
}, 180_000)
afterAll(() => app.close())

const callerOf = ({ id: userId, orgId }: Person, role: Caller['role']): Caller => ({
  ...CALLER_DEFAULTS,
  userId,
  orgId,
  role,
  workspaceId: workspaces[0]!,
})

const expectFew = (max: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, max, run)

describe.each([
  ['an admin'],
  ['a member of the large workspace and three more'],
  ['a member of a small workspace'],
])('project list for %s', (name) => {
  const list = (filter: Partial<ListFilter>, after: ListPosition | null = null) => {
    const caller = callers.get(name)!
    return (sql: Sql) => listRows({ sql, caller }, { trashed: false, ...filter }, { after, limit: LIMIT })
  }

  test("reads one page's rows, at the start and on deep pages", async () => {
    await expectFew(LIMIT * PER_ROW * 4, list({}))
    await expectFew(LIMIT * PER_ROW * 4, list({}, { key: null, id: MIDDLE }))
  })

  test.each([
    ['name', { key: 'other 5000', id: MIDDLE }],
    ['updated', { key: '2020-01-01T00:00:00.000Z', id: MIDDLE }],
    ['opened', { key: null, id: MIDDLE }],
  ] as const)("reads one page's rows in the order %s, both ways", async (sort, after) => {
    for (const order of sort === 'opened' ? (['desc'] as const) : (['asc', 'desc'] as const)) {
      await expectFew(LIMIT * PER_ROW * 5, list({ sort, order }))
      await expectFew(LIMIT * PER_ROW * 5, list({ sort, order }, after))
      await expectFew(LIMIT * PER_ROW * 5, list({ sort, order, workspaceId: workspaces[5]! }))
      await expectFew(SEARCH_READS_MAX, list({ sort, order, status: 'archived' }))
      await expectFew(LIMIT * PER_ROW, list({ sort, order, favourites: true }))
    }
  })

  test("reads one page's rows when filtered by workspace or visibility", async () => {
    await expectFew(LIMIT * PER_ROW, list({ workspaceId: workspaces[5]! }))
    await expectFew(LIMIT * PER_ROW, list({ workspaceId: workspaces[0]! }))
    await expectFew(LIMIT * PER_ROW * 4, list({ visibility: 'team' }))
    await expectFew(LIMIT * PER_ROW, list({ visibility: 'private' }))
  })

  test.each([
    ['a common word', { search: 'plan' }],
    ['a rare word', { search: 'zebra' }],
    ['an unused word', { search: 'giraffe' }],
    ['a common letter', { search: 'p' }],
    ['an unused letter', { search: 'ж' }],
    ['two rare letters', { search: 'ze' }],
    ['a common tag', { tag: 'common' }],
    ['a rare tag', { tag: 'rare' }],
    ['an unused tag', { tag: 'none' }],
    ['a common status', { status: 'active' as const }],
    ['a rare status', { status: 'archived' as const }],
    ['a rare tag and word', { tag: 'rare', search: 'zebra' }],
  ])('reads a bounded number of rows for %s', (_, filter) => expectFew(SEARCH_READS_MAX, list(filter)))
})

test("an admin's list finds a common status by index even if its projects sort last", () =>
  expectFew(SEARCH_READS_MAX, (sql) =>
    listRows(
      { sql, caller: callers.get('an admin')! },
      { trashed: false, status: 'completed' },
      { after: null, limit: LIMIT },
    ),
  ))

test("an admin's trash reads one page's rows", () =>
  expectFew(LIMIT * PER_ROW, (sql) =>
    listRows({ sql, caller: callers.get('an admin')! }, { trashed: true }, { after: null, limit: LIMIT }),
  ))

describe('single-project query', () => {
  const contextOf = (sql: Sql, caller: Caller): Context => createContext({ ...app.app.system(), caller, sql })
  test('reads and locks it by id or slug without reading other projects', async () => {
    const [found] = await app.sql<{ id: string; slug: string }[]>`
      select id, slug from projects where org_id = ${callers.get('an admin')!.orgId} and workspace_id = ${workspaces[0]!}
        and visibility = 'team' and deleted_at is null limit 1`
    for (const name of ['an admin', 'a member of the large workspace and three more']) {
      for (const ref of [found!.id, found!.slug]) {
        await expectFew(20, (sql) => findDetails(contextOf(sql, callers.get(name)!), ref))
        await expectFew(20, (sql) => lockProject(contextOf(sql, callers.get(name)!), ref))
      }
    }
  })
})

test('quota checks read no project', async () => {
  const { orgId } = callers.get('an admin')!
  await expectFew(0, (sql) => countUsed(sql, orgId, 'projects', new Date()))
  await expectFew(0, (sql) => readMeter(sql, orgId))
})

test('the measurement detects a statement that reads every row', async () => {
  const { rows } = await countReads(
    app.sql,
    TABLES,
    (sql) => sql`select count(*) from projects where name = 'x'`,
  )
  expect(rows).toBeGreaterThan(PROJECTS)
})
