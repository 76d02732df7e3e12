import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { openCanvasStream } from '../../../../testing/clients/live.ts'
import { createTestCanvas, replay } from '../../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const now = () => app.clock.now().toISOString()

/** A canvas, and a function that makes the n-th of several kinds of changes. */
async function buildChangingCanvas() {
  const canvas = await createTestCanvas(app)
  const { client, projectId } = canvas
  const ids: string[] = []
  const changes = [
    async () => void ids.push((await canvas.block({ title: 'New', content: 'c'.repeat(50) })).id),
    async (id: string) => void (await client.canvas.update({ projectId, blockId: id, title: now() })),
    async (id: string) =>
      void (await client.canvas.move({ projectId, positions: [{ id, x: ids.length, y: 2 }] })),
    async (id: string) => {
      await client.canvas.remove({ projectId, blockId: id })
      ids.splice(ids.indexOf(id), 1)
    },
    async (id: string) => void (await canvas.edge(id, ids[0] === id ? (await canvas.block()).id : ids[0]!)),
  ]
  const change = async (kind: number, index: number) => {
    app.clock.advance(30)
    await (ids.length === 0 ? changes[0]! : changes[kind]!)(ids[index % ids.length]!)
  }
  const prune = (before = now()) => client.canvas.prune({ projectId, before })
  const historyBytes = async () => {
    const [row] = await app.sql`
      select history_bytes as stored, (select sum(bytes) from canvas_changes c where c.project_id = p.id) as summed
      from projects p where id = ${projectId}`
    return row as { stored: number; summed: number }
  }
  return { ...canvas, change, prune, historyBytes }
}

describe('pruning the history', () => {
  test("keeps the canvas, users' snapshots and the state at the given time, for every kind of change", async () => {
    const step = fc.tuple(fc.nat(4), fc.nat(9))
    const steps = fc.array(step, { minLength: 4, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, steps, steps, async (first, second, third) => {
        const { client, projectId, change, prune, state, history, historyBytes } = await buildChangingCanvas()
        for (const [kind, index] of first) await change(kind, index)
        const marked = { id: (await client.canvas.snapshot({ projectId })).id, state: await state() }
        for (const [kind, index] of second) await change(kind, index)
        const pruned = await state()
        app.clock.advance(30)
        const before = now()
        for (const [kind, index] of third) await change(kind, index)
        const last = await state()
        const entries = (await history()).length
        const { removed, seq } = await prune(before)
        expect(await state()).toEqual(last)
        const remaining = await history()
        expect(remaining).toHaveLength(entries - removed)
        expect(replay(remaining)).toEqual(last)
        const { stored, summed } = await historyBytes()
        expect(stored).toBe(Number(summed))
        await client.canvas.restoreSnapshot({ projectId, snapshotId: marked.id })
        expect(await state()).toEqual(marked.state)
        await client.canvas.rewind({ projectId, seq })
        expect(await state()).toEqual(pruned)
        await client.canvas.rewind({ projectId, seq: 0 })
        expect((await state()).block).toEqual({})
        expect(await prune(before)).toMatchObject({ removed: 0, bytes: 0 })
      }),
      { numRuns: 8 },
    )
  })

  test('makes other states unavailable, resets clients that are behind, and frees quota', async () => {
    const canvas = await buildChangingCanvas()
    const { client, projectId, change, prune, historyBytes, request, project, headers, history } = canvas
    for (const kind of [0, 1, 1, 2, 1]) await change(kind, 0)
    const { stored } = await historyBytes()
    app.clock.advance(30)
    const { removed, bytes, seq } = await prune()
    expect([removed, seq]).toEqual([4, 5])
    expect((await historyBytes()).stored).toBe(stored - bytes)
    expect(await history()).toMatchObject([{ seq: 5, action: 'created', restorable: true }])
    expect((await client.canvas.snapshots({ projectId })).items).toMatchObject([{ reason: 'prune', seq: 5 }])
    for (const lost of [1, 3, 4]) expect((await request('POST', `/history/${lost}/restore`)).status).toBe(404)
    const stream = await openCanvasStream(app, project, { headers, query: '?since=2' })
    await expect.poll(() => stream.of('reset')).toEqual([{ seq: 5 }])
    await stream.disconnect()
    // An edit by the same author directly afterwards is not combined with the remaining entry.
    await change(1, 0)
    expect((await history()).map((entry) => entry.seq)).toEqual([5, 6])
  })

  test('prevents undoing earlier runs, and stops before changes by a run in progress', async () => {
    const { client, projectId, block, prune } = await buildChangingCanvas()
    const start = () => client.runs.start({ projectId })
    const [ended, active] = [await start(), await start()]
    const note = await block({ title: 'One' })
    await client.canvas.update({ projectId, blockId: note.id, title: 'Two', runId: ended.id })
    await client.runs.update({ projectId, runId: ended.id, status: 'succeeded' })
    await client.canvas.update({ projectId, blockId: note.id, title: 'Three', runId: active.id })
    app.clock.advance(30)
    expect(await prune()).toMatchObject({ seq: 2, removed: 1 })
    await expect(client.agentRuns.undo({ id: ended.id })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'expired' },
    })
    await client.runs.update({ projectId, runId: active.id, status: 'failed' })
    expect((await client.runs.restoreLast({ projectId })).blocks).toEqual([
      { id: note.id, action: 'reverted' },
    ])
  })

  test("is allowed only for the project's creator, admins and owners", async () => {
    const { org, projectId } = await buildChangingCanvas()
    const other = await app.withKey(await app.person(org))
    await expect(other.canvas.prune({ projectId, before: now() })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'not_creator' },
    })
    const admin = await app.withKey(await app.person(org, { role: 'admin' }))
    await expect(admin.canvas.prune({ projectId, before: '2999-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.before' }],
    })
    expect(await admin.canvas.prune({ projectId, before: now() })).toEqual({ removed: 0, bytes: 0, seq: 0 })
  })
})
