import pino from 'pino'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { EVENTS_CHANNEL } from '../../server/events/publish.ts'
import { formatEvent } from '../../server/streams/sse-connection.ts'
import { createStreams, type FollowOptions } from '../../server/streams/streams.ts'
import { type CanvasStream, openCanvasStream, openEventStream } from '../../server/testing/clients/live.ts'
import { NO_SUSPENSIONS } from '../../server/testing/fakes/suspensions.ts'
import { shareTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { blockedBackends, createTenant, type Tenant } from './tenants.ts'

let app: TestApp
let busy: Tenant
let other: Tenant
beforeAll(async () => {
  app = await shareTestApp()
  busy = await createTenant(app)
  other = await createTenant(app)
})

async function waitUntilReady(opening: Promise<CanvasStream>): Promise<CanvasStream> {
  const stream = await opening
  onTestFinished(() => stream.disconnect())
  await expect.poll(() => stream.of('ready')).toHaveLength(1)
  return stream
}

const openLog = ({ headers }: Tenant) =>
  waitUntilReady(openEventStream(app, '/api/v1/webhooks/events/live', headers))
const openCanvas = ({ id, headers }: Tenant) => waitUntilReady(openCanvasStream(app, { id }, { headers }))

test('the server sends events and changes to one organization while another has no free connection', async () => {
  await openLog(busy)
  await openCanvas(busy)
  const log = await openLog(other)
  const canvas = await openCanvas(other)
  const blocker = await app.sql.reserve()
  await blocker`begin`
  await blocker`select from projects where org_id = ${busy.org.id} and id = ${busy.id} for update`
  const blocked = Promise.all(
    Array.from({ length: 20 }, () => busy.client.projects.update({ id: busy.id, description: 'More' })),
  )
  await expect.poll(async () => (await blockedBackends(app)).length).toBeGreaterThanOrEqual(6)
  // Both arrive in one turn of the event loop, the busy organization first, as with every heartbeat.
  await app.sql`
    select pg_notify(${EVENTS_CHANNEL}, ${busy.org.id}), pg_notify(${EVENTS_CHANNEL}, ${other.org.id})`
  await other.client.canvas.create({ projectId: other.id, type: 'note', x: 0, y: 0, width: 100, height: 100 })
  await expect.poll(() => canvas.seqs()).toHaveLength(1)
  await expect.poll(() => log.of('event').map(({ type }) => type)).toEqual(['project.block.created'])
  expect(await blockedBackends(app)).not.toHaveLength(0)
  await blocker`rollback`
  blocker.release()
  await blocked
})

describe('shared topic read', () => {
  const follow = (options: Partial<FollowOptions<number>>): FollowOptions<number> => ({
    topic: 'busy',
    subscriber: { orgId: 'busy', userId: 'ada', projectId: null },
    openers: [],
    isAllowed: async () => true,
    open: async () => ({ cursor: 0, frames: [] }),
    read: async (after) => ({ events: [], next: after, hasMore: false }),
    seqOf: (cursor) => cursor,
    ...options,
  })

  function start() {
    const quotas = { openStream: async () => () => {} }
    const streams = createStreams(app.sql, pino({ level: 'silent' }), { quotas, suspensions: NO_SUSPENSIONS })
    onTestFinished(() => streams.close())
    return streams
  }

  /** Reads nothing until the test adds an event. */
  function createLog() {
    const events: { cursor: number; frame: Buffer }[] = []
    const read = async (after: number) => {
      const added = events.filter(({ cursor }) => cursor > after)
      return { events: added, next: added.at(-1)?.cursor ?? after, hasMore: false }
    }
    const add = (name: string) =>
      events.push({ cursor: events.length + 1, frame: formatEvent(name, {}, events.length + 1) })
    return { read, add }
  }

  const passTurns = async () => {
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
  }

  test("sends a change to a topic's only stream before a larger topic's streams have all received theirs", async () => {
    const streams = start()
    const logs = { busy: createLog(), other: createLog() }
    const busyStreams = await Promise.all(
      Array.from({ length: 200 }, () => streams.follow(follow({ read: logs.busy.read }))),
    )
    const otherStream = await streams.follow(follow({ topic: 'other', read: logs.other.read }))
    await passTurns()
    for (let n = 0; n < 200; n++) logs.busy.add('flood')
    logs.other.add('change')
    const servedBusyStreams = new Promise<number>((resolve) => {
      otherStream.on('data', () =>
        resolve(busyStreams.filter(({ readableLength }) => readableLength > 0).length),
      )
    })
    streams.topic('busy')!.schedule()
    streams.topic('other')!.schedule()
    expect(await servedBusyStreams).toBeLessThan(200)
    await expect.poll(() => busyStreams.every(({ readableLength }) => readableLength > 0)).toBe(true)
  })

  test('leaves no gap in a stream that becomes live during a read', async () => {
    const streams = start()
    const log = createLog()
    log.add('first')
    const [own, shared] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    /** Returns the value that was stored at the time of the call, once `until` has resolved. */
    const delayedRead = (from: number, until: Promise<void>) => async (after: number) => {
      const batch = await log.read(after)
      if (after === from) await until
      return batch
    }
    const first = await streams.follow(follow({ read: delayedRead(2, shared.promise) }))
    await passTurns()
    const late = await streams.follow(follow({ read: delayedRead(0, own.promise) }))
    const received: string[] = []
    late.on('data', (frames: Buffer) => received.push(...(frames.toString().match(/(?<=event: )\w+/g) ?? [])))
    for (const name of ['second', 'third']) {
      const unread = first.readableLength
      log.add(name)
      streams.topic('busy')!.schedule()
      if (name === 'second') await expect.poll(() => first.readableLength).toBeGreaterThan(unread)
    }
    await passTurns()
    own.resolve()
    await passTurns()
    shared.resolve()
    await expect.poll(() => received).toEqual(['first', 'second', 'third'])
  })
})
