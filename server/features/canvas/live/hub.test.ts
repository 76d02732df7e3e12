import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createTestProject,
  openCanvasStream,
  recordChanges,
  type TestProject,
} from '../../../testing/clients/live.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../../../testing/test-app.ts'
import { createHub, type Following } from './hub.ts'

const log = pino({ level: 'silent' })

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

const openStreams = async (of: TestApp) =>
  Number(/^atrium_live_streams (\d+)$/m.exec((await of.request('GET', '/metrics')).text)![1])

/** Somebody who follows without the web in between. */
const following = (more: Partial<Following> = {}): Following => ({
  orgId: project.org.id,
  projectId: project.id,
  userId: project.creator.id,
  link: null,
  who: null,
  check: async () => 0,
  begin: async (present) => ({ from: present, isReset: false }),
  until: null,
  ...more,
})

/** What such a stream said until it ended. */
async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  const into = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  await pipeline(stream, into)
  return text
}

describe('a stream', () => {
  test('ends by itself after a while, so that whoever reads it is asked again who they are', async () => {
    const hub = createHub(app.sql, log, { ageMs: 100 })
    const text = await collect(await hub.follow(following()))
    expect(text).toContain('event: ended\ndata: {"reason":"age"}\n\n')
    expect(hub.size()).toBe(0)
    await hub.close()
  })

  test('ends if its reader turns out not to be let in', async () => {
    const hub = createHub(app.sql, log)
    const check = async () => {
      throw new Error('no')
    }
    await expect(hub.follow(following({ check }))).rejects.toThrow('no')
    expect(hub.size()).toBe(0)
    await hub.close()
  })

  test('is hung up on when its reader is too slow, who then goes on where they were', async () => {
    const { port } = new URL(app.url)
    const request = (more = '') =>
      `GET /api/v1/projects/${project.id}/live HTTP/1.1\r\nhost: x\r\ncookie: ${headers.cookie}\r\n${more}\r\n`
    const slow = connect(Number(port), '127.0.0.1')
    slow.write(request())
    await new Promise((resolve) => slow.once('readable', resolve))
    expect(await openStreams(app)).toBe(1)
    // It reads nothing more: first its own buffers fill, then the server's.
    let last = 0
    for (let count = 0; count < 300 && (await openStreams(app)) > 0; count++) {
      last = await recordChanges(app, project, 4, 'x'.repeat(100_000))
    }
    await expect.poll(() => openStreams(app)).toBe(0)
    slow.destroy()
    const resumed = await openCanvasStream(app, project, { headers, query: '?since=0' })
    await expect.poll(() => resumed.seqs().at(-1)).toBe(last)
    expect(resumed.seqs()).toHaveLength(last)
    await resumed.disconnect()
  })

  test('takes a burst that is larger than its buffer, if its reader keeps up', async () => {
    const stream = await openCanvasStream(app, project, { headers })
    await recordChanges(app, project, 60, 'x'.repeat(100_000))
    await expect.poll(() => stream.seqs().length).toBe(60)
    expect(stream.hasEnded()).toBe(false)
    await stream.disconnect()
  })
})

describe('the listening connection', () => {
  const listeners = () => app.sql<{ pid: number }[]>`
    select pid from pg_stat_activity
    where datname = current_database() and query ilike 'listen "atrium_live"' and pid <> pg_backend_pid()`

  test('is one for all streams of a process', async () => {
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openCanvasStream(app, project, { headers })),
    )
    expect(await listeners()).toHaveLength(1)
    await Promise.all(streams.map((stream) => stream.disconnect()))
  })

  test('comes back when it was cut off, and nothing that happened meanwhile is lost', async () => {
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

  test('missing that somebody was shut out, asks again when it is back', async () => {
    const member = await app.person(project.org)
    const stream = await openCanvasStream(app, project, { headers: cookie(await app.session(member)) })
    const kept = await openCanvasStream(app, project, { headers })
    const [listener] = await listeners()
    await app.seat(member, project.org.workspaceId, null)
    await app.sql`select pg_terminate_backend(${listener!.pid})`
    await expect.poll(stream.hasEnded).toBe(true)
    expect(kept.hasEnded()).toBe(false)
    await kept.disconnect()
  })
})

test('what anybody else says on the channel is not listened to', async () => {
  const stream = await openCanvasStream(app, project, { headers })
  for (const word of ['', 'nonsense', 'null', '[]', '{"kind":"access"}', '{"kind":"presence"}']) {
    await app.sql`select pg_notify('atrium_live', ${word})`
  }
  await recordChanges(app, project)
  await expect.poll(stream.seqs).toEqual([1])
  await stream.disconnect()
})

describe('several processes on one database', () => {
  let other: TestApp
  beforeAll(async () => {
    other = await buildTestApp({ on: app.connection })
  })

  test('see each other’s changes and each other’s people', async () => {
    const CLIENT = '01890000-0000-7000-8000-00000000000c'
    const here = await openCanvasStream(app, project, { headers })
    const there = await openCanvasStream(other, project, { headers, query: `?client=${CLIENT}` })
    await other.request('POST', `/api/v1/projects/${project.id}/blocks`, { headers, body: { type: 'note' } })
    await app.request('POST', `/api/v1/projects/${project.id}/blocks`, { headers, body: { type: 'note' } })
    await expect.poll(here.seqs).toEqual([1, 2])
    await expect.poll(there.seqs).toEqual([1, 2])
    const say = { client: CLIENT, cursor: { x: 1, y: 2 } }
    await other.request('POST', `/api/v1/projects/${project.id}/live/presence`, { headers, body: say })
    await expect.poll(() => here.of('presence')).toMatchObject([say])
    await there.disconnect()
    const left = [{ client: CLIENT, userId: project.creator.id }]
    await expect.poll(() => here.of('left')).toEqual(left)
    await here.disconnect()
  })

  test('whoever connects again in time never left', async () => {
    const CLIENT = '01890000-0000-7000-8000-00000000000d'
    const watching = await openCanvasStream(app, project, { headers })
    const first = await openCanvasStream(app, project, { headers, query: `?client=${CLIENT}` })
    await first.disconnect()
    await expect.poll(() => openStreams(app)).toBe(1)
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

  test('one that stops ends its streams at once, and tells who is gone', async () => {
    const CLIENT = '01890000-0000-7000-8000-00000000000f'
    const here = await openCanvasStream(app, project, { headers })
    const there = await openCanvasStream(other, project, { headers, query: `?client=${CLIENT}` })
    // Longer than the test may take, were it to wait for its streams.
    await other.close()
    await expect.poll(there.hasEnded).toBe(true)
    expect(there.of('ended')).toEqual([{ reason: 'closing' }])
    await expect.poll(() => here.of('left')).toMatchObject([{ client: CLIENT }])
    await here.disconnect()
  })
})
