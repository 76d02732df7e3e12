import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createContext } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { CALLER_DEFAULTS } from '../../../../testing/factories/caller.ts'
import { type Canvas, createTestCanvas } from '../../../../testing/factories/canvas.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { waitForBlockedBackends } from '../../../../testing/locks.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { create } from '../edit.ts'

let app: TestApp
let canvas: Canvas
let people: Person[]
beforeAll(async () => {
  app = await buildTestApp()
  await app.sql`
    create function reject_title() returns trigger language plpgsql as $$
    begin
      if new.title = tg_argv[0] then raise exception 'rejected'; end if;
      return new;
    end $$`
  await app.sql`
    create trigger reject_at_once before insert on blocks for each row execute function reject_title('at once')`
  await app.sql`
    create constraint trigger reject_at_commit after insert on blocks deferrable initially deferred
    for each row execute function reject_title('at commit')`
})
beforeEach(async () => {
  canvas = await createTestCanvas(app)
  people = await Promise.all(Array.from({ length: 6 }, () => app.person(canvas.org)))
})
afterAll(() => app.close())

const NOTE = {
  type: 'note',
  x: 0,
  y: 0,
  width: 1,
  height: 1,
  rotation: 0,
  locked: false,
  metadata: {},
} as const
const EMPTY = { parentId: null, title: null, content: null, fileId: null, color: null }

interface Request {
  by?: Person
  fields?: Partial<Omit<Parameters<typeof create>[1], 'projectId'>>
  beforeCommit?: () => Promise<void>
}

/** Starts all creations before the first one has a connection, so that all but the first are combined. */
function createAll(requests: Request[]) {
  const system = app.app.system()
  return Promise.allSettled(
    requests.map(({ by = canvas.person, fields, beforeCommit }) => {
      const caller = { ...CALLER_DEFAULTS, userId: by.id, orgId: by.orgId }
      const ctx = createContext({ ...system, sql: app.sql, caller }, beforeCommit)
      return create(ctx, { projectId: canvas.projectId, ...NOTE, ...EMPTY, ...fields })
    }),
  )
}

const outcomesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === 'fulfilled' ? 'created' : (result.reason.code ?? result.reason.message),
  )

/** How many blocks each transaction created. */
const countsByTransaction = async () => {
  const rows = await app.sql<{ count: number }[]>`
    select count(*) from blocks where project_id = ${canvas.projectId} group by xmin::text order by 1`
  return rows.map(({ count }) => count)
}

