import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Context, createContext } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { CALLER_DEFAULTS } from '../../testing/clients/file-client.ts'
import { countReads, expectFewReads } from '../../testing/clients/reads.ts'
import type { Person } from '../../testing/factories/factories.ts'
import { seedManyProjects, vacuumProjects } from '../../testing/factories/many-projects.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { findDetails, lockProject } from './find.ts'
import { listRows } from './list.ts'

/** 100,000 projects in twenty workspaces, nine of ten in one: every statement finds its rows by an index. */

const PROJECTS = 100_000
const LIMIT = 51
/** A row of a page is read in the list, as the record, with its folder, and with the workspaces that open it. */
const PER_ROW = 6
/** What a search may look at: the first in order, what an index finds, and what is then asked of those. */
const SEARCHED = 20_000
const TABLES = ['projects', 'project_workspaces', 'folders']

let app: TestApp
let workspaces: string[]
const callers = new Map<string, Caller>()
beforeAll(async () => {
  app = await buildTestApp()
  const org = await app.organization()
  const others = await Promise.all(Array.from({ length: 19 }, () => app.workspace(org)))
  workspaces = [org.workspaceId, ...others]
  const other = await app.organization()
  const [admin, member, small] = [
    await app.person(org, { role: 'admin' }),
    await app.person(org),
    await app.person(org),
  ]
  for (const id of others.slice(0, 3)) await app.seat(member, id, 'editor')
  await app.seat(small, workspaces[0]!, null)
  await app.seat(small, workspaces[5]!, 'viewer')
  await seedManyProjects(app.sql, admin, { count: PROJECTS, workspaceIds: workspaces })
  await seedManyProjects(app.sql, admin, { count: 5000, workspaceIds: workspaces, deleted: true })
  await seedManyProjects(app.sql, member, { count: 1000, workspaceIds: workspaces, visibility: 'private' })
  const stranger = await app.person(other)
  await seedManyProjects(app.sql, stranger, { count: PROJECTS / 10, workspaceIds: [other.workspaceId] })
  await vacuumProjects(app.sql)
  callers.set('an admin', callerOf(admin, 'admin'))
  callers.set('a member of the large workspace and three more', callerOf(member, 'member'))
  callers.set('a member of a small workspace', callerOf(small, 'member'))
}, 180_000)
afterAll(() => app.close())

const callerOf = ({ id: userId, orgId }: Person, role: Caller['role']): Caller => ({
  ...CALLER_DEFAULTS,
  userId,
  orgId,
  role,
  workspaceId: workspaces[0]!,
})

const expectFew = (most: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, most, run)

describe.each([
  ['an admin'],
  ['a member of the large workspace and three more'],
  ['a member of a small workspace'],
])('the list of %s', (name) => {
  type Wanted = Partial<Parameters<typeof listRows>[1]>
  const list = (wanted: Wanted, after: string | null = null) => {
    const caller = callers.get(name)!
    return (sql: Sql) => listRows({ sql, caller }, { trashed: false, ...wanted }, { after, limit: LIMIT })
  }

  test('reads the rows of one page, at the start and deep inside', async () => {
    await expectFew(LIMIT * PER_ROW * 4, list({}))
    await expectFew(LIMIT * PER_ROW * 4, list({}, '0000c350-0000-7000-8000-000000000000'))
  })

  test('reads the rows of one page of a workspace, and of one visibility', async () => {
    await expectFew(LIMIT * PER_ROW, list({ workspaceId: workspaces[5]! }))
    await expectFew(LIMIT * PER_ROW, list({ workspaceId: workspaces[0]! }))
    await expectFew(LIMIT * PER_ROW * 4, list({ visibility: 'team' }))
    await expectFew(LIMIT * PER_ROW, list({ visibility: 'private' }))
  })

  test.each([
    ['a common word', { search: 'plan' }],
    ['a rare word', { search: 'zebra' }],
    ['a word nobody used', { search: 'giraffe' }],
    ['a common letter', { search: 'p' }],
    ['a letter nobody used', { search: 'ж' }],
    ['two letters that are rare', { search: 'ze' }],
    ['a common tag', { tag: 'common' }],
    ['a rare tag', { tag: 'rare' }],
    ['a tag nobody used', { tag: 'none' }],
    ['a common status', { status: 'active' as const }],
    ['a rare status', { status: 'archived' as const }],
    ['a rare tag and word', { tag: 'rare', search: 'zebra' }],
  ])('looks at few for %s', (_, wanted) => expectFew(SEARCHED, list(wanted)))
})

test('what is common but comes late is found by its status at once, for an admin', () =>
  expectFew(SEARCHED, (sql) =>
    listRows(
      { sql, caller: callers.get('an admin')! },
      { trashed: false, status: 'completed' },
      { after: null, limit: LIMIT },
    ),
  ))

test('the trash of an admin reads the rows of one page', () =>
  expectFew(LIMIT * PER_ROW, (sql) =>
    listRows({ sql, caller: callers.get('an admin')! }, { trashed: true }, { after: null, limit: LIMIT }),
  ))

describe('one project', () => {
  const inside = (sql: Sql, caller: Caller): Context => createContext({ ...app.app.system(), caller, sql })
  test('is read and held by its id or its slug', async () => {
    const [found] = await app.sql<{ id: string; slug: string }[]>`
      select id, slug from projects where org_id = ${callers.get('an admin')!.orgId} and workspace_id = ${workspaces[0]!}
        and visibility = 'team' and deleted_at is null limit 1`
    for (const name of ['an admin', 'a member of the large workspace and three more']) {
      for (const ref of [found!.id, found!.slug]) {
        await expectFew(20, (sql) => findDetails(inside(sql, callers.get(name)!), ref))
        await expectFew(20, (sql) => lockProject(inside(sql, callers.get(name)!), ref))
      }
    }
  })
})

test('the count would show a statement that reads everything', async () => {
  const { rows } = await countReads(
    app.sql,
    TABLES,
    (sql) => sql`select count(*) from projects where name = 'x'`,
  )
  expect(rows).toBeGreaterThan(PROJECTS)
})
