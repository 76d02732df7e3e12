import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../../../testing/factories/canvas.ts'
import { upload } from '../../../../../testing/factories/uploads.ts'
import { waitForBlockedBackends } from '../../../../../testing/locks.ts'
import { captureLog } from '../../../../../testing/log.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../../testing/test-app.ts'

let app: TestApp
/** A second process on the same database. */
let secondApp: TestApp
const log = captureLog()
/** So that each item adds to its project's spend. */
const env = { ATRIUM_MODEL_PRICES: JSON.stringify({ 'test/script': { input: 1, output: 1 } }) }
beforeAll(async () => {
  app = await buildTestApp({ env, log: log.stream })
  secondApp = await buildTestApp({ env, log: log.stream, on: app.connection })
  await app.app.startWorker()
  await secondApp.app.startWorker()
})
afterAll(async () => {
  await secondApp.close()
  await app.close()
})
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const script = (...lines: string[]) => ['```script', ...lines, '```'].join('\n')

async function setup() {
  const canvas = await createTestCanvas(app)
  const { client, projectId } = canvas
  const { id: agentId } = await client.agents.create({ name: 'Player', model: 'test/script' })
  const agentBlock = async (title: string, content: string, metadata: object = {}) =>
    (
      await client.canvas.create({
        projectId,
        type: 'agent',
        title,
        content,
        metadata: { agentId, ...metadata },
      })
    ).id
  const finish = async (id: string) => {
    await expect
      .poll(async () => (await client.agentRuns.get({ id })).finishedAt, { timeout: 60_000 })
      .not.toBeNull()
    return client.agentRuns.get({ id })
  }
  type Start = Parameters<typeof client.forEach.start>[0]
  const start = async (
    fields: Omit<Start, 'projectId' | 'agentId' | 'instructions'> & { instructions?: string },
  ) => (await client.forEach.start({ instructions: script('say ok'), ...fields, projectId, agentId })).run
  const items = async (id: string, query: { state?: 'done' | 'failed' | 'queued' } = {}) => {
    const all: Awaited<ReturnType<typeof client.forEach.items>>['items'] = []
    for (let cursor: string | undefined; ; ) {
      const page = await client.forEach.items({ id, limit: 100, cursor, ...query })
      all.push(...page.items)
      if (page.nextCursor === null) return all
      cursor = page.nextCursor
    }
  }
  const list = async (id: string) => (await client.forEach.lists({ id })).items[0]!
  const metadata = async (id: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: metadata of any shape, which the test asserts on
    (await canvas.read()).items.find((block) => block.id === id)!.metadata as Record<string, any>
  return { ...canvas, agentId, agentBlock, finish, start, items, list, metadata }
}

describe('a block that repeats', () => {
  test('runs once for each item of an upstream list, and passes the results on in order', async () => {
    const { agentBlock, edge, client, projectId, finish, items, list, metadata } = await setup()
    const a = await agentBlock('A', script('say ["one", "two", "three"]'))
    const b = await agentBlock('B', script('say ok'), {
      forEach: { over: { from: 'output' }, concurrency: 2 },
    })
    const c = await agentBlock('C', script('say end'))
    await edge(a, b)
    await edge(b, c)
    const { run } = await client.agentBlocks.run({ projectId, blockId: a })
    expect(await finish(run.id)).toMatchObject({ status: 'succeeded', kind: 'workflow' })
    const found = await items(run.id)
    expect(found.map(({ n, label, state, output, attempts }) => [n, label, state, output, attempts])).toEqual(
      [
        [1, 'one', 'done', 'ok', 1],
        [2, 'two', 'done', 'ok', 1],
        [3, 'three', 'done', 'ok', 1],
      ],
    )
    expect(await list(run.id)).toMatchObject({ total: 3, done: 3, failed: 0, running: 0, title: 'B' })
    const message = await client.sessions.messages({ id: found[1]!.sessionId! })
    expect(
      message.items
        .at(-1)!
        .content.map(({ text }) => text)
        .join('\n'),
    ).toContain('Item 2 of 3')
    expect(
      message.items
        .at(-1)!
        .content.map(({ text }) => text)
        .join('\n'),
    ).toContain('two')
    expect(await metadata(b)).toMatchObject({
      status: 'done',
      itemCounts: { total: 3, done: 3, failed: 0, running: 0 },
      output: JSON.stringify(['ok', 'ok', 'ok'], null, 2),
    })
    // The runs of items have their own list.
    const children = (await client.agentRuns.children({ id: run.id })).items
    expect(children.map(({ title }) => title)).toEqual(['A', 'C'])
    const next = await client.sessions.messages({ id: (await metadata(c)).sessionId })
    expect(
      next.items
        .at(-1)!
        .content.map(({ text }) => text)
        .join('\n'),
    ).toContain('"ok"')
  })

  test('runs alone over the lines of a note, without a list in a workflow', async () => {
    const { agentBlock, block, edge, client, projectId, finish, items } = await setup()
    const note = await block({ content: '- first\n- second\n\n3. third' })
    const b = await agentBlock('B', script('say ok'), { forEach: { over: { from: 'output' } } })
    await edge(note.id, b)
    const { run } = await client.agentBlocks.run({ projectId, blockId: b, downstream: false })
    expect(await finish(run.id)).toMatchObject({ status: 'succeeded' })
    expect((await items(run.id)).map(({ label }) => label)).toEqual(['first', 'second', 'third'])
  })

  test('fails with a message if the output is not a list', async () => {
    const { agentBlock, edge, client, projectId, finish } = await setup()
    const a = await agentBlock('A', script('say {"orders": 7}'))
    const b = await agentBlock('B', script('say ok'), {
      forEach: { over: { from: 'output', path: 'orders' } },
    })
    await edge(a, b)
    const { run } = await client.agentBlocks.run({ projectId, blockId: a })
    expect(await finish(run.id)).toMatchObject({
      status: 'failed',
      error: 'B failed: `orders` of the output is not a list',
    })
  })

  test('is refused with the field if its settings are not valid', async () => {
    const { agentBlock } = await setup()
    const save = (forEach: object) => agentBlock('B', 'x', { forEach })
    await expect(save({ over: { from: 'output' }, concurrency: 21 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('metadata.forEach.concurrency must be at most 20'),
    })
    await expect(save({ over: { from: 'nowhere' } })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(save({ over: { from: 'output' }, other: 1 })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('a run for each item', () => {
  test('runs the other items if some fail, and a retry runs only the failed ones', async () => {
    const { client, start, finish, items, list } = await setup()
    const values = ['a', 'b', 'c', 'd', 'e']
    const run = await start({
      over: { from: 'values', values },
      instructions: script('fail 401'),
      concurrency: 5,
    })
    expect(await finish(run.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('5 of 5 items failed'),
    })
    // Two of them succeed now.
    const { id } = await list(run.id)
    await app.sql`update list_items set state = 'done', output = '"kept"' where list_id = ${id} and n <= 2`
    await app.sql`update item_lists set done = 2, failed = 3 where id = ${id}`
    await app.sql`update workflow_blocks set instructions = ${script('say fixed')} where run_id = ${run.id}`
    const again = await client.agentRuns.retry({ id: run.id })
    expect(await finish(again.id)).toMatchObject({ status: 'succeeded' })
    expect((await items(again.id)).map(({ output, attempts }) => [output, attempts])).toEqual([
      ['kept', 1],
      ['kept', 1],
      ['fixed', 2],
      ['fixed', 2],
      ['fixed', 2],
    ])
    expect(await list(again.id)).toMatchObject({ id, total: 5, done: 5, failed: 0 })
    await expect(client.agentRuns.retry({ id: again.id })).rejects.toMatchObject({ code: 'CONFLICT' })
    // A second retry would run all of them again.
    await expect(client.agentRuns.retry({ id: run.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'list_moved', runId: again.id },
    })
    expect((await items(again.id)).map(({ attempts }) => attempts)).toEqual([1, 1, 2, 2, 2])
  })

  test('stops on the first failure if asked to', async () => {
    const { start, finish, list, items } = await setup()
    const run = await start({
      over: { from: 'values', values: ['a', 'b', 'c', 'd'] },
      instructions: script('fail 401'),
      concurrency: 1,
      onFailure: 'stop',
    })
    expect(await finish(run.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Stopped after an item failed: 0 of 4 items are done'),
    })
    expect(await list(run.id)).toMatchObject({ failed: 1, done: 0, total: 4 })
    expect(await items(run.id, { state: 'queued' })).toHaveLength(3)
  })

  test('succeeds with empty results of failed items if failures are ignored', async () => {
    const { start, finish, list } = await setup()
    const run = await start({
      over: { from: 'values', values: ['a', 'b'] },
      instructions: script('fail 401'),
      onFailure: 'ignore',
    })
    expect(await finish(run.id)).toMatchObject({ status: 'succeeded' })
    expect(await list(run.id)).toMatchObject({ failed: 2 })
  })

  test('waits after the preview with an estimate, and continues without repeating it', async () => {
    const { client, start, finish, list, items } = await setup()
    const values = Array.from({ length: 7 }, (_, n) => ({ name: `row ${n}` }))
    const run = await start({ over: { from: 'values', values }, preview: 3 })
    await expect
      .poll(async () => (await client.agentRuns.get({ id: run.id })).wait?.for, { timeout: 20_000 })
      .toBe('preview')
    expect(await list(run.id)).toMatchObject({
      done: 3,
      total: 7,
      isPreview: true,
      estimate: { currency: 'USD' },
    })
    await client.forEach.continue({ id: run.id })
    expect(await finish(run.id)).toMatchObject({ status: 'succeeded' })
    expect((await items(run.id)).map(({ attempts, state }) => [attempts, state])).toEqual(
      values.map(() => [1, 'done']),
    )
    await expect(client.forEach.continue({ id: run.id })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('fails only after several server errors in a row', async () => {
    const { client, start, finish } = await setup()
    const run = await start({ over: { from: 'values', values: ['a', 'b'] }, preview: 1 })
    const waitsFor = async () => (await client.agentRuns.get({ id: run.id })).wait?.for
    await expect.poll(waitsFor, { timeout: 20_000 }).toBe('preview')
    await app.sql`update runs set faults = 4 where id = ${run.id}`
    await client.forEach.continue({ id: run.id })
    expect(await finish(run.id)).toMatchObject({ status: 'succeeded' })
    expect(await app.sql`select faults from runs where id = ${run.id}`).toEqual([{ faults: 0 }])
  })

  test('stops between items when its budget is used', async () => {
    const { start, finish, list, client } = await setup()
    const run = await start({
      over: { from: 'values', values: ['a', 'b', 'c', 'd'] },
      budget: 0.01,
      preview: 1,
    })
    await expect
      .poll(async () => (await client.agentRuns.get({ id: run.id })).wait?.for, { timeout: 20_000 })
      .toBe('preview')
    await app.sql`update item_lists set cost = 0.02 where run_id = ${run.id}`
    await client.forEach.continue({ id: run.id })
    expect(await finish(run.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The budget of $0.01 is used: 1 of 4 items are done'),
    })
    expect(await list(run.id)).toMatchObject({ done: 1 })
    // A retry has the whole budget again.
    const again = await client.agentRuns.retry({ id: run.id })
    expect(await finish(again.id)).toMatchObject({ status: 'succeeded' })
  })

  test('gives one result per item although its worker is lost again and again', async () => {
    const { start, items, finish, client } = await setup()
    const values = Array.from({ length: 40 }, (_, n) => `item ${n}`)
    const { id } = await start({ over: { from: 'values', values }, concurrency: 20 })
    const isOver = async () => (await client.agentRuns.get({ id })).finishedAt !== null
    while (!(await isOver()))
      await app.sql`update runs set lease = lease + 1, due_at = now() where id = ${id} and status = 'running'`
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    expect((await items(id)).map(({ state, attempts }) => [state, attempts])).toEqual(
      values.map(() => ['done', 1]),
    )
    const [row] = await app.sql<
      { runs: number }[]
    >`select count(*)::int as runs from runs where parent_run_id = ${id}`
    expect(row!.runs).toBe(40)
  })

  test('stops with its items when it is canceled, and a retry finishes the rest', async () => {
    const { client, start, finish, items, list } = await setup()
    const ask = `call ask_person ${JSON.stringify({ question: 'Go on?' })}`
    const run = await start({
      over: { from: 'values', values: ['a', 'b', 'c'] },
      instructions: script(ask),
      concurrency: 2,
    })
    await expect.poll(async () => (await list(run.id))?.running, { timeout: 20_000 }).toBe(2)
    await client.agentRuns.cancel({ id: run.id })
    expect(await finish(run.id)).toMatchObject({ status: 'canceled' })
    await app.sql`update workflow_blocks set instructions = ${script('say fixed')} where run_id = ${run.id}`
    await expect
      .poll(async () => {
        const [row] = await app.sql<{ active: number }[]>`
          select count(*)::int as active from runs where parent_run_id = ${run.id} and finished_at is null`
        return row!.active
      })
      .toBe(0)
    const again = await client.agentRuns.retry({ id: run.id })
    expect(await finish(again.id)).toMatchObject({ status: 'succeeded' })
    expect((await items(again.id)).map(({ output }) => output)).toEqual(['fixed', 'fixed', 'fixed'])
    expect(await list(again.id)).toMatchObject({ running: 0, done: 3, failed: 0 })
  })

  test('is undone as one', async () => {
    const { client, start, finish, read } = await setup()
    const note = `call edit_canvas ${JSON.stringify({ create: [{ type: 'note', content: 'made' }] })}`
    const run = await start({
      over: { from: 'values', values: ['a', 'b', 'c'] },
      instructions: script(note, '---', 'say ok'),
    })
    await finish(run.id)
    expect((await read()).items).toHaveLength(3)
    await client.agentRuns.undo({ id: run.id })
    expect((await read()).items).toHaveLength(0)
  })

  test('is out of reach for other organizations and for viewers', async () => {
    const { client, start, finish, projectId } = await setup()
    const run = await start({ over: { from: 'values', values: ['a'] } })
    await finish(run.id)
    const stranger = (await app.newUser({ name: 'Eve' })).client
    for (const call of [
      () => stranger.forEach.lists({ id: run.id }),
      () => stranger.forEach.items({ id: run.id }),
      () => stranger.forEach.continue({ id: run.id }),
      () => stranger.forEach.start({ projectId, instructions: 'x', over: { from: 'values', values: [1] } }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(client.forEach.items({ id: run.id, listId: projectId })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
  })
})

describe('the rows of a table', () => {
  async function createTable(canvas: Awaited<ReturnType<typeof setup>>, names: string[]) {
    const { client, projectId } = canvas
    const table = await client.tables.create({
      projectId,
      name: 'Companies',
      columns: [
        { name: 'Name', type: 'text' },
        { name: 'Score', type: 'number' },
        { name: 'Note', type: 'text' },
      ],
      key: 'name',
    })
    const { rows } = await client.tables.upsert({
      id: table.id,
      rows: names.map((Name) => ({ values: { Name } })),
    })
    const read = async () => (await client.tables.rows({ id: table.id })).items.map(({ values }) => values)
    return { tableId: table.id, rowIds: rows.map(({ id }) => id), read }
  }
  const answers = (text: string) => script(`say ${text}`)
  const outputSchema = {
    type: 'object',
    properties: { score: { type: 'number' }, note: { type: 'string' } },
    required: ['score', 'note'],
    additionalProperties: false,
  }

  test('get their results in columns, and undo reverts them', async () => {
    const canvas = await setup()
    const { client, start, finish, items } = canvas
    const { tableId, read } = await createTable(canvas, ['a', 'b', 'c'])
    const run = await start({
      over: { from: 'rows', tableId, results: { Score: 'score', note: 'note' } },
      instructions: answers('{"score": 7, "note": "fine"}'),
      outputSchema,
    })
    expect(await finish(run.id)).toMatchObject({ status: 'succeeded' })
    expect((await items(run.id)).map(({ label, output }) => [label, output])).toEqual(
      ['a', 'b', 'c'].map((label) => [label, { score: 7, note: 'fine' }]),
    )
    expect(await read()).toEqual(['a', 'b', 'c'].map((name) => ({ name, score: 7, note: 'fine' })))
    const message = await client.sessions.messages({ id: (await items(run.id))[0]!.sessionId! })
    expect(
      message.items
        .at(-1)!
        .content.map(({ text }) => text)
        .join('\n'),
    ).toContain('"Name": "a"')
    await client.agentRuns.undo({ id: run.id })
    expect(await read()).toEqual(['a', 'b', 'c'].map((name) => ({ name })))
  })

  test('can be a view or a selection, in their order', async () => {
    const canvas = await setup()
    const { client, start, finish, items } = canvas
    const { tableId, rowIds } = await createTable(canvas, ['a', 'b', 'c', 'd'])
    const view = await client.tables.createView({
      id: tableId,
      name: 'Last',
      settings: {
        filter: { column: 'name', op: 'in', value: ['b', 'd'] },
        sort: [{ column: 'name', order: 'desc' }],
      },
    })
    const shown = await start({ over: { from: 'rows', tableId, viewId: view.id, results: {} } })
    await finish(shown.id)
    expect((await items(shown.id)).map(({ label }) => label)).toEqual(['d', 'b'])
    const selected = await start({ over: { from: 'rows', tableId, rowIds: [rowIds[2]!], results: {} } })
    await finish(selected.id)
    expect((await items(selected.id)).map(({ label }) => label)).toEqual(['c'])
  })

  test('fail one by one if a row is gone or a result does not fit, and others go on', async () => {
    const canvas = await setup()
    const { client, start, finish, items } = canvas
    const { tableId, rowIds, read } = await createTable(canvas, ['a', 'b', 'c'])
    const run = await start({
      over: { from: 'rows', tableId, results: { Score: '' } },
      instructions: answers('many'),
      preview: 1,
    })
    await expect
      .poll(async () => (await client.agentRuns.get({ id: run.id })).wait?.for, { timeout: 20_000 })
      .toBe('preview')
    await client.tables.removeRows({ id: tableId, ids: [rowIds[1]!] })
    await client.forEach.continue({ id: run.id })
    expect(await finish(run.id)).toMatchObject({ status: 'failed' })
    expect((await items(run.id)).map(({ error }) => error)).toEqual([
      'The result does not fit into the table: Score must be a number',
      'The row no longer exists',
      'The result does not fit into the table: Score must be a number',
    ])
    expect(await read()).toEqual([{ name: 'a' }, { name: 'c' }])
  })

  test('are refused for tables of other projects and columns that do not exist', async () => {
    const canvas = await setup()
    const { start } = canvas
    const { tableId } = await createTable(canvas, ['a'])
    const other = await setup()
    await expect(other.start({ over: { from: 'rows', tableId, results: {} } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(start({ over: { from: 'rows', tableId, results: { Missing: '' } } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('body.over.results.Missing'),
    })
    await expect(start({ over: { from: 'rows', tableId, results: { Name: '' } } })).rejects.toMatchObject({
      message: expect.stringContaining('must not be the key'),
    })
  })

  test('never deadlock: items end while the next results are stored', async () => {
    const canvas = await setup()
    const { start, finish, list, projectId } = canvas
    const { tableId } = await createTable(canvas, ['a', 'b'])
    const run = await start({
      over: { from: 'rows', tableId, results: { Note: '' } },
      instructions: script('wait 1500', 'say ok'),
      concurrency: 2,
    })
    await expect.poll(async () => (await list(run.id))?.running, { timeout: 20_000 }).toBe(2)
    const holder = await app.sql.reserve()
    await holder`begin`
    await holder`select from projects where id = ${projectId} for no key update`
    await waitForBlockedBackends(app.sql, 2)
    // The workflow's next step, or this statement, waits as well.
    const resumed = app.sql`
      update runs set status = 'queued', wait = null, due_at = now() where id = ${run.id} and status = 'waiting'`.execute()
    await waitForBlockedBackends(app.sql, 3)
    await holder`rollback`
    holder.release()
    await resumed
    expect(await finish(run.id)).toMatchObject({ status: 'succeeded' })
    expect(log.lines.filter((line) => line.includes('deadlock'))).toEqual([])
  })

  test('get exactly one result each although workers are lost again and again', async () => {
    const canvas = await setup()
    const { client, start, items, finish } = canvas
    const { tableId, read } = await createTable(
      canvas,
      Array.from({ length: 30 }, (_, n) => `row ${n}`),
    )
    const { id } = await start({
      over: { from: 'rows', tableId, results: { Note: '' } },
      instructions: answers('once'),
      concurrency: 10,
    })
    const isOver = async () => (await client.agentRuns.get({ id })).finishedAt !== null
    // One run per statement: a statement that locks several could do so in another order than the engine.
    const lose = (runId: string) =>
      app.sql`update runs set lease = lease + 1, due_at = now() where id = ${runId} and status = 'running'`
    while (!(await isOver())) {
      await lose(id)
      const children = await app.sql<{ id: string }[]>`
        select id from runs where parent_run_id = ${id} and status = 'running' and random() < 0.3`
      for (const child of children) await lose(child.id)
    }
    expect(await finish(id)).toMatchObject({ status: 'succeeded' })
    expect(
      (await items(id)).every(
        ({ state, output, attempts }) => state === 'done' && output === 'once' && attempts === 1,
      ),
    ).toBe(true)
    expect((await read()).every(({ note }) => note === 'once')).toBe(true)
    const [row] = await app.sql<{ writes: number }[]>`
      select count(*)::int as writes from table_row_changes where table_id = ${tableId} and after ? 'note'`
    expect(row!.writes).toBe(30)
  })
})

test("a block runs over a folder's files", async () => {
  const { client, project, person, start, finish, items } = await setup()
  const files = bearer(await app.key(person, ['files:write']))
  for (const name of ['b.txt', 'a.txt'])
    await upload(app, files, 'text', { name, fields: { parentId: project.folderId } })
  const run = await start({ over: { from: 'files' } })
  await finish(run.id)
  const found = await items(run.id)
  expect(found.map(({ label }) => label)).toEqual(['a.txt', 'b.txt'])
  const message = await client.sessions.messages({ id: found[0]!.sessionId! })
  expect(
    message.items
      .at(-1)!
      .content.map(({ text }) => text)
      .join('\n'),
  ).toContain('[File "a.txt", id')
})
