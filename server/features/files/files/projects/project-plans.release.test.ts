import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../../../database/database.ts'
import { expectFewReads } from '../../../../testing/clients/reads.ts'
import {
  seedManyFiles,
  seedManyFolders,
  seedProjectFolders,
  withoutIndexes,
} from '../../../../testing/factories/many-files.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import { type FolderList, listFolder } from '../listing/list-queries.ts'
import { SEARCH_LIMITS, search } from '../listing/search.ts'
import type { SearchFilter } from '../listing/search-queries.ts'

/** With 2,000 projects that a member cannot see, one of them with 20,000 files, a list reads a bounded number of rows. */

const FILES = 20_000
const WORKSPACES = 40
const PROJECTS_EACH = 50
const LIMIT = 51
/** Rows that are read for each entry of a page, over all tables. */
const READS_PER_ENTRY = 4
const TABLES = ['files', 'folders', 'objects', 'projects', 'project_workspaces']

let app: TestApp
let orgId: string
let member: Viewer
let owner: Viewer
/** The folder of a project that the member sees. */
let visibleFolder: string
beforeAll(async () => {
  app = await buildTestApp()
  const org = await app.organization()
  orgId = org.id
  const creator = await app.person(org, { role: 'owner' })
  const viewer = await app.person(org)
  owner = { orgId, userId: creator.id, role: 'owner' }
  member = { orgId, userId: viewer.id, role: 'member' }
  await withoutIndexes(app.sql, async () => {
    const hiddenFolders: string[] = []
    for (let n = 0; n < WORKSPACES; n++) {
      const workspaceId = await app.workspace(org)
      hiddenFolders.push(
        ...(await seedProjectFolders(app.sql, creator, { count: PROJECTS_EACH, workspaceId })),
      )
    }
    const visibleFolders = await seedProjectFolders(app.sql, creator, {
      count: 3,
      workspaceId: org.workspaceId,
    })
    visibleFolder = visibleFolders[0]!
    await seedManyFolders(app.sql, creator, { wide: 20, deep: 2, parentId: visibleFolders[1]! })
    await seedManyFolders(app.sql, creator, { wide: 20, deep: 2, parentId: hiddenFolders[0]! })
    await seedManyFiles(app.sql, creator, { count: FILES, parentId: hiddenFolders[0]! })
    await seedManyFiles(app.sql, creator, { count: 300, parentId: visibleFolder })
    await app.sql`
      update files set deleted_at = updated_at, trashed_from = '[]'
      where source = 'upload' and size % 5 = 1 and (parent_id = ${hiddenFolders[0]!} or size < 20)`
  })
}, 120_000)
afterAll(() => app.close())

const expectReads = (max: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, max, run)
const start = { after: null, offset: 0, limit: LIMIT }
const filterOf = (fields: Partial<SearchFilter>): SearchFilter => ({
  folder: { id: orgId },
  search: undefined,
  tag: undefined,
  source: undefined,
  order: 'name',
  ...fields,
})

describe.each(['name', 'newest', 'largest'] as const)('a list sorted by %s', (order) => {
  const root = (): FolderList => ({ folderId: orgId, source: undefined, order })

  test("contains a member's three project folders at the root and reads at most four rows per page entry", async () => {
    expect(await listFolder(app.sql, member, root(), start)).toHaveLength(3)
    await expectReads(LIMIT * READS_PER_ENTRY, (sql) => listFolder(sql, member, root(), start))
  })

  test('reads at most four rows per page entry at the root for an owner', () =>
    expectReads(LIMIT * READS_PER_ENTRY, (sql) => listFolder(sql, owner, root(), start)))

  test('reads a bounded number of rows in search results for a word or tag common in hidden projects', async () => {
    expect((await search(app.sql, member, filterOf({ search: 'photo', order }), start)).ids).toHaveLength(
      LIMIT,
    )
    const { scan, indexMatches } = SEARCH_LIMITS
    const max = 2 * scan.names + 3 * scan.records + indexMatches + 4 * (2003 + 421 + 300) + 101
    await expectReads(max, (sql) => search(sql, member, filterOf({ search: 'photo', order }), start))
    await expectReads(max, (sql) => search(sql, member, filterOf({ tag: 'common', order }), start))
  })
})

test('the trash list reads few rows for a member when a hidden project has 20,000 files', async () => {
  const trash = filterOf({ order: 'deleted' })
  expect((await search(app.sql, member, trash, start)).ids.length).toBeGreaterThan(2)
  await expectReads(4000, (sql) => search(sql, member, trash, start))
  await expectReads(LIMIT * READS_PER_ENTRY * 2, (sql) => search(sql, owner, trash, start))
})
