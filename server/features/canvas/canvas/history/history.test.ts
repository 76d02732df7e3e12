import { beforeAll, describe, expect, test } from 'vitest'
import { createStoredFile } from '../../../../testing/clients/file-client.ts'
import { createTestCanvas, replay, toCanvasState } from '../../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'

describe('GET /history', () => {
  test('lists changes newest first, page by page, optionally for one item or run', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId, client } = canvas
    const [a, b] = [await canvas.block(), await canvas.block()]
    const run = await client.runs.start({ projectId })
    await client.canvas.update({ projectId, blockId: a.id, title: 'by a run', runId: run.id })
    const edge = await canvas.edge(a.id, b.id)
    await client.canvas.update({ projectId, blockId: a.id, title: 'by a person' })
    const read = async (query: object) => {
      const seqs: number[] = []
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await client.canvas.history({ projectId, limit: 2, cursor, ...query })
        seqs.push(...page.items.map(({ seq }) => seq))
        cursor = page.nextCursor ?? undefined
        more = cursor !== undefined
      }
      return seqs
    }
    expect(await read({})).toEqual([5, 4, 3, 2, 1])
    expect(await read({ itemId: a.id })).toEqual([5, 3, 1])
    expect(await read({ itemId: edge.id })).toEqual([4])
    expect(await read({ runId: run.id })).toEqual([3])
    expect(await read({ runId: run.id, itemId: b.id })).toEqual([])
    expect(await read({ itemId: UNKNOWN_ID })).toEqual([])
    const { nextCursor } = await client.canvas.history({ projectId, limit: 2 })
    const foreign = await canvas.request('GET', `/history?cursor=${nextCursor}&itemId=${a.id}`)
    expect([foreign.status, foreign.body.error.details[0].path]).toEqual([400, 'query.cursor'])
  })
})

describe('POST /history/:seq/restore', () => {
  test('records changes, which its snapshot can undo', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId, client } = canvas
    const group = await canvas.block({ type: 'group' })
    const note = await canvas.block({ title: 'Before', parentId: group.id })
    const edge = await canvas.edge(group.id, note.id)
    const before = await canvas.state()
    const { seq } = await canvas.read()
    await client.canvas.update({ projectId, blockId: note.id, title: 'After' })
    await client.canvas.remove({ projectId, blockId: group.id })
    await canvas.block({ title: 'New' })
    const after = await canvas.state()
    const changes = await canvas.history()
    for (const [index, change] of changes.entries()) {
      const { blocks, edges } = await client.canvas.at({ projectId, seq: change.seq })
      expect(toCanvasState(blocks, edges)).toEqual(replay(changes.slice(0, index + 1)))
    }
    expect(await client.canvas.at({ projectId, seq: 0 })).toEqual({ seq: 0, blocks: [], edges: [] })
    await expect(client.canvas.at({ projectId, seq: 99 })).rejects.toMatchObject({ code: 'NOT_FOUND' })

    const back = await client.canvas.rewind({ projectId, seq })
    expect(back).toEqual({ snapshotId: expect.any(String), created: 2, updated: 1, deleted: 1 })
    expect(await canvas.state()).toEqual(before)
    expect((await canvas.read()).edges).toEqual([edge])
    const [snapshot] = (await client.canvas.snapshots({ projectId })).items
    expect(snapshot).toMatchObject({ id: back.snapshotId, reason: 'history', seq: 8, name: null })
    expect(snapshot!.createdBy).toEqual({ id: canvas.person.id, name: 'Ada' })

    await client.canvas.restoreSnapshot({ projectId, snapshotId: back.snapshotId })
    expect(await canvas.state()).toEqual(after)
    expect((await client.canvas.snapshots({ projectId })).items[0]).toMatchObject({ reason: 'snapshot' })
    expect(await canvas.history()).toHaveLength((await canvas.read()).seq)
  })

  test('restores the empty canvas for 0, and is NOT_FOUND for a future number', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId, client } = canvas
    await canvas.block()
    for (const seq of ['2', '9007199254740991', '-1', 'x', '1.5', '99999999999999999999'])
      expect([seq, (await canvas.request('POST', `/history/${seq}/restore`)).status]).toEqual([seq, 404])
    expect(await client.canvas.rewind({ projectId, seq: 0 })).toMatchObject({ deleted: 1 })
    expect((await canvas.read()).items).toEqual([])
  })

  test('restores a block whose file has been deleted', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId, client } = canvas
    const file = await createStoredFile(app, canvas.person, { parentId: canvas.project.folderId })
    const block = await canvas.block({ type: 'file', fileId: file.id })
    await client.canvas.remove({ projectId, blockId: block.id })
    await app.sql`update files set deleted_at = now(), trashed_from = '[]' where org_id = ${canvas.org.id} and id = ${file.id}`
    await client.canvas.rewind({ projectId, seq: 1 })
    expect((await canvas.read()).items).toMatchObject([{ id: block.id, fileId: file.id }])
  })
})

describe('a snapshot', () => {
  test('is created manually, with or without a name, and listed page by page', async () => {
    const canvas = await createTestCanvas(app)
    const { projectId, client } = canvas
    await canvas.block()
    const named = await client.canvas.snapshot({ projectId, name: 'Before the launch' })
    expect(named).toEqual({
      id: expect.any(String),
      name: 'Before the launch',
      reason: 'manual',
      seq: 1,
      createdBy: { id: canvas.person.id, name: 'Ada' },
      createdAt: expect.stringMatching(/Z$/),
    })
    const { status, body: bare } = await canvas.request('POST', '/snapshots')
    expect([status, bare.name]).toEqual([201, null])
    const first = await client.canvas.snapshots({ projectId, limit: 1 })
    const second = await client.canvas.snapshots({ projectId, limit: 1, cursor: first.nextCursor! })
    expect([first.items, second.items, second.nextCursor]).toEqual([[bare], [named], null])
  })

  test('is NOT_FOUND if it belongs to another canvas', async () => {
    const [mine, theirs] = [await createTestCanvas(app), await createTestCanvas(app)]
    await mine.block()
    const { id } = await theirs.client.canvas.snapshot({ projectId: theirs.projectId })
    for (const snapshotId of [id, UNKNOWN_ID])
      expect((await mine.request('POST', `/snapshots/${snapshotId}/restore`)).status).toBe(404)
    expect((await mine.read()).items).toHaveLength(1)
  })
})
