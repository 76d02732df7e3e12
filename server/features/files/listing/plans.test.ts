import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../../database/database.ts'
import { countReads, expectFewReads } from '../../../testing/clients/reads.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { seedManyFiles, seedManyFolders, withoutIndexes } from '../../../testing/factories/many-files.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { Viewer } from '../../project-access/project-access.ts'
import { searchKeyOf } from '../names.ts'
import * as queries from '../queries.ts'
import * as trash from '../trash/trash-queries.ts'
import * as folders from '../tree/folder-queries.ts'
import * as lists from './list-queries.ts'
import { search } from './search.ts'

/** A folder of 100,000 files beside a tree of 8,420 folders: every statement finds its rows by an index. */

const FILES = 100_000
const IN_TRASH = 20_000
const LIMIT = 51
/** A row of a page is read as an entry of the list, as the record, with its folder, and with its target if it has one. */
const PER_ROW = 4
/** What a search may look at: the first in order, what an index finds, and the folders, which come before all files. */
const SEARCHED = 3000 + 5000 + 8420 + 200
const TABLES = ['files', 'folders', 'objects']

let app: TestApp
let owner: Person
let orgId: string
let viewer: Viewer
/** Folders: a small one, one of the tree, one in the trash with many files. */
let small: string
let top: string
let gone: string
beforeAll(async () => {
  app = await buildTestApp()
  const other = await app.person(await app.organization())
  owner = await app.person(await app.organization())
  orgId = owner.orgId
  viewer = { orgId, userId: owner.id, role: 'owner' }
  await withoutIndexes(app.sql, async () => {
    const tree = await seedManyFolders(app.sql, owner, { wide: 20, deep: 3 })
    const others = await seedManyFolders(app.sql, owner, { wide: 2, deep: 1 })
    top = tree[0]!
    small = others[0]!
    gone = others[1]!
    await seedManyFiles(app.sql, owner, { count: FILES })
    await seedManyFiles(app.sql, owner, { count: 30, parentId: small, word: 'quagga' })
    await seedManyFiles(app.sql, owner, { count: IN_TRASH, parentId: gone, word: 'aardvark' })
    await seedManyFiles(app.sql, other, { count: FILES / 10 })
    await app.sql`
      update files set deleted_at = updated_at, trashed_from = '[]'
      where org_id = ${orgId} and parent_id = ${orgId} and source = 'upload' and size = 7 or id = ${gone}`
    await app.sql`update folders set trashed_by = ${gone} where path @> array[${gone}]::uuid[]`
  })
}, 120_000)
afterAll(() => app.close())

const expectFew = (most: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, most, run)

const ORDERS = ['name', 'newest', 'largest'] as const
const start = { after: null, offset: 0, limit: LIMIT }

describe.each(ORDERS)('a folder of 100,000 files, sorted by %s', (order) => {
  const list = (folderId: string, source?: 'upload' | 'folder' | 'link') => ({
    orgId,
    folderId,
    source,
    order,
  })

  test('is listed by reading the rows of one page, at the start and by a cursor', async () => {
    await expectFew(LIMIT * PER_ROW, (sql) => lists.listFolder(sql, viewer, list(orgId), start))
    const [last] = (
      await lists.listFolder(app.sql, viewer, list(orgId), { ...start, offset: FILES / 2 })
    ).slice(-1)
    const deep = { ...start, after: lists.cursorPositionOf(last!, order) }
    await expectFew(LIMIT * PER_ROW, (sql) => lists.listFolder(sql, viewer, list(orgId), deep))
  })

  test('is listed deep inside without reading the rows that are skipped', () =>
    expectFew(LIMIT * PER_ROW, (sql) =>
      lists.listFolder(sql, viewer, list(orgId), { ...start, offset: FILES / 2 }),
    ))

  test.each(['folder', 'link', 'upload'] as const)(
    'lists one kind by reading the rows of one page: %s',
    (source) =>
      expectFew(LIMIT * PER_ROW + 20, (sql) => lists.listFolder(sql, viewer, list(orgId, source), start)),
  )
})

