import type { Readable } from 'node:stream'
import { setImmediate as nextTick } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { STREAMS_MAX } from '../../contract/quotas.ts'
import { openDatabase, type Pool } from '../database/database.ts'
import { cloneDatabase } from '../testing/database.ts'
import { NO_SUSPENSIONS } from '../testing/fakes/suspensions.ts'
import { notifyAccessChanged } from './notify.ts'
import { formatEvent } from './sse-connection.ts'
import { createStreams, type FollowOptions, type Streams } from './streams.ts'

const log = pino({ level: 'silent' })
const CHANNEL = 'test_topic'
const TOPIC = 'topic'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let pool: Pool
beforeAll(async () => {
  database = await cloneDatabase('template0')
  pool = openDatabase(database.connection, 'streams test')
})
afterAll(async () => {
  await pool.end({ timeout: 1 })
  await database.drop()
})

let streams: Streams
/** The stored events of the topic: event n has the cursor n. */
let stored: string[]
let reads: number
beforeEach(() => {
  stored = []
  reads = 0
})
afterEach(() => streams.close())

function start(options: Partial<Parameters<typeof createStreams>[2]> = {}) {
  const quotas = { openStream: async () => () => {} }
  const started = createStreams(pool, log, { quotas, suspensions: NO_SUSPENSIONS, ...options })
  started.subscribe(CHANNEL, (topic) => started.topic(topic)?.schedule())
  streams = started
}

const sharedRead = (options: Partial<FollowOptions<number>> = {}): FollowOptions<number> => ({
  topic: TOPIC,
  subscriber: { orgId: 'org', userId: 'ada', projectId: null },
  openers: [],
  isAllowed: async () => true,
  open: async () => ({ cursor: 0, frames: [formatEvent('ready', {})] }),
  async read(after) {
    reads++
    const events = stored
      .slice(after, after + 2)
      .map((name, index) => ({ cursor: after + index + 1, frame: formatEvent(name, {}) }))
    return { events, next: after + events.length, hasMore: events.length === 2 }
  },
  seqOf: (cursor) => cursor,
  ...options,
})
const ownRead = (options: Partial<FollowOptions<number>> = {}) => sharedRead({ seqOf: undefined, ...options })

/** The names of the events that a stream has sent; the reason of `ended` is appended. */
function namesIn(stream: Readable): () => string[] {
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  stream.on('error', () => {})
  return () =>
    [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) =>
      name === 'ended' ? `ended:${JSON.parse(data!).reason}` : name!,
    )
}

async function publish(...names: string[]) {
  stored.push(...names)
  await pool`select pg_notify(${CHANNEL}, ${TOPIC})`
}

