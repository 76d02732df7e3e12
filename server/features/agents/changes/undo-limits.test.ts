import { afterAll, beforeAll, expect, test } from 'vitest'
import { callLine, scriptedAgent } from '../../../testing/clients/scripted-runs.ts'
import { toolCall, useTool } from '../../../testing/clients/tool-calls.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { writeFile } from '../../../tools/files/write-file.ts'
import { releaseExpired } from './undo-target.ts'

let app: TestApp
let sharedAgent: Awaited<ReturnType<typeof scriptedAgent>>
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
  sharedAgent = await scriptedAgent(app)
})
afterAll(() => app.close())

const DAY_S = 86_400

/** A run that creates a block and replaces the text of this file. */
async function changeFile(name: string, agent = sharedAgent) {
  const file = await agent.write(name, 'Before')
  const runId = await agent.play([
    callLine('edit_canvas', { create: [{ type: 'note', title: name }] }),
    callLine('write_file', { name, text: 'After' }),
  ])
  return { file, runId }
}

const storageOf = async (orgId: string) => {
  const [row] = await app.sql`
    select sum(amount)::int as bytes from quota_usage where org_id = ${orgId} and quota = 'storage'`
  return row!.bytes as number
}

test('an undo is refused to other organizations, viewers and keys without the scope, and while the run is active', async () => {
  const { client, person, projectId, everything } = sharedAgent
  const { file, runId } = await changeFile('access.md')
  const after = await everything()
  const stranger = await app.withSession((await app.newUser()).person)
  const colleague = await app.person(sharedAgent.org)
  await app.setWorkspaceRole(colleague, sharedAgent.org.workspaceId, 'viewer')
  const viewer = await app.withSession(colleague)
  const byKey = await app.withKey(person, ['models:read'])
  const text = { id: runId, fileId: file.id, version: 'before' } as const
  for (const call of [
    () => stranger.agentRuns.changes({ id: runId }),
    () => stranger.agentRuns.changedText(text),
    () => stranger.agentRuns.undo({ id: runId, dryRun: 'true' }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await viewer.agentRuns.changes({ id: runId })).items).toHaveLength(2)
  await expect(viewer.agentRuns.undo({ id: runId })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    details: { reason: 'view_only' },
  })
  expect((await byKey.agentRuns.changes({ id: runId })).items.map(({ kind }) => kind)).toEqual(['block'])
  await expect(byKey.agentRuns.undo({ id: runId })).rejects.toMatchObject({
    details: { reason: 'missing_scope', required: ['files:write'] },
  })
  const { id: active } = await client.runs.start({ projectId })
  await expect(client.agentRuns.undo({ id: active })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'active' },
  })
  await client.runs.update({ projectId, runId: active, status: 'canceled' })
  expect(await everything()).toEqual(after)
})

test('an undo reverts nothing if one of its changes fails', async () => {
  const { client, everything, project } = sharedAgent
  const { runId } = await changeFile('crash.md')
  const after = await everything()
  await app.sql`
    create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`
  await app.sql`create trigger refuse_change before insert on file_changes for each row execute function refuse_change()`
  await expect(client.agentRuns.undo({ id: runId })).rejects.toMatchObject({ code: 'INTERNAL' })
  await app.sql`drop trigger refuse_change on file_changes`
  expect(await everything()).toEqual(after)
  const undos = await app.sql`select from runs where org_id = ${project.orgId} and undo_of = ${runId}`
  expect(undos).toHaveLength(0)
  await client.agentRuns.undo({ id: runId })
})

test("a run that has ended can't make changes, so none commits after an undo", async () => {
  const { person, projectId } = sharedAgent
  const { runId } = await changeFile('late.md')
  const call = toolCall(app, person, projectId, { run: { id: runId } })
  await expect(useTool(writeFile, call, { name: 'late.md', text: 'Late' })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This run has ended',
  })
})

test("an undo covers other projects' canvases, whose changes carry only this run's id", async () => {
  const { client, person, projectId } = sharedAgent
  const other = await app.project(person)
  const { id: runId } = await client.runs.start({ projectId })
  const { invoke } = toolCall(app, person, projectId, { run: { id: runId } })
  const params = { projectId: other.id }
  await invoke('canvas.create', { params, body: { type: 'note', title: 'Elsewhere' } })
  const { id: another } = await client.runs.start({ projectId })
  const body = { type: 'note', runId: another }
  await expect(invoke('canvas.create', { params, body })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'body.runId must be the run that makes the change',
  })
  for (const id of [runId, another]) await client.runs.update({ projectId, runId: id, status: 'succeeded' })
  const changes = await client.agentRuns.changes({ id: runId })
  expect(changes.items).toMatchObject([{ projectId: other.id, name: 'Elsewhere', action: 'created' }])
  await client.agentRuns.undo({ id: runId })
  expect((await client.canvas.list({ projectId: other.id })).items).toEqual([])
})

test('an undo reverts memories the run saved, can be undone, and names memories edited since', async () => {
  const { client, projectId, play } = sharedAgent
  const save = (key: string, content: string) => callLine('save_memory', { key, content })
  const texts = async () => {
    const { items } = await client.memory.list({ projectId })
    return Object.fromEntries(items.map(({ key, content }) => [key, content]))
  }
  await client.memory.create({ scope: 'project', projectId, key: 'style', content: 'Old' })
  const runId = await play([save('style', 'Newer'), save('fresh', 'Created'), '---', save('style', 'New')])
  const { items: changes } = await client.agentRuns.changes({ id: runId })
  expect(changes.toSorted((a, b) => (a.name! < b.name! ? -1 : 1))).toMatchObject([
    { kind: 'memory', name: 'fresh', action: 'created', before: null, after: { content: 'Created' } },
    {
      kind: 'memory',
      name: 'style',
      action: 'updated',
      before: { content: 'Old' },
      after: { content: 'New' },
    },
  ])
  const undone = await client.agentRuns.undo({ id: runId })
  expect(await texts()).toEqual({ style: 'Old' })
  const restored = await client.agentRuns.undo({ id: undone.undoRunId! })
  expect(await texts()).toEqual({ style: 'New', fresh: 'Created' })
  await client.agentRuns.undo({ id: restored.undoRunId! })
  expect(await texts()).toEqual({ style: 'Old' })

  const next = await play([save('style', 'Newest')])
  const { id } = (await client.memory.list({ projectId })).items[0]!
  await client.memory.update({ id, content: 'By hand' })
  await expect(client.agentRuns.undo({ id: next })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { items: [{ kind: 'memory', name: 'style', reason: 'edited_since' }] },
  })
  await client.agentRuns.undo({ id: next, force: 'true' })
  expect(await texts()).toEqual({ style: 'Old' })
})

test('previous contents count toward the quota, and an undo is refused after 30 days', async () => {
  const agent = await scriptedAgent(app)
  const { person } = agent
  const { file, runId } = await changeFile('quota.md', agent)
  expect(await storageOf(person.orgId)).toBe('Before'.length + 'After'.length)
  const release = () => releaseExpired(app.app.system())
  app.clock.advance(29 * DAY_S)
  await release()
  const later = await app.withSession(person)
  expect((await later.agentRuns.undo({ id: runId, dryRun: 'true' })).items).toHaveLength(2)

  app.clock.advance(2 * DAY_S)
  await release()
  const latest = await app.withSession(person)
  await expect(latest.agentRuns.undo({ id: runId })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'expired' },
  })
  expect(await storageOf(person.orgId)).toBe('Before'.length + 'After'.length)
  expect((await latest.fileTexts.read({ id: file.id })).text).toBe('After')
})
