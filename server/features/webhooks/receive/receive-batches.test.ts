import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBatchedStore } from '../../../inbound/store-event.ts'
import { newId } from '../../../security/ids.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { insertReceived } from './receivers.ts'

const storeBatched = createBatchedStore(insertReceived)
let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())

const eventOf = (webhookId: string, key: string, { version = 1, type = 'order.paid' } = {}) => ({
  id: newId(),
  receiver: { id: webhookId, version },
  type,
  externalId: key,
  deduplicationKey: key,
  verification: { scheme: 'token', result: 'valid' as const, reason: null },
  body: Buffer.from([0, 0xff, ...Buffer.from(key)]),
  headers: { 'x-key': key },
  now: app.clock.now(),
})

test('events that arrive together are stored in few transactions, each with its own outcome', async () => {
  const { client, org } = await app.createOwner()
  const active = await client.webhooks.create({ name: 'Active', url: app.receiver.url })
  const filtering = await client.webhooks.create({ name: 'Filtering', events: ['file.*'] })
  const paused = await client.webhooks.create({ name: 'Paused', url: app.receiver.url })
  const { version } = (
    await app.sql<{ version: number }[]>`
      update webhooks set status = 'paused', version = version + 1 where org_id = ${org.id} and id = ${paused.id}
      returning version`
  )[0]!
  const events = [
    // A statement of one event starts immediately; the rest waits for it, in order.
    eventOf(active.id, 'first'),
    eventOf(active.id, 'second'),
    eventOf(active.id, 'third'),
    eventOf(filtering.id, 'third', { type: 'user.created' }),
    eventOf(paused.id, 'third', { version }),
    eventOf(paused.id, 'outdated', { version: version - 1 }),
    eventOf(active.id, 'first'),
  ]
  const stored = await Promise.all(events.map((event) => storeBatched(app.sql, org.id, event)))

  const receivedEvent = (index: number, status = 'received') => ({
    eventId: events[index]!.id,
    status,
    isDuplicate: false,
  })
  expect(stored).toEqual([
    receivedEvent(0),
    receivedEvent(1),
    receivedEvent(2),
    receivedEvent(3, 'filtered'),
    receivedEvent(4, 'held'),
    null,
    { ...receivedEvent(0), isDuplicate: true },
  ])
  const rows = await app.sql<{ id: string; body: Uint8Array; headers: unknown; transaction: string }[]>`
    select id, body, headers, xmin::text as transaction from events where org_id = ${org.id} and direction = 'inbound'`
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(2)
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const { id, body, headers } of events.slice(0, 5)) {
    expect(byId.get(id)).toMatchObject({ headers })
    expect(body.equals(byId.get(id)!.body)).toBe(true)
  }
  expect(rows).toHaveLength(5)
  const usage = await app.sql<{ amount: number }[]>`
    select sum(amount)::int as amount from quota_usage where org_id = ${org.id} and quota = 'events'`
  expect(usage[0]!.amount).toBe((await app.sql`select from events where org_id = ${org.id}`).length)
  const deliveries = await app.sql<{ eventId: string; status: string }[]>`
    select event_id as "eventId", case status when 'held' then 'held' else 'due' end as status from deliveries
    where org_id = ${org.id} and event_id = any(${events.map(({ id }) => id)})`
  expect(new Map(deliveries.map(({ eventId, status }) => [eventId, status]))).toEqual(
    new Map([0, 1, 2, 4].map((index) => [events[index]!.id, index === 4 ? 'held' : 'due'])),
  )
})

test('an event that cannot be stored is refused, and those arriving with it are stored', async () => {
  const { client, org } = await app.createOwner()
  const { id } = await client.webhooks.create({ name: 'In' })
  const types = ['one', 'two', 'three', 'not storable: \0', 'four']
  const stored = await Promise.allSettled(
    types.map((type) => storeBatched(app.sql, org.id, eventOf(id, type.slice(0, 5), { type }))),
  )
  expect(stored.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
})

test("one organization's event is received while another's are blocked", async () => {
  const [busy, other] = [await app.createOwner(), await app.createOwner()]
  const blockedHook = await busy.client.webhooks.create({ name: 'Blocked' })
  const otherHook = await other.client.webhooks.create({ name: 'Other' })
  const send = (hook: typeof otherHook, id: number) =>
    app.send(hook, { 'x-webhook-secret': hook.secret }, { id })
  const listBlocked = () => app.sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const blocker = await app.sql.reserve()
  await blocker`begin`
  await blocker`select from webhooks where org_id = ${busy.org.id} and id = ${blockedHook.id} for update`
  const blocked = Promise.all(Array.from({ length: 30 }, (_, id) => send(blockedHook, id)))
  try {
    await expect.poll(async () => (await listBlocked()).length).toBe(1)
    expect((await send(otherHook, 1)).status).toBe(202)
    expect((await listBlocked()).length).toBe(1)
  } finally {
    await blocker`rollback`
    blocker.release()
  }
  expect((await blocked).map(({ status }) => status)).toEqual(Array(30).fill(202))
})