describe.each([
  ['with a shared read', sharedRead],
  ['with a read per stream', ownRead],
])('a stream %s', (_kind, follow) => {
  test('replays the stored events and then sends new ones, each once', async () => {
    start()
    stored = ['a', 'b', 'c', 'd', 'e']
    const first = namesIn(await streams.follow(follow()))
    const later = namesIn(
      await streams.follow(follow({ open: async () => ({ cursor: 3, frames: [formatEvent('ready', {})] }) })),
    )
    await expect.poll(first).toEqual(['ready', 'a', 'b', 'c', 'd', 'e'])
    await Promise.all([publish('f'), publish('g'), publish('h')])
    await expect.poll(first).toEqual(['ready', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    await expect.poll(later).toEqual(['ready', 'd', 'e', 'f', 'g', 'h'])
  })

  test('ends at its maximum age', async () => {
    start({ ageMs: 50 })
    const names = namesIn(await streams.follow(follow()))
    await expect.poll(names).toEqual(['ready', 'ended:age'])
    expect(streams.size()).toBe(0)
  })

  test('ends when its credential expires', async () => {
    start()
    const names = namesIn(await streams.follow(follow({ expiresAt: new Date() })))
    await expect.poll(names).toEqual(['ready', 'ended:age'])
  })

  test('leaves nothing behind when it is refused', async () => {
    start()
    const open = async () => {
      throw new Error('refused')
    }
    await expect(streams.follow(follow({ open }))).rejects.toThrow('refused')
    expect(streams.size()).toBe(0)
  })

  test('ends when a revocation removes its access', async () => {
    start()
    let isAllowed = true
    const options = { isAllowed: async () => isAllowed }
    const names = namesIn(await streams.follow(follow(options)))
    const subscriber = { orgId: 'org', userId: 'grace', projectId: null }
    const unaffected = namesIn(await streams.follow(follow({ subscriber })))
    isAllowed = false
    await pool`select ${notifyAccessChanged(pool, { userId: 'ada' })}`
    await publish('a')
    await expect.poll(names).toEqual(['ready', 'ended:access'])
    await expect.poll(unaffected).toEqual(['ready', 'a'])
  })

  test('reads events from lost notifications and checks its access at its heartbeat', async () => {
    start({ heartbeatMs: 20 })
    let isAllowed = true
    const names = namesIn(await streams.follow(follow({ isAllowed: async () => isAllowed })))
    stored.push('a')
    await expect.poll(names).toEqual(['ready', 'a'])
    isAllowed = false
    await expect.poll(names).toEqual(['ready', 'a', 'ended:access'])
  })

  test('disconnects when its events cannot be read', async () => {
    start()
    const read = async () => {
      throw new Error('unreadable')
    }
    const stream = await streams.follow(follow({ read }))
    namesIn(stream)
    await expect.poll(() => stream.destroyed).toBe(true)
    expect(streams.size()).toBe(0)
  })

  test('ends when the server stops, which then refuses new streams', async () => {
    start()
    const names = namesIn(await streams.follow(follow()))
    streams.close()
    await expect.poll(names).toEqual(['ready', 'ended:closing'])
    await expect(streams.follow(follow())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('stream topic', () => {
  test('is read once for all streams that have caught up', async () => {
    start()
    const all = await Promise.all(Array.from({ length: 5 }, () => streams.follow(sharedRead())))
    const names = all.map(namesIn)
    await expect.poll(() => names.every((namesOf) => namesOf().length === 1)).toBe(true)
    await nextTick()
    reads = 0
    await publish('a')
    for (const namesOf of names) await expect.poll(namesOf).toEqual(['ready', 'a'])
    expect(reads).toBe(1)
  })

  test.each(['person', 'key', 'link'] as const)(
    'refuses a stream beyond the limit for one %s, and admits one when another closes',
    async (kind) => {
      start()
      const openers = [{ kind, id: 'one' }]
      const max = STREAMS_MAX[kind]
      const open = await Promise.all(
        Array.from({ length: max }, () => streams.follow(sharedRead({ openers }))),
      )
      await expect(streams.follow(sharedRead({ openers }))).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        details: { reason: 'too_many_streams', per: kind, used: max, allowed: max },
        headers: { 'retry-after': '30' },
      })
      await streams.follow(sharedRead({ openers: [{ kind, id: 'another' }] }))
      open[0]!.destroy()
      await expect.poll(() => streams.size()).toBe(max)
      await streams.follow(sharedRead({ openers }))
    },
  )

  test("frees an opener's slot when the organization has no slot left", async () => {
    let isFull = true
    const exceeded = { quota: 'streams' as const, used: 5, allowed: 5 }
    start({ quotas: { openStream: async () => (isFull ? exceeded : () => {}) } })
    const openers = [{ kind: 'key' as const, id: 'one' }]
    for (let n = 0; n <= STREAMS_MAX.key; n++) {
      await expect(streams.follow(sharedRead({ openers }))).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        details: { reason: 'quota_exceeded', ...exceeded },
      })
    }
    isFull = false
    await streams.follow(sharedRead({ openers }))
    expect(streams.size()).toBe(1)
  })

  test('broadcasts to all clients except the one that caused the event', async () => {
    start()
    const sender = namesIn(await streams.follow(sharedRead({ clientKey: 'a' })))
    const other = namesIn(await streams.follow(sharedRead({ clientKey: 'b' })))
    streams.topic(TOPIC)!.broadcast(formatEvent('moved', {}), 'a')
    await expect.poll(other).toEqual(['ready', 'moved'])
    expect(sender()).toEqual(['ready'])
    expect(streams.topic('another')).toBeUndefined()
  })

  test('sends no event that a stream reads after losing access', async () => {
    start()
    let isAllowed = true
    const { read } = ownRead()
    const names = namesIn(
      await streams.follow(
        ownRead({
          isAllowed: async () => isAllowed,
          read: async (after) => {
            const batch = await read(after)
            if (batch.events.length > 0) isAllowed = false
            return batch
          },
        }),
      ),
    )
    await publish('a')
    await expect.poll(names).toEqual(['ready', 'ended:access'])
  })
})
