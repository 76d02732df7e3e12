import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notifyProject } from '../../../streams/notify.ts'
import {
  type CanvasStream,
  createTestProject,
  openCanvasStream,
  recordChanges,
  type TestProject,
} from '../../../testing/clients/live.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../../../testing/test-app.ts'

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
  await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
})

async function follow(query = '', more: Headers = {}) {
  const stream = await openCanvasStream(app, project, { headers: { ...headers, ...more }, query })
  streams.push(stream)
  return stream
}

const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
const openStreams = async () =>
  Number(/^atrium_live_streams (\d+)$/m.exec((await app.request('GET', '/metrics')).text)![1])
const tell = (kind: 'project' | 'access') =>
  app.sql`select ${notifyProject(app.sql, project.org.id, project.id, { kind })}`

describe('following a canvas', () => {
  test('is a stream of events that no cache and no proxy holds back', async () => {
    const { status, headers } = await follow()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-accel-buffering')).toBe('no')
  })

  test('begins with the present, and then tells each change with who made it', async () => {
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

  test('goes on after the number given, or after the last event that arrived, which counts more', async () => {
    await recordChanges(app, project, 5)
    const since = await follow('?since=2')
    await expect.poll(since.seqs).toEqual([3, 4, 5])
    const resumed = await follow('?since=2', { 'last-event-id': '4' })
    await expect.poll(resumed.seqs).toEqual([5])
    expect(resumed.events[0]).toMatchObject({ event: 'ready', id: '4', data: { seq: 5 } })
  })

  test('loses and repeats nothing while changes stream in', async () => {
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
    ['is ahead of the present', 1, 7],
    ['is more than 10,000 changes behind', 10_002, 1],
  ])('tells whoever %s to read the canvas anew, and goes on from there', async (_case, count, since) => {
    const present = await recordChanges(app, project, count)
    const stream = await follow(`?since=${since}`)
    await expect.poll(() => stream.of('reset')).toEqual([{ seq: present }])
    expect(stream.events[0]).toMatchObject({ event: 'ready', id: String(present) })
    await recordChanges(app, project)
    await expect.poll(stream.seqs).toEqual([present + 1])
  })

  test('catches up from exactly 10,000 changes behind', async () => {
    await recordChanges(app, project, 10_000)
    const stream = await follow('?since=0')
    await expect.poll(() => stream.seqs().length).toBe(10_000)
    expect(stream.seqs()).toEqual(upTo(10_000))
  })

  test('tells that the settings of the project changed', async () => {
    const stream = await follow()
    await tell('project')
    await expect.poll(() => stream.of('project')).toEqual([{}])
  })

  test('ends when who may see the project changes', async () => {
    const stream = await follow()
    await tell('access')
    await expect.poll(stream.hasEnded).toBe(true)
    expect(stream.of('ended')).toEqual([{ reason: 'access' }])
  })

  test('is NOT_FOUND for whoever cannot see the project', async () => {
    const { headers } = await app.newcomer()
    const { status } = await app.request('GET', `/api/v1/projects/${project.id}/live`, { headers })
    expect(status).toBe(404)
  })

  test.each(['-1', 'x', '1.5'])('refuses since=%s', async (since) => {
    const path = `/api/v1/projects/${project.id}/live?since=${since}`
    const { status, body } = await app.request('GET', path, { headers })
    expect([status, body.error.details[0].path]).toEqual([400, 'query.since'])
  })

  test('takes a nonsensical Last-Event-ID as none', async () => {
    await recordChanges(app, project, 2)
    const stream = await follow('', { 'last-event-id': 'one' })
    await expect.poll(() => stream.of('ready')).toEqual([{ seq: 2, here: [] }])
  })
})

describe('what is left behind', () => {
  test('nothing, when readers hang up without a word', async () => {
    await Promise.all(Array.from({ length: 20 }, () => follow('?since=0')))
    expect(await openStreams()).toBe(20)
    await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
    await expect.poll(openStreams).toBe(0)
  })

  test('nothing, when they hang up before they were answered', async () => {
    const stop = new AbortController()
    const calls = Array.from({ length: 20 }, () =>
      fetch(`${app.url}/api/v1/projects/${project.id}/live`, { headers, signal: stop.signal }).catch(
        () => {},
      ),
    )
    await new Promise(setImmediate)
    stop.abort()
    await Promise.all(calls)
    await expect.poll(openStreams).toBe(0)
  })

  test('nothing, of a HEAD request', async () => {
    const answer = await app.request('HEAD', `/api/v1/projects/${project.id}/live`, { headers })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await openStreams()).toBe(0)
  })
})
