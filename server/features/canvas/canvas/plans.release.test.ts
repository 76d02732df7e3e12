import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import { countReads, expectFewReads } from '../../../testing/clients/reads.ts'
import { type Canvas, createTestCanvas } from '../../../testing/factories/canvas.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { findLastFailed, hasRunning, listRuns } from '../../agents/runs/queries.ts'
import { foldItems, foldRuns, foldSince, listChanges } from './history/history.ts'
import { listEditedSince } from './history/run-queries.ts'
import { listSnapshots } from './history/snapshots.ts'
import { readAll, readPage } from './list.ts'
import * as queries from './write/queries.ts'

/** 100,000 blocks, edges and changes in ten projects, of which one is queried: every statement must use an index. */

const PROJECTS = 10
const BLOCKS = 10_000
const LIMIT = 51
const TABLES = ['blocks', 'edges', 'canvas_changes', 'runs', 'snapshots', 'projects']

let app: TestApp
let canvas: Canvas
let orgId: string
let id: string
let checks: Awaited<ReturnType<typeof explainChecks>>
beforeAll(async () => {
  app = await buildTestApp()
  canvas = await createTestCanvas(app)
  orgId = canvas.org.id
  checks = await explainChecks(app.sql)
  const projects = [canvas.project]
  for (let n = 1; n < PROJECTS; n++) projects.push(await app.project(canvas.person))
  for (const project of projects) await fill(project.id)
  id = canvas.projectId
  await app.sql`vacuum analyze blocks, edges, canvas_changes, runs, snapshots`
})
afterAll(() => app.close())

/** The plans of the statements with which PostgreSQL checks that no row refers to a deleted block. */
async function explainChecks(sql: Sql) {
  const columns = [
    ['edges', 'from_block_id'],
    ['edges', 'to_block_id'],
    ['blocks', 'parent_id'],
  ] as const
  const found: { column: string; plan: string }[] = []
  for (const [table, column] of columns) {
    const rows = await sql<{ 'QUERY PLAN': string }[]>`
      explain select 1 from only ${sql(table)} x
      where org_id = ${orgId} and project_id = ${canvas.projectId} and ${sql(column)} = ${idOf(100)} for key share of x`
    found.push({ column, plan: rows.map((row) => row['QUERY PLAN']).join('\n') })
  }
  return found
}

const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

/** Every hundredth block is a group that contains the others; each is connected to the next, and has one change. */
async function fill(projectId: string) {
  const key = app.sql`${orgId}::uuid, ${projectId}::uuid`
  const uuid = (n: string) =>
    app.sql.unsafe(`('00000000-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`)
  await app.sql.begin(async (sql) => {
    // The rows are consistent, and checking the foreign keys would take most of the time.
    await sql`set local session_replication_role = replica`
    await sql`
      insert into blocks (org_id, project_id, id, type, x, y, width, height, parent_id, created_at, updated_at)
      select ${key}, ${uuid('n')}, case n % 100 when 0 then 'group' else 'note' end, n, n, 1, 1,
        case when n % 100 > 0 then ${uuid('n - n % 100')} end, now(), now()
      from generate_series(100, ${99 + BLOCKS}::int) n`
    await sql`
      insert into edges (org_id, project_id, id, from_block_id, to_block_id, created_at)
      select ${key}, ${uuid('n')}, ${uuid('n')}, ${uuid('n + 1')}, now()
      from generate_series(100, ${98 + BLOCKS}::int) n`
    await sql`
      insert into canvas_changes (org_id, project_id, seq, entity, item_id, action, before, after, run_id, created_at)
      select ${key}, n, 'block', ${uuid('100 + n % 1000')}, 'moved', '{"x": 1}', '{"x": 2}',
        case when n % 1000 < 5 then ${idOf(1)}::uuid end, now()
      from generate_series(1, ${BLOCKS}::int) n`
    await sql`
      insert into runs (org_id, id, project_id, status, created_by, created_at)
      select ${orgId}, gen_random_uuid(), ${projectId}, 'succeeded', ${canvas.person.id}, now()
      from generate_series(1, 1000) n`
    await sql`
      insert into snapshots (org_id, project_id, id, seq, reason, created_at)
      select ${key}, gen_random_uuid(), n, 'manual', now() from generate_series(1, 1000) n`
    await sql`update projects set change_seq = ${BLOCKS} where org_id = ${orgId} and id = ${projectId}`
  })
}

