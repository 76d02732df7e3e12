import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../database/transaction.ts'
import { publishIn } from '../../../events/publish.ts'
import { openEventStream } from '../../../testing/clients/live.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../../testing/test-app.ts'

const LIVE = '/api/v1/webhooks/events/live'

let app: WebhookApp
let other: TestApp
beforeAll(async () => {
  app = await buildWebhookApp()
  other = await buildTestApp({ on: app.connection })
})
afterAll(async () => {
  await other.close()
  await app.close()
})

let org: Organization
let ada: Person
let client: Awaited<ReturnType<WebhookApp['createOwner']>>['client']
let headers: Headers
beforeEach(async () => {
  const owner = await app.createOwner()
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

interface FollowOptions {
  path?: string
  from?: string
  on?: Pick<TestApp, 'url'>
  by?: Headers
}

async function follow({ path = LIVE, from, on = app, by = headers }: FollowOptions = {}) {
  const stream = await openEventStream(on, path, { ...by, ...(from && { 'last-event-id': from }) })
  streams.push(stream)
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  return stream
}

const publish = (count: number, sql: Parameters<typeof publishIn>[0] = app.sql) =>
  publishIn(sql, org.id, app.clock.now(), { type: 'feedback.created', data: { count } })
const countsOf = (stream: Stream): number[] => stream.of('event').map(({ payload }) => payload.count)
const lastIdOf = (stream: Stream) => stream.events.at(-1)!.id!
const countOpenStreams = async () =>
  Number(/^atrium_live_streams (\d+)$/m.exec((await app.request('GET', '/metrics')).text)![1])

describe('GET /webhooks/events/live', () => {
  test('streams new events as the log lists them, and none from other organizations', async () => {
    await publish(0)
    const stream = await follow()
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const stranger = await app.createOwner()
    await stranger.client.feedback.submit({ message: 'Elsewhere' })
    await publish(1)
    await publish(2)
    await expect.poll(() => countsOf(stream)).toEqual([1, 2])
    const [, listed] = (await client.webhooks.events({})).items
    const { actor: _actor, subject: _subject, ...first } = listed!
    expect(stream.of('event')[0]).toEqual(first)
  })

  test("streams another process's events", async () => {
    const stream = await follow({ on: other })
    await publish(1)
    await expect.poll(() => countsOf(stream)).toEqual([1])
  })

  test('resumes after the last event, or after `ready` if there was none', async () => {
    const idle = await follow()
    await idle.disconnect()
    await publish(1)
    const first = await follow({ from: lastIdOf(idle) })
    await publish(2)
    await expect.poll(() => countsOf(first)).toEqual([1, 2])
    await first.disconnect()
    await publish(3)
    const second = await follow({ from: first.events.find(({ event }) => event === 'event')!.id, on: other })
    await publish(4)
    await expect.poll(() => countsOf(second)).toEqual([2, 3, 4])
  })

  test('neither skips nor repeats an event if its transaction begins first and commits last', async () => {
    const stream = await follow()
    const slow = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const committed = inTransaction(app.sql, async (sql) => {
      await publish(1, sql)
      began.resolve()
      await slow.promise
    })
    await began.promise
    await publish(2)
    await expect.poll(() => countsOf(stream)).toEqual([2])
    await stream.disconnect()
    slow.resolve()
    await committed
    await publish(3)
    const resumed = await follow({ from: lastIdOf(stream) })
    await publish(4)
    await expect.poll(() => countsOf(resumed)).toEqual([1, 3, 4])
  })

  test('neither skips nor repeats an event, wherever it is interrupted during concurrent writes', async () => {
    const received: number[] = []
    let from = lastIdOf(await follow())
    const all = Array.from({ length: 400 }, (_, index) => index)
    const writing = Promise.all(
      [0, 1, 2, 3].map(async (writer) => {
        for (const start of all.filter((count) => count % 40 === writer * 10)) {
          await inTransaction(app.sql, async (sql) => {
            for (const count of all.slice(start, start + 10)) await publish(count, sql)
          })
        }
      }),
    )
    while (received.length < all.length) {
      const stream = await follow({ from, on: received.length % 2 ? other : app })
      const countBefore = received.length
      await expect.poll(() => stream.of('event').length, { interval: 5 }).toBeGreaterThan(0)
      await stream.disconnect()
      const batch = stream.events.filter(({ event }) => event === 'event').slice(0, 77)
      received.push(...batch.map(({ data }) => data.payload.count))
      from = batch.at(-1)!.id!
      expect(received.length).toBeGreaterThan(countBefore)
    }
    await writing
    expect(received.toSorted((one, next) => one - next)).toEqual(all)
  })

  test('starts at the present for a malformed or foreign cursor', async () => {
    await publish(1)
    const stranger = await app.createOwner()
    const otherOrgStream = await follow({ by: bearer(await app.key(stranger.person)) })
    const cursor = lastIdOf(otherOrgStream)
    for (const from of ['one', '1/2/3', cursor, cursor.replace(/\d/, '0')]) {
      const stream = await follow({ from })
      await publish(2)
      await expect.poll(() => countsOf(stream)).toEqual([2])
      await stream.disconnect()
    }
  })

  test('filters by webhook: the events it received and those it forwards', async () => {
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
    const stranger = bearer(await app.key((await app.createOwner()).person))
    const answer = await app.request('GET', `${LIVE}?webhookId=${inbound.id}`, { headers: stranger })
    expect(answer.status).toBe(404)
  })
})

describe('event stream', () => {
  const revocations: Record<string, () => Promise<{ by: Headers; revoke: () => Promise<unknown> }>> = {
    'a revoked API key': async () => {
      const key = await app.key(ada)
      return { by: bearer(key), revoke: () => client.apiKeys.revoke({ id: key.id }) }
    },
    'a session that signed out': async () => {
      const by = cookie(await app.session(ada))
      return { by, revoke: () => app.request('POST', '/api/v1/auth/sign-out', { headers: by, body: {} }) }
    },
    'a member who was removed from the organization': async () => {
      const person = await app.person(org)
      const revoke = () => client.organization.removeMember({ userId: person.id })
      return { by: bearer(await app.key(person)), revoke }
    },
  }

  test.each(Object.entries(revocations))('ends immediately for %s', async (_name, prepare) => {
    const { by, revoke } = await prepare()
    const stream = await follow({ by })
    await revoke()
    await expect.poll(stream.hasEnded).toBe(true)
    expect(stream.of('event')).toEqual([])
    expect(stream.of('ended')).toEqual([{ reason: 'access' }])
  })
})

describe('GET /webhooks/:id/listen', () => {
  test("streams the webhook's deliveries with valid signatures, and resumes", async () => {
    const hook = await client.webhooks.create({ name: 'Mine', events: ['feedback.*'] })
    const path = `/api/v1/webhooks/${hook.id}/listen`
    const stream = await follow({ path, on: other })
    await client.projects.create({ name: 'Launch' })
    await publish(1)
    await client.webhooks.test({ webhookId: hook.id })
    await app.send(hook, { 'x-webhook-secret': hook.secret }, { id: 'a', type: 'feedback.sent' })
    await app.send(hook, { 'x-webhook-secret': hook.secret }, { id: 'b', type: 'other' })
    await expect
      .poll(() => stream.of('delivery').map(({ type }) => type))
      .toEqual(['feedback.created', 'webhook.test', 'feedback.sent'])
    for (const { headers, body } of stream.of('delivery')) {
      expect(new Standard(hook.secret).verify(body, headers)).toMatchObject({ id: headers['webhook-id'] })
    }
    await stream.disconnect()
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    await publish(2)
    const resumed = await follow({ path, from: lastIdOf(stream) })
    await expect
      .poll(() => resumed.of('delivery').map(({ body }) => JSON.parse(body).data))
      .toEqual([{ count: 2 }])
  })

  test('ends when the webhook is disabled, and is refused until it is enabled', async () => {
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

test('a client that disconnects leaves no stream behind', async () => {
  const before = await countOpenStreams()
  await Promise.all(Array.from({ length: 10 }, () => follow()))
  expect(await countOpenStreams()).toBe(before + 10)
  await Promise.all(streams.splice(0).map((stream) => stream.disconnect()))
  await expect.poll(countOpenStreams).toBe(0)
})
