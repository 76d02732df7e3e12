import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../../../database/database.ts'
import { toSearchKey } from '../../../../database/name-keys.ts'
import { countReads, expectFewReads } from '../../../../testing/clients/reads.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { seedManyFiles, seedManyFolders, withoutIndexes } from '../../../../testing/factories/many-files.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import * as queries from '../queries.ts'
import * as trash from '../trash/queries.ts'
import * as folders from '../tree/folder-queries.ts'
import * as lists from './list-queries.ts'
import { type SearchLimits, search } from './search.ts'

/** With 40,000 files in one folder and a tree of 8,420 folders, every statement finds its rows by an index. `large-tables.large.test.ts` has 100,000. */

const FILES = 40_000
const TRASHED_FILES = 10_000
/** Last in every order. */
const LATE_FILES = 10_000
const LIMIT = 51
/** Reads per row of a page: the list entry, the record, its folder, and the target of a link. */
const READS_PER_ENTRY = 4
/** A fraction of the limits of the server, as this organization has a fraction of a million files. */
const LIMITS: SearchLimits = {
  scan: { names: 1000, records: 1000 },
  rareMatches: 500,
  indexMatches: 2000,
  lateScan: { names: 5000, records: 2000 },
}
/** The rows on fifty pages, from which a search estimates its matches. */
const SAMPLE = 2000
/**
 * Row limit of a search: names are read twice, as the second reading finds where to continue. Each record that it visits
 * is read with its folder, and the trashed folder is skipped once.
 */
const SEARCH_READS_MAX =
  2 * (LIMITS.scan.names + LIMITS.lateScan.names) +
  SAMPLE +
  3 * (LIMITS.scan.records + LIMITS.indexMatches + LIMITS.lateScan.records)
const TABLES = ['files', 'folders', 'objects']

let app: TestApp
let owner: Person
let orgId: string
let viewer: Viewer
/** Folders: one with 30 files, the first of the tree, and a trashed one with 10,000 files. */
let smallFolder: string
let top: string
let trashedFolder: string
beforeAll(async () => {
  app = await buildTestApp()
  const other = await app.person(await app.organization())
  owner = await app.person(await app.organization())
  orgId = owner.orgId
  viewer = { orgId, userId: owner.id, role: 'owner' }
  await withoutIndexes(app.sql, async () => {
    const tree = await seedManyFolders(app.sql, owner, { wide: 20, deep: 3 })
    const others = await seedManyFolders(app.sql, owner, { wide: 3, deep: 1 })
    top = tree[0]!
    smallFolder = others[0]!
    trashedFolder = others[1]!
    await seedManyFiles(app.sql, owner, { count: FILES })
    await seedManyFiles(app.sql, owner, { count: 30, parentId: smallFolder, word: 'quagga' })
    await seedManyFiles(app.sql, owner, { count: TRASHED_FILES, parentId: trashedFolder, word: 'aardvark' })
    await seedManyFiles(app.sql, other, { count: FILES / 10 })
    await seedManyFiles(app.sql, owner, { count: LATE_FILES, parentId: others[2]!, word: 'zzlate' })
    await app.sql`
      update files set name = replace(name, 'photo', 'zzlate'), sort_key = replace(sort_key, 'photo', 'zzlate'),
        search_key = replace(search_key, 'photo', 'zzlate'), size = 0, updated_at = now() - interval '10 years'
      where org_id = ${orgId} and parent_id = ${others[2]!}`
    await app.sql`
      update files set deleted_at = updated_at, trashed_from = '[]'
      where org_id = ${orgId} and parent_id = ${orgId} and source = 'upload' and size = 7 or id = ${trashedFolder}`
    await app.sql`update folders set trashed_by = ${trashedFolder} where path @> array[${trashedFolder}]::uuid[]`
  })
}, 120_000)
afterAll(() => app.close())

const expectReads = (max: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, max, run)

const ORDERS = ['name', 'newest', 'largest'] as const
const start = { after: null, offset: 0, limit: LIMIT }

describe.each(ORDERS)('a folder with 40,000 files, sorted by %s', (order) => {
  const list = (folderId: string, source?: 'upload' | 'folder' | 'link') => ({
    orgId,
    folderId,
    source,
    order,
  })

  test("reads one page's rows for the first page and for a cursor", async () => {
    await expectReads(LIMIT * READS_PER_ENTRY, (sql) => lists.listFolder(sql, viewer, list(orgId), start))
    const [last] = (
      await lists.listFolder(app.sql, viewer, list(orgId), { ...start, offset: FILES / 2 })
    ).slice(-1)
    const deep = { ...start, after: lists.cursorPosition(last!, order) }
    await expectReads(LIMIT * READS_PER_ENTRY, (sql) => lists.listFolder(sql, viewer, list(orgId), deep))
  })

  test("reads one page's rows for a large offset", () =>
    expectReads(LIMIT * READS_PER_ENTRY, (sql) =>
      lists.listFolder(sql, viewer, list(orgId), { ...start, offset: FILES / 2 }),
    ))

  test.each(['folder', 'link', 'upload'] as const)(
    "reads one page's rows when filtered by source %s",
    (source) =>
      expectReads(LIMIT * READS_PER_ENTRY + 20, (sql) =>
        lists.listFolder(sql, viewer, list(orgId, source), start),
      ),
  )
})