const expectFew = (most: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, most, run)

test('a deleted block is looked up in each column that refers to it, without statistics', () => {
  for (const { column, plan } of checks) expect(plan).toMatch(new RegExp(`Index Cond: .*\\(${column} =`))
})

describe('reading one canvas among many', () => {
  test("reads one page's rows, for early and late pages", async () => {
    await expectFew(3 * LIMIT, (sql) => readPage(sql, orgId, id, null, LIMIT))
    await expectFew(3 * LIMIT, (sql) => readPage(sql, orgId, id, idOf(5000), LIMIT))
  })

  test('reads no rows from another canvas', () =>
    expectFew(2 * BLOCKS + PROJECTS, (sql) => readAll(sql, orgId, id)))
})

describe('the history', () => {
  const first = { itemId: undefined, runId: undefined, before: null, limit: LIMIT }
  const item = { ...first, itemId: idOf(150) }
  const run = { ...first, runId: idOf(1) }

  test.each([
    ['everything', first, LIMIT],
    ['everything, from an old position', { ...first, before: '5000' }, LIMIT],
    ['one block', item, 10],
    ['one block, from an old position', { ...item, before: '5000' }, 5],
    ['one run', run, LIMIT],
    ['one run, from an old position', { ...run, before: '5000' }, LIMIT],
  ])("reads one page's rows for %s", (_, filter, most) =>
    expectFew(most, (sql) => listChanges(sql, orgId, id, filter)),
  )

  test('is folded by reading the folded changes and one row per item', async () => {
    await expectFew(200, (sql) => foldSince(sql, orgId, id, BLOCKS - 100))
    await expectFew(60, (sql) => foldRuns(sql, orgId, id, [idOf(1)]))
    await expectFew(20, (sql) => foldItems(sql, orgId, id, [{ id: idOf(150), seq: 5000 }]))
  })

  test('finds blocks edited since a run by reading only their changes', () =>
    expectFew(50 + 5 * 10, (sql) => listEditedSince(sql, orgId, id, [idOf(1)])))
})

describe('runs and snapshots', () => {
  test.each<[string, number, (sql: Sql) => Promise<unknown>]>([
    ['runs', LIMIT, (sql) => listRuns(sql, orgId, id, { status: undefined, before: null, limit: LIMIT })],
    ['snapshots', LIMIT, (sql) => listSnapshots(sql, orgId, id, null, LIMIT)],
    ['the last failed run, though there is none', 1000, (sql) => findLastFailed(sql, orgId, id)],
    ['the active run of a project without one', 1000, (sql) => hasRunning(sql, orgId, id)],
  ])('%s: reads only these rows', (_, most, run) => expectFew(most, run))
})

describe('a write', () => {
  const ids = Array.from({ length: 100 }, (_, n) => idOf(101 + 2 * n))

  test.each<[string, number, (sql: Sql) => Promise<unknown>]>([
    ['blocks by their ids', 100, (sql) => queries.listBlocksById(sql, orgId, id, ids)],
    ['the blocks in a group', 99, (sql) => queries.listBlocksIn(sql, orgId, id, [idOf(100)])],
    [
      'blocks with the groups that contain them',
      200,
      (sql) => queries.listWithAncestors(sql, orgId, id, ids),
    ],
    ['edges', 300, (sql) => queries.listEdges(sql, orgId, id, { ids, blockIds: ids })],
  ])('%s: reads only these rows', (_, most, run) => expectFew(most, run))

  test('updates only the rows it changes', async () => {
    const rows = await queries.listBlocksById(app.sql, orgId, id, ids)
    // Not 100: the measured statement runs seven times, and each run leaves dead rows that the next one reads.
    await expectFew(2000, (sql) => queries.updatePositions(sql, orgId, id, rows))
    await expectFew(2000, (sql) => queries.updateBlocks(sql, orgId, id, rows))
    await expectFew(10, (sql) => queries.deleteEdges(sql, orgId, id, [idOf(100)]))
    await expectFew(10, (sql) => queries.deleteBlocks(sql, orgId, id, [newId()]))
  })
})

test('the measurement detects a statement that reads the whole table', async () => {
  const { rows } = await countReads(
    app.sql,
    TABLES,
    (sql) => sql`select count(*) from blocks where title = 'x'`,
  )
  expect(rows).toBe(PROJECTS * BLOCKS)
})
