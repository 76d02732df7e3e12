import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestCanvas } from '../../../testing/factories/canvas.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

/** A run that updated, removed and created one block each; `fail` ends it. */
async function runWithChanges() {
  const canvas = await createTestCanvas(app)
  const { client, projectId } = canvas
  const group = await canvas.block({ type: 'group' })
  const changed = await canvas.block({ title: 'Before', parentId: group.id })
  const other = await canvas.block({ title: 'Untouched' })
  const edge = await canvas.edge(group.id, other.id)
  const before = await canvas.state()
  const run = await client.runs.start({ projectId })
  const runId = run.id
  await client.canvas.update({ projectId, blockId: changed.id, title: 'Broken', runId })
  await client.canvas.update({ projectId, blockId: changed.id, x: 99, runId })
  await client.canvas.remove({ projectId, blockId: group.id, runId })
  const created = await client.canvas.create({ projectId, type: 'note', runId })
  const fail = () => client.runs.update({ projectId, runId, status: 'failed', error: 'Lost its way' })
  const restore = (query: { force?: 'true' } = {}) => client.runs.restoreLast({ projectId, ...query })
  return { ...canvas, group, changed, other, edge, created, before, runId, fail, restore }
}

const sorted = <T extends { id: string }>(items: T[]) => items.toSorted((a, b) => (a.id < b.id ? -1 : 1))

