import { beforeAll, expect, test } from 'vitest'
import { createdRecord } from '../../../testing/clients/file-client.ts'
import { scriptedAgent } from '../../../testing/clients/scripted-runs.ts'
import { toolCall } from '../../../testing/clients/tool-calls.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { ToolCall } from '../../../tools/tool.ts'

let app: TestApp
let agent: Awaited<ReturnType<typeof scriptedAgent>>
beforeAll(async () => {
  app = await shareTestApp()
  agent = await scriptedAgent(app)
})

/** Reports a run that makes these changes with the rights of the person who started it. */
async function reportRun(change: (invoke: ToolCall['invoke']) => Promise<unknown>, parentRunId?: string) {
  const { client, person, projectId } = agent
  const { id } = await client.runs.start({ projectId })
  if (parentRunId) await app.sql`update runs set parent_run_id = ${parentRunId} where id = ${id}`
  await change(toolCall(app, person, projectId, { run: { id } }).invoke)
  await client.runs.update({ projectId, runId: id, status: 'succeeded' })
  return id
}

const undo = (id: string, query: { dryRun?: 'true'; force?: 'true' } = {}) =>
  agent.client.agentRuns.undo({ id, ...query })
const folder = async (name: string, parentId?: string) =>
  createdRecord(
    await agent.client.files.create({
      source: 'folder',
      name,
      ...(parentId ? { parentId } : { projectId: agent.projectId }),
    }),
  )
const params = (id: string) => ({ params: { id } })
const setTitle = (blockId: string, to: string) => (invoke: ToolCall['invoke']) =>
  invoke('canvas.update', { params: { projectId: agent.projectId, blockId }, body: { title: to } })

test('an undo returns a file with its tags and block to the project folder if its own folder is deleted', async () => {
  const { client, projectId, write, block, everything } = agent
  const [inbox, archive] = [await folder('Inbox'), await folder('Archive')]
  const file = await write('figures.md', 'Figures', inbox.id)
  await client.files.update({ id: file.id, tags: ['draft'] })
  const shown = await block({ type: 'file', title: 'Figures', fileId: file.id })
  const blockParams = { params: { projectId, blockId: shown.id } }
  const runId = await reportRun(async (invoke) => {
    await invoke('canvas.update', { ...blockParams, body: { fileId: null } })
    await invoke('files.update', { ...params(file.id), body: { parentId: archive.id, tags: ['final'] } })
    await invoke('files.remove', params(file.id))
  })
  await client.files.remove({ id: inbox.id })
  const after = await everything()
  const conflict = { id: file.id, action: 'recreated', reason: 'folder_missing' }
  expect((await undo(runId, { dryRun: 'true' })).items).toMatchObject([{ id: shown.id }, conflict])
  await expect(undo(runId)).rejects.toMatchObject({ details: { items: [conflict] } })
  const { undoRunId } = await undo(runId, { force: 'true' })
  const { canvas, files } = await everything()
  expect(canvas.block[shown.id]).toMatchObject({ fileId: file.id })
  expect(files['/figures.md']).toMatchObject({ id: file.id, tags: ['draft'], text: 'Figures' })
  await undo(undoRunId!)
  expect(await everything()).toEqual(after)
})

test("an undo removes a copied folder with its copies, unless it contains another member's file", async () => {
  const { client, write, tree } = agent
  const source = await folder('Source')
  await write('one.md', 'One', source.id)
  await write('two.md', 'Two', (await folder('Deep', source.id)).id)
  const before = await tree()
  let copyId = ''
  const runId = await reportRun(async (invoke) => {
    copyId = ((await invoke('files.copy', params(source.id))) as { data: { id: string } }).data.id
  })
  const copied = await tree()
  expect(Object.keys(copied)).toHaveLength(Object.keys(before).length + 4)
  await write('mine.md', 'Mine', copyId)
  await expect(undo(runId)).rejects.toMatchObject({ details: { items: [{ id: copyId, reason: 'in_use' }] } })
  const mine = (await client.files.list({ parentId: copyId })).items.find(({ name }) => name === 'mine.md')!
  await client.files.remove({ id: mine.id })
  const { undoRunId } = await undo(runId)
  expect(await tree()).toEqual(before)
  await undo(undoRunId!)
  expect(await tree()).toEqual(copied)
})

