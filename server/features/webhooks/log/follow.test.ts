import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../database/transaction.ts'
import { publishIn } from '../../../events/publish.ts'
import { openEventStream } from '../../../testing/clients/live.ts'
import { buildHooksApp, type HooksApp } from '../../../testing/clients/webhook-app.ts'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../../testing/test-app.ts'

const LIVE = '/api/v1/webhooks/events/live'

let app: HooksApp
let other: TestApp
beforeAll(async () => {
  app = await buildHooksApp()
  other = await buildTestApp({ on: app.connection })
})
afterAll(async () => {
  await other.close()
  await app.close()
})

let org: Organization
let ada: Person
let client: Awaited<ReturnType<HooksApp['owner']>>['client']
let headers: Headers
beforeEach(async () => {
  const owner = await app.owner()
  org = owner.org
  ada = owner.person
  client = owner.client
  headers = bearer(await app.key(ada))
})

type Stream = Awaited<ReturnType<typeof openEventStream>>
const streams: Stream[] = []
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
})

interface How {
  path?: string
  from?: string
  on?: Pick<TestApp, 'url'>
  by?: Headers
}

async function follow({ path = LIVE, from, on = app, by = headers }: How = {}) {
  const stream = await openEventStream(on, path, { ...by, ...(from && { 'last-event-id': from }) })
  streams.push(stream)
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  return stream
}

const happen = (count: number, sql: Parameters<typeof publishIn>[0] = app.sql) =>
  publishIn(sql, org.id, app.clock.now(), { type: 'feedback.created', data: { count } })
const countsOf = (stream: Stream): number[] => stream.of('event').map(({ payload }) => payload.count)
const lastIdOf = (stream: Stream) => stream.events.at(-1)!.id!
const openStreams = async () =>
  Number(/^atrium_live_streams (\d+)$/m.exec((await app.request('GET', '/metrics')).text)![1])

describe('following the log', () => {
  test('tells what happens from now on, as the log has it, and nothing of other organizations', async () => {
    await happen(0)
    const stream = await follow()
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const stranger = await app.owner()
    await stranger.client.feedback.submit({ message: 'Elsewhere' })
    await happen(1)
    await happen(2)
    await expect.poll(() => countsOf(stream)).toEqual([1, 2])
    const [, first] = (await client.webhooks.events({})).items
    expect(stream.of('event')[0]).toEqual(first)
  })

  test('tells in one process what happens in another', async () => {
    const stream = await follow({ on: other })
    await happen(1)
    await expect.poll(() => countsOf(stream)).toEqual([1])
  })

  test('goes on where it was left, be it before anything was told', async () => {
    const quiet = await follow()
    await quiet.disconnect()
    await happen(1)
    const first = await follow({ from: lastIdOf(quiet) })
    await happen(2)
    await expect.poll(() => countsOf(first)).toEqual([1, 2])
    await first.disconnect()
    await happen(3)
    const second = await follow({ from: first.events.find(({ event }) => event === 'event')!.id, on: other })
    await happen(4)
    await expect.poll(() => countsOf(second)).toEqual([2, 3, 4])
  })

  test('leaves out and repeats nothing, though what began first is committed last', async () => {
    const stream = await follow()
    const slow = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const committed = inTransaction(app.sql, async (sql) => {
      await happen(1, sql)
      began.resolve()
      await slow.promise
    })
    await began.promise
    await happen(2)
    await expect.poll(() => countsOf(stream)).toEqual([2])
    await stream.disconnect()
    slow.resolve()
    await committed
    await happen(3)
    const resumed = await follow({ from: lastIdOf(stream) })
    await happen(4)
    await expect.poll(() => countsOf(resumed)).toEqual([1, 3, 4])
  })

  test('leaves out and repeats nothing, wherever it is cut off while much is going on', async () => {
    const told: number[] = []
    let from = lastIdOf(await follow())
    const all = Array.from({ length: 400 }, (_, index) => index)
    const writing = Promise.all(
      [0, 1, 2, 3].map(async (writer) => {
        for (const start of all.filter((count) => count % 40 === writer * 10)) {
          await inTransaction(app.sql, async (sql) => {
            for (const count of all.slice(start, start + 10)) await happen(count, sql)
          })
        }
      }),
    )
    while (told.length < all.length) {
      const stream = await follow({ from, on: told.length % 2 ? other : app })
      const had = told.length
      await expect.poll(() => stream.of('event').length, { interval: 5 }).toBeGreaterThan(0)
      await stream.disconnect()
      const some = stream.events.filter(({ event }) => event === 'event').slice(0, 77)
      told.push(...some.map(({ data }) => data.payload.count))
      from = some.at(-1)!.id!
      expect(told.length).toBeGreaterThan(had)
    }
    await writing
    expect(told.toSorted((one, next) => one - next)).toEqual(all)
  })

  test('takes a place that is nonsense, or of another organization, for the present', async () => {
    await happen(1)
    const stranger = await app.owner()
    const elsewhere = await follow({ by: bearer(await app.key(stranger.person)) })
    const place = lastIdOf(elsewhere)
    for (const from of ['one', '1/2/3', place, place.replace(/\d/, '0')]) {
      const stream = await follow({ from })
      await happen(2)
      await expect.poll(() => countsOf(stream)).toEqual([2])
      await stream.disconnect()
    }
  })

  test('can be of one webhook: what it received, and what it is to forward', async () => {
    const inbound = await client.webhooks.create({ name: 'In', source: 'shop' })
    const outbound = await client.webhooks.create({
      name: 'Out',
      url: app.receiver.url,
      events: ['feedback.*'],
    })
    const received = await follow({ path: `${LIVE}?webhookId=${inbound.id}` })
    const forwarded = await follow({ path: `${LIVE}?webhookId=${outbound.id}` })
    await app.send(inbound, { 'x-webhook-secret': inbound.secret }, { id: 'a', type: 'order' })
    await client.projects.create({ name: 'Launch' })
    await client.feedback.submit({ message: 'Hello' })
    await expect.poll(() => received.of('event').map(({ type }) => type)).toEqual(['order'])
    await expect.poll(() => forwarded.of('event').map(({ type }) => type)).toEqual(['feedback.created'])
    const stranger = bearer(await app.key((await app.owner()).person))
    const answer = await app.request('GET', `${LIVE}?webhookId=${inbound.id}`, { headers: stranger })
    expect(answer.status).toBe(404)
  })
})

