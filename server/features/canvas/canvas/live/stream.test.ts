import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notifyAccessChanged, notifyProject } from '../../../../streams/notify.ts'
import {
  type CanvasStream,
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
const streams: CanvasStream[] = []
beforeEach(async () => {
  project = await createTestProject(app)
  headers = cookie(await app.session(project.creator))
})
afterEach(async () => {
  const opened = streams.splice(0)
  await Promise.all(opened.map((stream) => stream.disconnect()))
  // The server detects the end of a stream later than the client, and the next test counts open streams.
  if (opened.length > 0) await expect.poll(countOpenStreams).toBe(0)
})

async function follow(query = '', extraHeaders: Headers = {}) {
  const stream = await openCanvasStream(app, project, { headers: { ...headers, ...extraHeaders }, query })
  streams.push(stream)
  return stream
}

const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
const countOpenStreams = async () =>
  Number(/^atrium_live_streams (\d+)$/m.exec((await app.request('GET', '/metrics')).text)![1])
describe('GET /projects/:id/live', () => {
  test('is an event stream that caches and proxies do not buffer', async () => {
    const { status, headers } = await follow()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-accel-buffering')).toBe('no')
  })

  test('starts at the latest change and then sends each change with its author', async () => {
    await recordChanges(app, project, 3)
    const stream = await follow()
    await expect.poll(() => stream.of('ready')).toEqual([{ seq: 3, here: [] }])
    await recordChanges(app, project)
    await expect.poll(stream.seqs).toEqual([4])
    expect(stream.events[1]).toMatchObject({
      event: 'change',
      id: '4',
      data: {
        entity: 'block',
        action: 'updated',
        before: null,
        after: { content: 'c' },
        by: { id: project.creator.id, name: 'Ada' },
        runId: null,
      },
    })
  })

  test('resumes after `since`, or after `Last-Event-ID`, which takes precedence', async () => {
    await recordChanges(app, project, 5)
    const since = await follow('?since=2')
    await expect.poll(since.seqs).toEqual([3, 4, 5])
    const resumed = await follow('?since=2', { 'last-event-id': '4' })
    await expect.poll(resumed.seqs).toEqual([5])
    expect(resumed.events[0]).toMatchObject({ event: 'ready', id: '4', data: { seq: 5 } })
  })

  test('neither loses nor repeats a change while changes are written', async () => {
    await recordChanges(app, project, 450)
    const writing = Array.from({ length: 60 }, () => recordChanges(app, project, 7))
    const opened = await Promise.all([0, 100, 449, 0, 300].map((since) => follow(`?since=${since}`)))
    await Promise.all(writing)
    const last = await recordChanges(app, project)
    for (const [index, since] of [0, 100, 449, 0, 300].entries()) {
      await expect.poll(() => opened[index]!.seqs().at(-1)).toBe(last)
      expect(opened[index]!.seqs()).toEqual(upTo(last, since + 1))
    }
  })

  test.each([
    ['is ahead of the latest change', 1, 7],
    ['is more than 10,000 changes behind', 10_002, 1],
  ])(
    'sends a reset event to a client that %s, and continues with the next change',
    async (_case, count, since) => {
      const present = await recordChanges(app, project, count)
      const stream = await follow(`?since=${since}`)
      await expect.poll(() => stream.of('reset')).toEqual([{ seq: present }])
      expect(stream.events[0]).toMatchObject({ event: 'ready', id: String(present) })
      await recordChanges(app, project)
      await expect.poll(stream.seqs).toEqual([present + 1])
    },
  )

  test('replays exactly 10,000 missed changes', async () => {
    await recordChanges(app, project, 10_000)
    const stream = await follow('?since=0')
    await expect.poll(() => stream.seqs().length).toBe(10_000)
    expect(stream.seqs()).toEqual(upTo(10_000))
  })

  test("sends an event when the project's settings change", async () => {
    const stream = await follow()
    notifyProject(app.sql, project.org.id, project.id, { kind: 'project' })
    await expect.poll(() => stream.of('project')).toEqual([{}])
  })

  test('ends when project access changes', async () => {
    const stream = await follow()
    const subject = { orgId: project.org.id, projectId: project.id }
    await app.sql`select ${notifyAccessChanged(app.sql, subject)}`
    await expect.poll(stream.hasEnded).toBe(true)
    expect(stream.of('ended')).toEqual([{ reason: 'access' }])
  })

  test('is NOT_FOUND for a caller without access to the project', async () => {
    const { headers } = await app.newUser()
    const { status } = await app.request('GET', `/api/v1/projects/${project.id}/live`, { headers })
    expect(status).toBe(404)
  })

  test.each(['-1', 'x', '1.5'])('refuses since=%s', async (since) => {
    const path = `/api/v1/projects/${project.id}/live?since=${since}`
    const { status, body } = await app.request('GET', path, { headers })
    expect([status, body.error.details[0].path]).toEqual([400, 'query.since'])
  })

  test('ignores a malformed Last-Event-ID', async () => {
    await recordChanges(app, project, 2)
    const stream = await follow('', { 'last-event-id': 'one' })
    await expect.poll(() => stream.of('ready')).toEqual([{ seq: 2, here: [] }])
  })
})

describe('a closed stream', () => {
  test('is removed when its client disconnects', async () => {
    await Promise.all(Array.from({ length: 20 }, () => follow('?since=0')))
    expect(await countOpenStreams()).toBe(20)
    await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
    await expect.poll(countOpenStreams).toBe(0)
  })

  test('is removed after a HEAD request', async () => {
    const response = await app.request('HEAD', `/api/v1/projects/${project.id}/live`, { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await countOpenStreams()).toBe(0)
  })

  /** This test runs last: a request may arrive and open its stream after the others have ended. */
  test('is removed when its client disconnects before the response', async () => {
    const stop = new AbortController()
    const url = `${app.url}/api/v1/projects/${project.id}/live`
    await app.sql.begin(async (sql) => {
      await sql`lock table projects in access exclusive mode`
      const calls = Array.from({ length: 20 }, () =>
        fetch(url, { headers, signal: stop.signal }).catch(() => {}),
      )
      const waiting = () =>
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0)
      stop.abort()
      await Promise.all(calls)
    })
    await follow()
    await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
    await expect.poll(countOpenStreams).toBe(0)
  })
})
