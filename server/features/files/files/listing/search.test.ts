import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toSearchKey, toSortKey } from '../../../../database/name-keys.ts'
import { newId } from '../../../../security/ids.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { seedManyFolders } from '../../../../testing/factories/many-files.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import { cursorPosition, listByIds, type Order, orderBy, type Position } from './list-queries.ts'
import { type SearchLimits, search } from './search.ts'
import { estimateMatches, type SearchFilter } from './search-queries.ts'

/** So few that a search of 600 files uses every plan, and continues in several calls. */
const LIMITS: SearchLimits = {
  scan: { names: 25, records: 8 },
  rareMatches: 10,
  indexMatches: 80,
  lateScan: { names: 60, records: 15 },
}
const FILES = 600
const SEARCHES = 100

let app: TestApp
let owner: Viewer
let member: Viewer
let folders: string[]
let hiddenProject: string
beforeAll(async () => {
  app = await buildTestApp()
  const org = await app.organization()
  const person = await app.person(org, { role: 'owner' })
  const other = await app.person(org)
  owner = { orgId: org.id, userId: person.id, role: 'owner' }
  member = { orgId: org.id, userId: other.id, role: 'member' }
  const [first, trashed] = await seedManyFolders(app.sql, person, { wide: 2, deep: 1 })
  const [second] = await seedManyFolders(app.sql, person, { wide: 1, deep: 1, parentId: first! })
  const shared = await app.project(person)
  const hidden = await app.project(person, { visibility: 'private' })
  hiddenProject = hidden.id
  folders = [org.id, first!, second!, trashed!, shared.folderId, hidden.folderId]
  await insertFiles(person)
  await app.sql`update folders set trashed_by = ${trashed!} where org_id = ${org.id} and id = ${trashed!}`
  await app.sql`
    update files set deleted_at = ${app.clock.now()}, trashed_from = '[]' where org_id = ${org.id} and id = ${trashed!}`
})
afterAll(() => app.close())

const pick = <T>(values: readonly T[]): T => values[randomInt(values.length)]!
const chance = (percent: number) => randomInt(100) < percent

/** Half the names begin with a word that sorts last, so its matches are late. */
function randomName(): string {
  const words = Array.from({ length: 1 + randomInt(3) }, () =>
    pick(['Report', 'annual', 'photo', 'Übersicht', '2024', '7', '100%', 'a_b', 'zebra']),
  )
  return `${chance(50) ? 'zzlate ' : ''}${words.join(pick([' ', '-', '']))}${pick(['', '.pdf', '.txt'])}`
}

async function insertFiles({ id, orgId }: Person): Promise<void> {
  const key = `${orgId}/search`
  await app.sql`insert into objects (org_id, key, stored_at, created_at) values (${orgId}, ${key}, now(), now())`
  for (let n = 0; n < FILES; n++) {
    const name = randomName()
    const isLate = name.startsWith('zz')
    // Deleted uploads that are still pending leave no record.
    const deleted = chance(15)
    const at = new Date(Date.UTC(isLate ? 2020 : 2025, 0, 1) + randomInt(40) * 1000)
    await app.sql`
      insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, tags,
        status, created_by, created_at, updated_at, deleted_at, trashed_from)
      values (${orgId}, ${newId()}, ${pick(folders)}, 'upload', ${name}, ${toSortKey(name)}, ${toSearchKey(name)},
        'text/plain', ${randomInt(30) + (isLate ? 0 : 30)}, ${key}, ${chance(30) ? ['draft'] : []},
        ${!deleted && chance(5) ? 'pending' : 'ready'}, ${id}, ${at}, ${at}, ${deleted ? at : null}, '[]')`
  }
}