describe.each(ORDERS)('a search sorted by %s', (order) => {
  const find =
    (text: string | undefined, folderId = orgId, tag?: string) =>
    (sql: Sql) =>
      search(
        sql,
        viewer,
        { folder: { id: folderId }, search: text, tag, source: undefined, order },
        start,
        LIMITS,
      )

  test.each([
    ['a common word', 'photo'],
    ['a rare word', 'zebra'],
    ['an absent word', 'giraffe'],
    ['a common letter', 'p'],
    ['an absent letter', 'ж'],
    ['two rare letters', 'ze'],
    ['an emoji', '🎉'],
  ])('stays within the row limit for %s', (_, text) => expectReads(SEARCH_READS_MAX, find(toSearchKey(text))))

  test("stays within the row limit for common matches late in the order, and continues until they're found", async () => {
    const filter = { folder: { id: orgId }, search: 'late', tag: undefined, source: undefined, order }
    const found: string[] = []
    let after: (string | number)[] | null = null
    for (let calls = 0; calls === 0 || after; calls++) {
      const position = { ...start, after }
      const page = await search(app.sql, viewer, filter, position, LIMITS)
      await expectReads(SEARCH_READS_MAX, (sql) => search(sql, viewer, filter, position, LIMITS))
      found.push(...page.ids)
      after = page.ids.length > 0 ? null : page.resume
      expect(calls).toBeLessThan((FILES + LATE_FILES) / LIMITS.lateScan.names + 3)
    }
    expect(found.length).toBeGreaterThan(0)
    expect(await lists.listByIds(app.sql, viewer, found, order)).toSatisfy((rows: { name: string }[]) =>
      rows.every(({ name }) => name.startsWith('zzlate')),
    )
  })

  test('reads few rows in a small folder for a word common elsewhere', async () => {
    await expectReads(500, (sql) => find('photo', smallFolder)(sql))
    // Reads each of its 421 folders three times: for the count, for the traversal, and as a record.
    await expectReads(3 * 421, (sql) => find('zebra', top)(sql))
  })

  test('stays within the row limit for a common, a rare and an absent tag', async () => {
    await expectReads(SEARCH_READS_MAX, (sql) => find(undefined, orgId, 'common')(sql))
    await expectReads(SEARCH_READS_MAX, (sql) => find(undefined, orgId, 'rare')(sql))
    await expectReads(SEARCH_READS_MAX, (sql) => find(undefined, orgId, 'none')(sql))
  })
})

describe('the trash list', () => {
  test("reads one page's rows", () =>
    expectReads(LIMIT * 4 * 2 + LIMIT * READS_PER_ENTRY, (sql) => {
      const plain = { folder: { id: orgId }, search: undefined, tag: undefined, source: undefined } as const
      return search(sql, viewer, { ...plain, order: 'deleted' }, start)
    }))
})

describe('a file or folder', () => {
  const now = new Date()
  test.each<[string, number, (sql: Sql) => Promise<unknown>]>([
    [
      'is read with its ancestor folders',
      10,
      (sql) => queries.findFileWithAncestors(sql, viewer, smallFolder),
    ],
    [
      'is renamed',
      10,
      (sql) => queries.updateFile(sql, viewer, change({ id: smallFolder, name: 'new name' })),
    ],
    [
      'is moved',
      1000,
      async (sql) => {
        const [folder, root] = [
          await folders.findFolder(sql, orgId, top),
          await folders.findFolder(sql, orgId, orgId),
        ]
        await folders.findHeight(sql, orgId, folder!)
        await folders.updateParent(sql, orgId, folder!, root!)
      },
    ],
    [
      'is deleted with its folders',
      1000,
      async (sql) => {
        await trash.updateDeleted(sql, viewer, top, now)
        await folders.updateTrashed(sql, orgId, top)
      },
    ],
    ['is restored with its folders', 1000, (sql) => folders.updateUntrashed(sql, orgId, trashedFolder)],
    ['is found by its name in a folder', 50, (sql) => folders.findFolderNamed(sql, orgId, orgId, 'folder')],
  ])('%s with a bounded number of row reads', (_, max, run) => expectReads(max, rolledBack(run)))

  const change = (fields: { id: string; name: string }) => ({
    ...fields,
    parentId: undefined,
    tags: undefined,
    version: undefined,
    now,
  })
  /** Reverts each run, because the measurement runs a statement several times. */
  const rolledBack = (run: (sql: Sql) => Promise<unknown>) => async (sql: Sql) => {
    await sql`savepoint before`
    await run(sql)
    await sql`rollback to savepoint before`
  }
})

test('countReads detects a statement that reads the whole table', async () => {
  const { rows } = await countReads(
    app.sql,
    TABLES,
    (sql) => sql`select count(*) from files where name = 'other'`,
  )
  expect(rows).toBeGreaterThan(FILES)
})
