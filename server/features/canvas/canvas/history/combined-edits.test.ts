import { beforeAll, describe, expect, test } from 'vitest'
import { openCanvasStream } from '../../../../testing/clients/live.ts'
import { createTestCanvas } from '../../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

/** A canvas with one note, and a function that edits it. */
async function createNote() {
  const canvas = await createTestCanvas(app)
  const note = await canvas.block({ title: 'Start' })
  const edit = (fields: { title?: string; content?: string }) =>
    canvas.client.canvas.update({ projectId: canvas.projectId, blockId: note.id, ...fields })
  const seqs = async () => (await canvas.history()).map(({ seq }) => seq)
  return { ...canvas, note, edit, seqs }
}

describe("one author's rapid edits to one block", () => {
  test('are one entry with the values before the first and after the last', async () => {
    const { edit, history, note } = await createNote()
    await edit({ title: 'One' })
    await edit({ content: 'Two' })
    const last = await edit({ title: 'Three' })
    expect(last.version).toBe(4)
    expect(await history()).toMatchObject([
      { seq: 1, action: 'created', itemId: note.id },
      {
        seq: 4,
        action: 'updated',
        before: { title: 'Start', content: null },
        after: { title: 'Three', content: 'Two' },
      },
    ])
  })

  test('are separate entries ten seconds after the first, or with another change between them', async () => {
    const { edit, seqs, block } = await createNote()
    await edit({ title: 'One' })
    app.clock.advance(6)
    await edit({ title: 'Two' })
    app.clock.advance(6)
    await edit({ title: 'Three' })
    await block()
    await edit({ title: 'Four' })
    expect(await seqs()).toEqual([1, 3, 4, 5, 6])
  })

  test('are separate entries for another author, another run and a snapshot between them', async () => {
    const { edit, seqs, org, client, projectId, note } = await createNote()
    const other = await app.withKey(await app.person(org, { role: 'owner' }))
    const { id: runId } = await client.runs.start({ projectId })
    await edit({ title: 'One' })
    await other.canvas.update({ projectId, blockId: note.id, title: 'Two' })
    await client.canvas.update({ projectId, blockId: note.id, title: 'Three', runId })
    await edit({ title: 'Four' })
    const snapshot = await client.canvas.snapshot({ projectId })
    await edit({ title: 'Five' })
    expect(await seqs()).toEqual([1, 2, 3, 4, 5, 6])
    await client.canvas.restoreSnapshot({ projectId, snapshotId: snapshot.id })
    expect((await client.canvas.list({ projectId })).items).toMatchObject([{ title: 'Four' }])
  })

  test('restore to the state before them, and to no state in between', async () => {
    const { edit, client, projectId, state, request } = await createNote()
    const before = await state()
    await edit({ title: 'One' })
    await edit({ title: 'Two' })
    const after = await state()
    expect((await request('POST', '/history/2/restore')).status).toBe(404)
    const { snapshotId } = await client.canvas.rewind({ projectId, seq: 1 })
    expect(await state()).toEqual(before)
    await client.canvas.restoreSnapshot({ projectId, snapshotId })
    expect(await state()).toEqual(after)
  })

  test('reach a client that resumes between them, with the last values', async () => {
    const { edit, project, headers } = await createNote()
    await edit({ title: 'One' })
    await edit({ title: 'Two' })
    const stream = await openCanvasStream(app, project, { headers, query: '?since=2' })
    await expect.poll(() => stream.events.filter(({ event }) => event === 'change')).toHaveLength(1)
    const [change] = stream.events.filter(({ event }) => event === 'change')
    expect(change!.data).toMatchObject({ seq: 3, after: { title: 'Two' } })
    await stream.disconnect()
  })
})
