import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createTestProject,
  openCanvasStream,
  recordChanges,
  type TestProject,
} from '../../../../testing/clients/live.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

let project: TestProject
let headers: Headers
beforeEach(async () => {
  project = await createTestProject(app)
  headers = cookie(await app.session(project.creator))
})

const countOpenStreams = async (testApp: TestApp) =>
  Number(/^atrium_live_streams (\d+)$/m.exec((await testApp.request('GET', '/metrics')).text)![1])

describe('a canvas stream', () => {
  test('disconnects a client that reads too slowly, which resumes without losing a change', async () => {
    const { port } = new URL(app.url)
    const request = (extraHeaders = '') =>
      `GET /api/v1/projects/${project.id}/live HTTP/1.1\r\nhost: x\r\ncookie: ${headers.cookie}\r\n${extraHeaders}\r\n`
    const slow = connect(Number(port), '127.0.0.1')
    slow.write(request())
    await new Promise((resolve) => slow.once('readable', resolve))
    expect(await countOpenStreams(app)).toBe(1)
    // The client reads nothing more: the socket buffers fill first, then the server's.
    let last = 0
    for (let count = 0; count < 300 && (await countOpenStreams(app)) > 0; count++) {
      last = await recordChanges(app, project, 4, 'x'.repeat(100_000))
    }
    await expect.poll(() => countOpenStreams(app)).toBe(0)
    slow.destroy()
    const resumed = await openCanvasStream(app, project, { headers, query: '?since=0' })
    await expect.poll(() => resumed.seqs().at(-1)).toBe(last)
    expect(resumed.seqs()).toHaveLength(last)
    await resumed.disconnect()
  })

  test('delivers a burst larger than its buffer to a client that keeps up', async () => {
    const stream = await openCanvasStream(app, project, { headers })
    await recordChanges(app, project, 60, 'x'.repeat(100_000))
    await expect.poll(() => stream.seqs().length).toBe(60)
    expect(stream.hasEnded()).toBe(false)
    await stream.disconnect()
  })
})

describe('the LISTEN connection', () => {
  const listeners = () => app.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and query ilike 'listen "atrium_%' and pid <> pg_backend_pid()`

  test('is shared by all streams in a process', async () => {
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openCanvasStream(app, project, { headers })),
    )
    expect(await listeners()).toHaveLength(1)
    await Promise.all(streams.map((stream) => stream.disconnect()))
  })

  test('reconnects after an interruption and delivers the changes made during it', async () => {
    const stream = await openCanvasStream(app, project, { headers })
    const [listener] = await listeners()
    await app.sql`select pg_terminate_backend(${listener!.pid})`
    const last = await recordChanges(app, project, 3)
    await expect.poll(stream.seqs).toEqual([1, 2, 3])
    await expect.poll(listeners).toHaveLength(1)
    await recordChanges(app, project)
    await expect.poll(stream.seqs).toEqual([1, 2, 3, last + 1])
    await stream.disconnect()
  })

  test('checks access again after an interruption that hid a revocation', async () => {
    const member = await app.person(project.org)
    const stream = await openCanvasStream(app, project, { headers: cookie(await app.session(member)) })
    const unaffected = await openCanvasStream(app, project, { headers })
    const [listener] = await listeners()
    await app.setWorkspaceRole(member, project.org.workspaceId, null)
    await app.sql`select pg_terminate_backend(${listener!.pid})`
    await expect.poll(stream.hasEnded).toBe(true)
    expect(unaffected.hasEnded()).toBe(false)
    await unaffected.disconnect()
  })
})

test('malformed notifications are ignored', async () => {
  const stream = await openCanvasStream(app, project, { headers })
  for (const payload of ['', 'nonsense', 'null', '[]', '{"kind":"access"}', '{"kind":"presence"}']) {
    await app.sql`select pg_notify('atrium_live', ${payload}), pg_notify('atrium_access', ${payload})`
  }
  await recordChanges(app, project)
  await expect.poll(stream.seqs).toEqual([1])
  await stream.disconnect()
})

describe('several processes on one database', () => {
  let otherApp: TestApp
  beforeAll(async () => {
    otherApp = await buildTestApp({ on: app.connection })
  })

  test('exchange changes and presence', async () => {
    const CLIENT = '01890000-0000-7000-8000-00000000000c'
    const here = await openCanvasStream(app, project, { headers })
    const there = await openCanvasStream(otherApp, project, { headers, query: `?client=${CLIENT}` })
    await otherApp.request('POST', `/api/v1/projects/${project.id}/blocks`, {
      headers,
      body: { type: 'note' },
    })
    await app.request('POST', `/api/v1/projects/${project.id}/blocks`, { headers, body: { type: 'note' } })
    await expect.poll(here.seqs).toEqual([1, 2])
    await expect.poll(there.seqs).toEqual([1, 2])
    const report = { client: CLIENT, cursor: { x: 1, y: 2 } }
    await otherApp.request('POST', `/api/v1/projects/${project.id}/live/presence`, { headers, body: report })
    await expect.poll(() => here.of('presence')).toMatchObject([report])
    await there.disconnect()
    const left = [{ client: CLIENT, userId: project.creator.id }]
    await expect.poll(() => here.of('left')).toEqual(left)
    await here.disconnect()
  })

  test('announce no departure for a client that reconnects in time', async () => {
    const CLIENT = '01890000-0000-7000-8000-00000000000d'
    const watching = await openCanvasStream(app, project, { headers })
    const first = await openCanvasStream(app, project, { headers, query: `?client=${CLIENT}` })
    await first.disconnect()
    await expect.poll(() => countOpenStreams(app)).toBe(1)
    const second = await openCanvasStream(app, project, { headers, query: `?client=${CLIENT}` })
    const leaving = await openCanvasStream(app, project, {
      headers,
      query: `?client=${CLIENT.replace('d', 'e')}`,
    })
    await leaving.disconnect()
    await expect.poll(() => watching.of('left')).toHaveLength(1)
    expect(watching.of('left')[0].client).not.toBe(CLIENT)
    await Promise.all([watching.disconnect(), second.disconnect()])
  })

  test('end their streams immediately when they stop, and announce the clients that left', async () => {
    const CLIENT = '01890000-0000-7000-8000-00000000000f'
    const here = await openCanvasStream(app, project, { headers })
    const there = await openCanvasStream(otherApp, project, { headers, query: `?client=${CLIENT}` })
    // Waiting for its streams to close would exceed the timeout of the test.
    await otherApp.close()
    await expect.poll(there.hasEnded).toBe(true)
    expect(there.of('ended')).toEqual([{ reason: 'closing' }])
    await expect.poll(() => here.of('left')).toMatchObject([{ client: CLIENT }])
    await here.disconnect()
  })
})