/** Everything that a search must contain, from one statement that joins and compares every file. */
async function findNaively(viewer: Viewer, { folder, search: text, tag, source, order }: SearchFilter) {
  const rows = await app.sql<{ id: string }[]>`
    select f.id from files f
    join folders seen on seen.org_id = f.org_id and seen.id = case f.source when 'folder' then f.id else f.parent_id end
    join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${viewer.orgId}
      and ${order === 'deleted'}::boolean = (f.deleted_at is not null)
      and case when ${order === 'deleted'}::boolean then not f.protected else f.status = 'ready' and p.trashed_by is null end
      and (${viewer.role === 'owner'}::boolean or seen.project_id is distinct from ${hiddenProject}::uuid)
      and strpos(f.search_key, ${toSearchKey(text ?? '')}) > 0
      and (${tag ?? null}::text is null or ${tag ?? null}::text = any(f.tags))
      and (${source ?? null}::text is null or f.source = ${source ?? null}::text)
      and (${folder.id}::uuid = f.org_id or p.path @> array[${folder.id}::uuid])
    order by ${orderBy(app.sql, order)}`
  return rows.map(({ id }) => id)
}

/** As a client that follows the cursor. */
async function findByCursor(viewer: Viewer, filter: SearchFilter, limit: number): Promise<string[]> {
  const found: string[] = []
  let after: Position['after'] = null
  for (let calls = 0; calls === 0 || after; calls++) {
    expect(calls).toBeLessThan(2 * FILES)
    const position: Position = { after, offset: 0, limit: limit + 1 }
    const { ids, resume } = await search(app.sql, viewer, filter, position, LIMITS)
    const rows = await listByIds(app.sql, viewer, ids.slice(0, limit), filter.order)
    found.push(...rows.map(({ id }) => id))
    after = ids.length > limit ? cursorPosition(rows.at(-1)!, filter.order) : resume
  }
  return found
}

const SEARCHED = [
  'late',
  'report',
  'REPORT',
  'repo',
  'eport',
  'z',
  '2024',
  '00%',
  'a_',
  'übersicht',
  'photo a',
  'giraffe',
]
const ORDERS: Order[] = ['name', 'newest', 'largest', 'deleted']

test('searches find the same files in the same order as a statement that compares every file', async () => {
  for (let n = 0; n < SEARCHES; n++) {
    const tag = chance(20) ? 'draft' : undefined
    const filter: SearchFilter = {
      folder: { id: chance(70) ? owner.orgId : pick(folders.slice(1, 3)) },
      search: tag && chance(50) ? undefined : pick(SEARCHED),
      tag,
      source: chance(10) ? pick(['upload', 'folder'] as const) : undefined,
      order: pick(ORDERS),
    }
    const viewer = pick([owner, member])
    const expected = await findNaively(viewer, filter)
    expect([viewer.role, filter, await findByCursor(viewer, filter, 1 + randomInt(9))]).toEqual([
      viewer.role,
      filter,
      expected,
    ])
  }
})

test('searches estimate the matches from a sample', async () => {
  const filterOf = (text: string): SearchFilter => ({
    folder: { id: owner.orgId },
    search: text,
    tag: undefined,
    source: undefined,
    order: 'name',
  })
  expect(await estimateMatches(app.sql, owner.orgId, filterOf('late'))).toBeGreaterThan(LIMITS.indexMatches)
  expect(await estimateMatches(app.sql, owner.orgId, filterOf('giraffe'))).toBe(0)
})

test('files can have the longest names, whose keys take up most space', async () => {
  const symbols = Array.from({ length: 255 }, () => String.fromCodePoint(0x1d15e + randomInt(7))).join('')
  const emoji = Array.from({ length: 255 }, () => String.fromCodePoint(0x1f300 + randomInt(700))).join('')
  for (const name of [symbols, emoji])
    await app.sql`
      update files set name = ${name}, sort_key = ${toSortKey(name)}, search_key = ${toSearchKey(name)}
      where org_id = ${owner.orgId} and id = (select id from files where org_id = ${owner.orgId} and source = 'upload' limit 1)`
})