describe('Rule 11: restoring the last run', () => {
  test('restores the blocks touched by the last failed run, and can be undone', async () => {
    const { client, projectId, state, before, fail, restore, runId, group, changed, created } =
      await runWithChanges()
    await fail()
    const broken = await state()
    const restored = await restore()
    expect(restored).toMatchObject({ runId, snapshotId: expect.any(String) })
    expect(sorted(restored.blocks)).toEqual(
      sorted([
        { id: changed.id, action: 'reverted' },
        { id: group.id, action: 'recreated' },
        { id: created.id, action: 'removed' },
      ]),
    )
    expect(await state()).toEqual(before)
    expect(await client.runs.get({ projectId, runId })).toMatchObject({
      status: 'failed',
      restoredAt: expect.stringMatching(/Z$/),
    })
    expect((await client.canvas.snapshots({ projectId })).items).toMatchObject([
      { id: restored.snapshotId, reason: 'run' },
    ])
    await client.canvas.restoreSnapshot({ projectId, snapshotId: restored.snapshotId })
    expect(await state()).toEqual(broken)
  })

  test("leaves others' changes to other blocks", async () => {
    const { client, projectId, state, before, fail, restore, other, block } = await runWithChanges()
    await client.canvas.update({ projectId, blockId: other.id, title: 'By hand' })
    const mine = await block({ title: 'Mine' })
    await fail()
    await restore()
    const after = await state()
    expect(after.block[other.id]).toMatchObject({ title: 'By hand' })
    expect(after.block[mine.id]).toMatchObject({ title: 'Mine' })
    expect(Object.keys(after.block)).toHaveLength(Object.keys(before.block).length + 1)
    expect(after.edge).toEqual(before.edge)
  })

  test('is NOT_FOUND without a failed run', async () => {
    const { client, projectId, restore, runId } = await runWithChanges()
    await client.runs.update({ projectId, runId, status: 'succeeded' })
    await expect(restore()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'No run in this project has failed',
    })
  })

  test('is NOT_FOUND the second time, even if an earlier run failed too', async () => {
    const { client, projectId, state, before, fail, restore } = await runWithChanges()
    const later = await client.runs.start({ projectId })
    await client.runs.update({ projectId, runId: later.id, status: 'failed' })
    await fail()
    // The last run is the one that started last, which changed nothing.
    expect((await restore()).blocks).toEqual([])
    await expect(restore()).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'The last failed run has already been reverted',
    })
    expect(await state()).not.toEqual(before)
  })

  test('is CONFLICT while a run is in progress', async () => {
    const { client, projectId, state, before, fail, restore } = await runWithChanges()
    await fail()
    const next = await client.runs.start({ projectId })
    await expect(restore()).rejects.toMatchObject({ code: 'CONFLICT', details: undefined })
    await client.runs.update({ projectId, runId: next.id, status: 'canceled' })
    await restore()
    expect(await state()).toEqual(before)
  })

  test('is CONFLICT and lists blocks edited since, unless forced', async () => {
    const { client, projectId, state, before, fail, restore, changed, created, read } = await runWithChanges()
    await fail()
    await client.canvas.update({ projectId, blockId: changed.id, title: 'By hand', color: 'teal' })
    await client.canvas.move({ projectId, positions: [{ id: created.id, x: 5, y: 5 }] })
    const { seq } = await read()
    await expect(restore()).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'edited_since', blocks: [changed.id, created.id].toSorted() },
    })
    expect((await read()).seq).toBe(seq)
    await restore({ force: 'true' })
    const after = await state()
    // The fields changed by the run are reverted; those changed only by the user stay.
    expect(after.block[changed.id]).toEqual({ ...(before.block[changed.id] as object), color: 'teal' })
    expect(after.block[created.id]).toBeUndefined()
  })

  test('restores, when forced, a block that the run updated and a member has removed', async () => {
    const { client, projectId, state, before, fail, restore, changed } = await runWithChanges()
    await fail()
    await client.canvas.remove({ projectId, blockId: changed.id })
    await expect(restore()).rejects.toMatchObject({ details: { blocks: [changed.id] } })
    const { blocks } = await restore({ force: 'true' })
    expect(blocks).toContainEqual({ id: changed.id, action: 'recreated' })
    expect(await state()).toEqual(before)
  })

  test('leaves out, when forced, a deleted group and an edge missing an end', async () => {
    const { client, projectId, state, fail, restore, other, edge, ...canvas } = await runWithChanges()
    const box = await canvas.block({ type: 'group' })
    const item = await canvas.block({ parentId: box.id })
    await client.canvas.update({ projectId, blockId: item.id, parentId: null, runId: canvas.runId })
    await fail()
    await client.canvas.remove({ projectId, blockId: box.id })
    await client.canvas.remove({ projectId, blockId: other.id })
    await restore({ force: 'true' })
    const after = await state()
    expect(after.block[item.id]).toMatchObject({ parentId: null })
    expect(after.edge[edge.id]).toBeUndefined()
  })

  test("doesn't deadlock with undoing a run that changed several projects", async () => {
    const { client, projectId, fail, restore, runId, person, org, changed } = await runWithChanges()
    await fail()
    // A second project with a higher id, whose failed run also changed the first.
    const later = await app.project(person)
    const run = await client.runs.start({ projectId: later.id })
    await client.canvas.create({ projectId: later.id, type: 'note', runId: run.id })
    await client.runs.update({ projectId: later.id, runId: run.id, status: 'failed' })
    await app.sql`
      update canvas_changes set run_id = ${run.id}
      where org_id = ${org.id} and project_id = ${projectId} and run_id = ${runId}`
    const waiting = async () => {
      const rows = await app.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return rows.length
    }
    const calls = await app.sql.begin(async (sql) => {
      await sql`select from projects where org_id = ${org.id} and id = ${later.id} for update`
      const restoring = client.runs.restoreLast({ projectId: later.id })
      await expect.poll(waiting).toBe(1)
      const undoing = client.agentRuns.undo({ id: run.id })
      await expect.poll(waiting).toBe(2)
      return [restoring, undoing].map((call) => call.catch((error) => error))
    })
    const [restored, undone] = await Promise.all(calls)
    expect(restored).toMatchObject({
      blocks: expect.arrayContaining([{ id: changed.id, action: 'reverted' }]),
    })
    expect(undone).toMatchObject({ code: 'CONFLICT', details: { reason: 'already_undone' } })
    await expect(restore()).resolves.toMatchObject({ runId, blocks: [] })
  })
})