describe.each(ORDERS)('looking for something, sorted by %s', (order) => {
  const find =
    (search_: string | undefined, folderId = orgId, tag?: string) =>
    (sql: Sql) =>
      search(sql, viewer, { folder: { id: folderId }, search: search_, tag, source: undefined, order }, start)

  test.each([
    ['a common word', 'photo'],
    ['a rare word', 'zebra'],
    ['a word nobody used', 'giraffe'],
    ['a common letter', 'p'],
    ['a letter nobody used', 'ж'],
    ['two letters that are rare', 'ze'],
    ['a sign', '🎉'],
  ])('reads little: %s', (_, text) => expectFew(SEARCHED, find(searchKeyOf(text))))

  test('reads little in a small folder, however common it is elsewhere', async () => {
    await expectFew(500, (sql) => find('photo', small)(sql))
    await expectFew(3 * 421, (sql) => find('zebra', top)(sql)) // Its 421 folders, each thrice: counted, entered, and as a record.
  })

  test('reads little by a tag, common or rare', async () => {
    await expectFew(SEARCHED, (sql) => find(undefined, orgId, 'common')(sql))
    await expectFew(SEARCHED, (sql) => find(undefined, orgId, 'rare')(sql))
    await expectFew(SEARCHED, (sql) => find(undefined, orgId, 'none')(sql))
  })
})

describe('the trash', () => {
  test('is listed by reading the rows of one page', () =>
    expectFew(LIMIT * 4 * 2 + LIMIT * PER_ROW, (sql) => {
      const plain = { folder: { id: orgId }, search: undefined, tag: undefined, source: undefined } as const
      return search(sql, viewer, { ...plain, order: 'deleted' }, start)
    }))
})

describe('one file or folder', () => {
  const now = new Date()
  const inside = <T>(run: (sql: Sql) => Promise<T>) => run
  test.each<[string, number, (sql: Sql) => Promise<unknown>]>([
    ['is read with the folders above it', 10, (sql) => queries.findFileWithAncestors(sql, viewer, small)],
    ['is renamed', 10, (sql) => queries.updateFile(sql, viewer, change({ id: small, name: 'new name' }))],
    [
      'is moved',
      1000,
      inside(async (sql) => {
        const [folder, root] = [
          await folders.findFolder(sql, orgId, top),
          await folders.findFolder(sql, orgId, orgId),
        ]
        await folders.findHeight(sql, orgId, folder!)
        await folders.updateParent(sql, orgId, folder!, root!)
      }),
    ],
    [
      'is deleted with its folders',
      1000,
      inside(async (sql) => {
        await trash.updateDeleted(sql, viewer, top, now)
        await folders.updateTrashed(sql, orgId, top)
      }),
    ],
    ['is restored with its folders', 1000, (sql) => folders.updateUntrashed(sql, orgId, gone)],
    ['is found by its name in a folder', 50, (sql) => trash.findFolderNamed(sql, orgId, orgId, 'folder')],
  ])('%s by reading few rows, however many files are in it', (_, most, run) => expectFew(most, undone(run)))

  const change = (given: { id: string; name: string }) => ({
    ...given,
    parentId: undefined,
    tags: undefined,
    version: undefined,
    now,
  })
  /** What is measured runs several times, so each run takes back what it did. */
  const undone = (run: (sql: Sql) => Promise<unknown>) => async (sql: Sql) => {
    await sql`savepoint before`
    await run(sql)
    await sql`rollback to savepoint before`
  }
})

test('the count would show a statement that reads everything', async () => {
  const { rows } = await countReads(
    app.sql,
    TABLES,
    (sql) => sql`select count(*) from files where name = 'other'`,
  )
  expect(rows).toBeGreaterThan(FILES)
})