test('an undo happens once if several callers undo a run concurrently', async () => {
  const { block, everything, write } = agent
  const [{ id }, { id: fileId }] = [await block({ title: 'Before' }), await write('once.md', 'Once')]
  const before = await everything()
  const runId = await reportRun(async (invoke) => {
    await setTitle(id, 'After')(invoke)
    await invoke('files.update', { ...params(fileId), body: { name: 'twice.md' } })
  })
  const undone = await Promise.allSettled([undo(runId), undo(runId), undo(runId)])
  expect(undone.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  for (const result of undone)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'CONFLICT', details: { reason: 'already_undone' } })
  expect(await everything()).toEqual(before)
})

test('two runs that changed the same block and file are undone without force, later run first', async () => {
  const { block, everything, write, client, projectId } = agent
  const [{ id }, { id: fileId }] = [await block({ title: 'One' }), await write('one.md', 'One')]
  const rename = (name: string) => async (invoke: ToolCall['invoke']) => {
    await setTitle(id, name)(invoke)
    await invoke('files.update', { ...params(fileId), body: { name: `${name}.md` } })
  }
  const states = [await everything()]
  const first = await reportRun(rename('Two'))
  states.push(await everything())
  const second = await reportRun(rename('Three'))
  states.push(await everything())

  await expect(undo(first)).rejects.toMatchObject({ details: { reason: 'edited_since', count: 2 } })
  // The undo of the first run succeeds if it happens after the undo of the second run.
  const [firstUndo, secondUndo] = await Promise.allSettled([undo(first), undo(second)])
  expect(secondUndo.status).toBe('fulfilled')
  expect(await everything()).toEqual(states[firstUndo.status === 'fulfilled' ? 0 : 1])
  const { undoRunId } = firstUndo.status === 'fulfilled' ? firstUndo.value : await undo(first)
  expect(await everything()).toEqual(states[0])

  await undo(undoRunId!)
  expect(await everything()).toEqual(states[1])
  await client.canvas.update({ projectId, blockId: id, title: 'By hand' })
  await expect(undo(first)).rejects.toMatchObject({ details: { items: [{ id, reason: 'edited_since' }] } })
})

test("an undo covers a run's child runs, except one undone separately", async () => {
  const { client, block, everything } = agent
  const blocks = await Promise.all(
    ['Parent', 'Child', 'Grandchild', 'Other'].map((name) => block({ title: name })),
  )
  const [parent, child, grandchild, other] = blocks.map(({ id }) => id)
  const root = await reportRun(setTitle(parent!, 'Parent changed'))
  const started = await reportRun(setTitle(child!, 'Child changed'), root)
  await reportRun(setTitle(grandchild!, 'Grandchild changed'), started)
  const separate = await reportRun(setTitle(other!, 'Other changed'), root)
  await undo(separate)
  const after = await everything()
  const { items } = await client.agentRuns.changes({ id: root, limit: 50 })
  expect(items.map(({ name }) => name).toSorted()).toEqual([
    'Child changed',
    'Grandchild changed',
    'Other',
    'Parent changed',
  ])

  const { undoRunId, items: undone } = await undo(root)
  expect(undone.map(({ name }) => name).toSorted()).toEqual(['Child', 'Grandchild', 'Parent'])
  await expect(undo(started)).rejects.toMatchObject({ details: { reason: 'already_undone' } })
  await undo(undoRunId!)
  expect(await everything()).toEqual(after)
  await undo(started, { dryRun: 'true' })
  await expect(undo(separate)).rejects.toMatchObject({ details: { reason: 'already_undone' } })
  const { id: active } = await client.runs.start({ projectId: agent.projectId })
  await app.sql`update runs set parent_run_id = ${root} where id = ${active}`
  await expect(undo(root)).rejects.toMatchObject({ details: { reason: 'active' } })
})