describe('who may not see the log any more is let go at once, and told nothing more', () => {
  const ways: Record<string, () => Promise<{ by: Headers; leave: () => Promise<unknown> }>> = {
    'a key that was revoked': async () => {
      const key = await app.key(ada)
      return { by: bearer(key), leave: () => client.apiKeys.revoke({ id: key.id }) }
    },
    'somebody who signed out': async () => {
      const by = cookie(await app.session(ada))
      return { by, leave: () => app.request('POST', '/api/v1/auth/sign-out', { headers: by, body: {} }) }
    },
    'somebody who was removed from the organization': async () => {
      const person = await app.person(org)
      const leave = () => client.organization.removeMember({ userId: person.id })
      return { by: bearer(await app.key(person)), leave }
    },
  }

  test.each(Object.entries(ways))('%s', async (_name, way) => {
    const { by, leave } = await way()
    const stream = await follow({ by })
    await leave()
    await expect.poll(stream.hasEnded).toBe(true)
    expect(stream.of('event')).toEqual([])
    expect(stream.of('ended')).toEqual([{ reason: 'access' }])
  })
})

describe('listening to a webhook', () => {
  test('gives what it would send, with signatures that verify, and goes on where it was left', async () => {
    const hook = await client.webhooks.create({ name: 'Mine', events: ['feedback.*'] })
    const path = `/api/v1/webhooks/${hook.id}/listen`
    const stream = await follow({ path, on: other })
    await client.projects.create({ name: 'Launch' })
    await happen(1)
    await client.webhooks.test({ webhookId: hook.id })
    await app.send(hook, { 'x-webhook-secret': hook.secret }, { id: 'a', type: 'feedback.said' })
    await app.send(hook, { 'x-webhook-secret': hook.secret }, { id: 'b', type: 'other' })
    await expect
      .poll(() => stream.of('delivery').map(({ type }) => type))
      .toEqual(['feedback.created', 'webhook.test', 'feedback.said'])
    for (const { headers, body } of stream.of('delivery')) {
      expect(new Standard(hook.secret).verify(body, headers)).toMatchObject({ id: headers['webhook-id'] })
    }
    await stream.disconnect()
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    await happen(2)
    const resumed = await follow({ path, from: lastIdOf(stream) })
    await expect
      .poll(() => resumed.of('delivery').map(({ body }) => JSON.parse(body).data))
      .toEqual([{ count: 2 }])
  })

  test('ends with the webhook, and is refused while it is disabled', async () => {
    const hook = await client.webhooks.create({ name: 'Mine' })
    const path = `/api/v1/webhooks/${hook.id}/listen`
    const stream = await follow({ path })
    await client.webhooks.update({ id: hook.id, status: 'disabled' })
    await expect.poll(stream.hasEnded).toBe(true)
    expect(stream.of('ended')).toEqual([{ reason: 'access' }])
    const { status, body } = await app.request('GET', path, { headers })
    expect([status, body.error.message]).toEqual([409, 'This webhook is disabled: enable it first'])
    await client.webhooks.remove({ id: hook.id })
    expect((await app.request('GET', path, { headers })).status).toBe(404)
  })
})

test('readers who hang up leave nothing behind', async () => {
  const before = await openStreams()
  await Promise.all(Array.from({ length: 10 }, () => follow()))
  expect(await openStreams()).toBe(before + 10)
  await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
  await expect.poll(openStreams).toBe(0)
})
