import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { inProjectTransaction } from '../../../testing/clients/file-client.ts'
import { createTestCanvas } from '../../../testing/factories/canvas.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { writeCanvas } from '../../canvas/canvas/canvas.ts'
import { lockProject } from '../../projects/projects/projects.ts'
import { startRun, updateRun } from './api/reported-runs.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const note = {
  type: 'note' as const,
  x: 0,
  y: 0,
  width: 1,
  height: 1,
  rotation: 0,
  zIndex: 0,
  parentId: null,
  title: null,
  content: null,
  fileId: null,
  color: null,
  locked: false,
  metadata: {},
}
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000'

describe('an agent run', () => {
  test('is listed while it waits, and no program can change its state', async () => {
    const { client, projectId } = await createTestCanvas(app)
    const { run } = await client.sessions.create({ projectId, message: { content: 'Hello' } })
    const runId = run!.id
    await app.sql`update runs set status = 'waiting' where id = ${runId}`
    const { items } = await client.runs.list({ projectId, status: 'waiting' })
    expect(items).toMatchObject([{ id: runId, status: 'waiting' }])
    await expect(client.runs.update({ projectId, runId, status: 'succeeded' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The server executes this run: cancel it with POST /api/v1/runs/:id/cancel',
    })
    expect((await client.agentRuns.get({ id: runId })).status).toBe('waiting')
  })
})

describe('a run', () => {
  test('starts, continues and ends, and is then immutable', async () => {
    const { client, projectId, person } = await createTestCanvas(app)
    const run = await client.runs.start({ projectId, title: 'Tidy up', status: 'queued' })
    const at = expect.stringMatching(/Z$/)
    expect(run).toEqual({
      id: expect.any(String),
      projectId,
      title: 'Tidy up',
      status: 'queued',
      error: null,
      cost: { amount: '0.000000', currency: 'USD' },
      createdBy: person.id,
      createdAt: at,
      startedAt: null,
      finishedAt: null,
      restoredAt: null,
    })
    const { id: runId } = run
    const running = await client.runs.update({ projectId, runId, status: 'running' })
    expect(running).toEqual({ ...run, status: 'running', startedAt: at })
    const ended = await client.runs.update({ projectId, runId, status: 'failed', error: 'Out of tokens' })
    expect(ended).toEqual({ ...running, status: 'failed', error: 'Out of tokens', finishedAt: at })
    for (const status of ['running', 'succeeded', 'failed', 'canceled'] as const)
      await expect(client.runs.update({ projectId, runId, status })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This run has ended: it failed',
      })
    expect(await client.runs.get({ projectId, runId })).toEqual(ended)
  })

  test('is running if it is started without a body', async () => {
    const { request } = await createTestCanvas(app)
    const { status, body } = await request('POST', '/runs')
    expect([status, body.status, body.title, body.startedAt]).toEqual([201, 'running', null, body.createdAt])
  })

  test("adds its exact cost to its project's spend", async () => {
    const { client, projectId, org } = await createTestCanvas(app)
    const spend = async () =>
      (await app.sql`select spend from projects where org_id = ${org.id} and id = ${projectId}`)[0]!.spend
    const [a, b] = [await client.runs.start({ projectId }), await client.runs.start({ projectId })]
    await client.runs.update({ projectId, runId: a.id, status: 'running', cost: '0.1' })
    expect(await spend()).toBe('0.100000')
    await client.runs.update({ projectId, runId: b.id, status: 'succeeded', cost: '0.2' })
    expect(await spend()).toBe('0.300000')
    const ended = await client.runs.update({ projectId, runId: a.id, status: 'succeeded', cost: '1.000001' })
    expect(ended.cost).toEqual({ amount: '1.000001', currency: 'USD' })
    expect(await spend()).toBe('1.200001')
    await expect(
      client.runs.update({ projectId, runId: a.id, status: 'failed', cost: '5' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await spend()).toBe('1.200001')
  })

  test.each(['-1', '1e3', '0.1234567', '1,5', 'NaN', ''])('refuses the cost %j', async (cost) => {
    const { request, client, projectId } = await createTestCanvas(app)
    const { id } = await client.runs.start({ projectId })
    const { status, body } = await request('PATCH', `/runs/${id}`, { status: 'succeeded', cost })
    expect([status, body.error.details[0]]).toEqual([
      400,
      { path: 'body.cost', message: 'must be a decimal such as 0.0125' },
    ])
  })

  test('is listed newest first, page by page, optionally by status', async () => {
    const { client, projectId } = await createTestCanvas(app)
    const runs = []
    for (const status of ['failed', 'succeeded', 'failed'] as const) {
      const { id: runId } = await client.runs.start({ projectId })
      runs.unshift(await client.runs.update({ projectId, runId, status }))
    }
    expect((await client.runs.list({ projectId })).items).toEqual(runs)
    const failed = await client.runs.list({ projectId, status: 'failed', limit: 1 })
    expect(failed.items).toEqual([runs[0]])
    const rest = await client.runs.list({ projectId, status: 'failed', limit: 1, cursor: failed.nextCursor! })
    expect([rest.items, rest.nextCursor]).toEqual([[runs[2]], null])
  })

  test('is NOT_FOUND in another project, and no change can be made for it there', async () => {
    const [mine, theirs] = [await createTestCanvas(app), await createTestCanvas(app)]
    const { id: foreign } = await theirs.client.runs.start({ projectId: theirs.projectId })
    const sibling = await app.project(mine.person)
    const { id: near } = await mine.client.runs.start({ projectId: sibling.id })
    const ended = await mine.client.runs.start({ projectId: mine.projectId })
    const queued = await mine.client.runs.start({ projectId: mine.projectId, status: 'queued' })
    await mine.client.runs.update({ projectId: mine.projectId, runId: ended.id, status: 'succeeded' })
    const block = await mine.block()
    for (const runId of [foreign, near, UNKNOWN_ID]) {
      expect((await mine.request('GET', `/runs/${runId}`)).status).toBe(404)
      expect((await mine.request('PATCH', `/runs/${runId}`, { status: 'failed' })).status).toBe(404)
    }
    for (const runId of [foreign, near, UNKNOWN_ID, ended.id, queued.id]) {
      for (const [method, endpointPath, body, path] of [
        ['POST', '/blocks', { type: 'note', runId }, 'body.runId'],
        ['PATCH', `/blocks/${block.id}`, { title: 'x', runId }, 'body.runId'],
        ['PATCH', '/blocks/positions', { positions: [{ id: block.id, x: 9, y: 9 }], runId }, 'body.runId'],
        ['DELETE', `/blocks/${block.id}?runId=${runId}`, undefined, 'query.runId'],
      ] as const) {
        const response = await mine.request(method, endpointPath, body)
        expect([response.status, response.body.error.details]).toEqual([
          400,
          [{ path, message: 'must be a run in progress in this project' }],
        ])
      }
    }
    expect(await mine.read()).toMatchObject({ items: [block], seq: 1 })
  })

  test('can be started by the server for a user', async () => {
    const { client, projectId, person, read } = await createTestCanvas(app)
    const run = await inProjectTransaction(app, person, async (ctx) => {
      const started = await startRun(ctx, { projectId, title: 'An agent', status: 'running' })
      const project = await lockProject(ctx, projectId)
      const add = (id: string) =>
        writeCanvas(ctx, project, { create: { blocks: [{ id, ...note }] } }, { runId: started.id })
      // Consecutive writes in one transaction continue the numbering.
      await add(newId())
      expect((await add(newId())).seq).toBe(2)
      return updateRun(ctx, { projectId, runId: started.id, status: 'failed', cost: '0.5' })
    })
    expect(run).toMatchObject({ status: 'failed', createdBy: person.id, cost: { amount: '0.500000' } })
    expect((await read()).items).toMatchObject([
      { runId: run.id, version: 1 },
      { runId: run.id, version: 2 },
    ])
    await client.runs.restoreLast({ projectId })
    expect((await read()).items).toEqual([])
  })

  test('is referenced by blocks it changed last, until a user changes them', async () => {
    const canvas = await createTestCanvas(app)
    const { client, projectId } = canvas
    const { id: runId } = await client.runs.start({ projectId })
    const block = await client.canvas.create({ projectId, type: 'note', runId })
    expect(block.runId).toBe(runId)
    const edited = await client.canvas.update({ projectId, blockId: block.id, title: 'by hand' })
    expect(edited.runId).toBeNull()
    expect((await canvas.history()).map((change) => change.runId)).toEqual([runId, null])
  })
})