describe('concurrent creations on one canvas', () => {
  test('commit in one transaction, each with its own author, order, history entry and event', async () => {
    const results = await createAll(people.map((by) => ({ by })))
    expect(outcomesOf(results)).toEqual(people.map(() => 'created'))
    expect(await countsByTransaction()).toEqual([1, 5])

    const ids = people.map(({ id }) => id)
    const blocks = results.map((result) => (result as PromiseFulfilledResult<{ id: string }>).value)
    expect(blocks).toMatchObject(
      ids.map((id, index) => ({ createdBy: id, version: index + 1, zIndex: index + 1 })),
    )
    const { items, seq } = await canvas.read()
    expect([seq, items.toSorted((a, b) => a.version - b.version)]).toEqual([6, blocks])
    expect((await canvas.history()).map(({ itemId, by }) => [itemId, by!.id])).toEqual(
      blocks.map(({ id }, index) => [id, ids[index]]),
    )
    const events = await app.sql`
      select payload->>'by' as by, payload->'blockIds'->>0 as id, payload->'count' as count from events
      where org_id = ${canvas.org.id} and type = 'project.block.created' order by id`
    expect(events.map(({ by, id, count }) => [by, id, count]).toSorted()).toEqual(
      blocks.map(({ id }, index) => [ids[index], id, 1]).toSorted(),
    )
  })

  test('are refused one by one, for every reason', async () => {
    const viewer = people[0]!
    await app.setWorkspaceRole(viewer, canvas.org.workspaceId, 'viewer')
    const outsider = people[1]!
    await app.setWorkspaceRole(outsider, canvas.org.workspaceId, null)
    const stranger = await app.person(await app.organization())
    const [id, groupId] = [newId(), newId()]
    const results = await createAll([
      {},
      { by: viewer },
      { by: outsider },
      { by: stranger },
      { fields: { id } },
      { fields: { id: id.toUpperCase() } },
      { fields: { id: groupId, type: 'group' } },
      { fields: { parentId: groupId } },
      { fields: { parentId: id } },
      { fields: { runId: newId() } },
      { fields: { type: 'file', fileId: newId() } },
      { by: people[2]! },
    ])
    const [created, forbidden, notFound, conflict, bad] = [
      'created',
      'FORBIDDEN',
      'NOT_FOUND',
      'CONFLICT',
      'BAD_REQUEST',
    ]
    expect(outcomesOf(results)).toEqual(
      [created, forbidden, notFound, notFound, created, conflict, created, created].concat(
        bad,
        bad,
        bad,
        created,
      ),
    )
    expect((await canvas.history()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    expect(await countsByTransaction()).toEqual([1, 4])
    const [totals] = await app.sql`
      select block_count, z_index_max, change_seq, history_bytes = (
        select sum(bytes) from canvas_changes c where c.project_id = p.id) as exact
      from projects p where id = ${canvas.projectId}`
    expect(totals).toEqual({ block_count: 5, z_index_max: 5, change_seq: 5, exact: true })
  })

  test('stop at the quota', async () => {
    await app.sql`
      insert into quota_overrides (org_id, quota, allowed, updated_at) values (${canvas.org.id}, 'blocks', 4, now())`
    const results = await createAll(people.map((by) => ({ by })))
    expect(outcomesOf(results).toSorted()).toEqual([
      ...Array(2).fill('FORBIDDEN'),
      ...Array(4).fill('created'),
    ])
    expect((await canvas.read()).items).toHaveLength(4)
  })

  test("don't fail with a caller who loses access before the commit", async () => {
    const lose = async () => {
      throw new Error('lost')
    }
    const results = await createAll([{}, {}, { by: people[0]!, beforeCommit: lose }, {}])
    expect(outcomesOf(results)).toEqual(['created', 'created', 'lost', 'created'])
    expect((await canvas.history()).map(({ seq, by }) => [seq, by!.id])).toEqual(
      [1, 2, 3].map((seq) => [seq, canvas.person.id]),
    )
  })

  test("don't fail with one that PostgreSQL refuses", async () => {
    const results = await createAll([{}, {}, { fields: { title: 'at once' } }, {}])
    expect(outcomesOf(results)).toEqual(['created', 'created', 'P0001', 'created'])
    expect((await canvas.history()).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })

  test('wait for the canvas lock on one connection, and fail with it', async () => {
    const results = await app.sql.begin(async (blocker) => {
      await blocker`select from projects where id = ${canvas.projectId} for update`
      const first = createAll([{}])
      await waitForBlockedBackends(app.sql)
      const others = createAll([{}, { fields: { runId: newId() } }, {}])
      for (const creations of [first, others]) {
        const [pid] = await waitForBlockedBackends(app.sql)
        await app.sql`select pg_cancel_backend(${pid!})`
        await creations
      }
      return (await Promise.all([first, others])).flat()
    })
    expect(outcomesOf(results)).toEqual(['57014', '57014', '57014', '57014'])
    expect((await canvas.read()).items).toEqual([])
  })

  test('are not repeated after a failed commit, whose effect is unknown', async () => {
    const results = await createAll([{}, {}, { fields: { title: 'at commit' } }, {}])
    expect(outcomesOf(results)).toEqual(['created', 'P0001', 'P0001', 'P0001'])
    expect((await canvas.read()).items).toHaveLength(1)
  })
})
