import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../database/database.ts'
import { publishIn } from '../../events/publish.ts'
import { insertRefusal } from '../../inbound/store-event.ts'
import { newId } from '../../security/ids.ts'
import { countReads, expectFewReads } from '../../testing/clients/reads.ts'
import { manyEvents, manyWebhooks } from '../../testing/factories/many-events.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { listAttempts, listDeliveries, listDeliveriesOfEvent } from './deliver/deliveries.ts'
import { claimDeliveries, recordAttempt } from './deliver/delivery-queries.ts'
import { retryDeliveries } from './deliver/retry-queries.ts'
import { listForwarded, listLogged } from './log/follow-queries.ts'
import { type EventList, findEvent, listEvents } from './log/log-queries.ts'
import { findWebhook, listWebhooks } from './queries.ts'
import { findReceiver, insertReceived, listReceiversOf } from './receive/receive-queries.ts'

/** What the statements cost among 10,000 events and their deliveries: PostgreSQL itself counts what each one reads. */

const EVENTS = 10_000
const LIMIT = 51
const TABLES = ['events', 'deliveries', 'delivery_attempts', 'webhooks', 'webhook_seen']

let app: TestApp
let orgId: string
let webhookId: string
const now = new Date()
beforeAll(async () => {
  app = await buildTestApp()
  const owner = await app.person(await app.organization(), { role: 'owner' })
  const stranger = await app.person(await app.organization())
  orgId = owner.orgId
  const client = await app.inBrowser(owner)
  webhookId = (await client.webhooks.create({ name: 'One', url: 'https://example.com/' })).id
  await client.webhooks.create({ name: 'Two', source: 'linear' })
  await manyWebhooks(app.sql, stranger, 2000)
  await manyEvents(app.sql, orgId, { webhookId, count: EVENTS, now })
  await app.sql`vacuum analyze events, deliveries, delivery_attempts, webhooks`
})
afterAll(() => app.close())

const eventId = (n: number) => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`
const deliveryId = (n: number) => eventId(n).replace('0', 'd')
const few = (most: number, run: (sql: Sql) => Promise<unknown>) => expectFewReads(app.sql, TABLES, most, run)
/** A row of a page is read by itself, with its webhook and its event, and where it is found as an entry of each status. */
const PAGE = 6 * LIMIT

describe('the log', () => {
  const list =
    (wanted: Partial<EventList> = {}) =>
    (sql: Sql) =>
      listEvents(sql, orgId, { webhookId: null, before: null, limit: LIMIT, ...wanted })

  test.each<[string, Partial<EventList>]>([
    ['as it is', {}],
    ['by a type', { type: 'order.paid' }],
    ['by the beginning of a type', { type: 'order.*' }],
    ['by the beginning of a type that nothing has', { type: 'nothing.*' }],
    ['by a status', { status: 'failed' }],
    ['by a status that nothing has', { status: 'rejected' }],
    ['by the direction', { direction: 'inbound' }],
    ['of a webhook', { webhookId: 'the' }],
  ])('is read %s without reading it all, at the start and in the depth', async (_name, wanted) => {
    const found = wanted.webhookId ? { webhookId } : wanted
    await few(PAGE, list(found))
    await few(PAGE, list({ ...found, before: eventId(EVENTS / 2) }))
  })

  test('is searched by any id with a few rows read', async () => {
    for (const search of [eventId(4711), deliveryId(4711), 'sent-4000', newId()])
      await few(10, list({ search }))
  })

  test('is followed by what is new', async () => {
    const [past] = await app.sql<{ seen: string }[]>`select pg_current_snapshot()::text as seen`
    for (let n = 0; n < 3; n++) await publishIn(app.sql, orgId, now, { type: 'key.created', data: {} })
    const [present] = await app.sql<{ seen: string }[]>`select pg_current_snapshot()::text as seen`
    const reading = { ...past!, upTo: present!.seen, after: null, since: new Date(now.getTime() - 60_000) }
    await few(12, (sql) => listLogged(sql, orgId, null, reading))
    await few(20, (sql) => listLogged(sql, orgId, webhookId, reading))
    await few(20, (sql) => listForwarded(sql, orgId, webhookId, reading))
  })
})

describe('deliveries', () => {
  const list = (status: 'failed' | undefined, before: string | null) => (sql: Sql) =>
    listDeliveries(sql, orgId, { webhookId, status, before, limit: LIMIT })

  test('are listed without reading them all, at the start and in the depth', async () => {
    for (const before of [null, deliveryId(EVENTS / 2)]) {
      await few(PAGE, list(undefined, before))
      await few(PAGE, list('failed', before))
    }
  })

  test('of one event are found with their attempts', async () => {
    await few(3, (sql) => findEvent(sql, orgId, eventId(4000)))
    await few(4, (sql) => listDeliveriesOfEvent(sql, orgId, eventId(4711)))
    await few(2, (sql) => listAttempts(sql, orgId, [deliveryId(4711)]))
    await few(10, (sql) => retryDeliveries(sql, orgId, { eventId: eventId(4002), deliveryId: null, now }))
  })

  test('that are due are taken up whatever else is stored', async () => {
    const claim = { running: new Map(), perWebhook: { working: 10, failing: 2 }, limit: 50 }
    const leasedUntil = new Date(now.getTime() + 30_000)
    await few(5, (sql) => claimDeliveries(sql, { ...claim, now, leasedUntil }))
    await app.sql`
      update deliveries set status = 'pending', next_attempt_at = ${now} where org_id = ${orgId} and id > ${deliveryId(EVENTS - 500)}`
    await few(200, (sql) => claimDeliveries(sql, { ...claim, now, leasedUntil }))
  })

  test('are done with a few rows read', () =>
    few(15, (sql) =>
      recordAttempt(sql, orgId, {
        id: deliveryId(4711),
        webhookId,
        eventId: eventId(4711),
        attempt: 1,
        succeeded: true,
        nextAttemptAt: null,
        request: { url: '', headers: {} },
        response: null,
        error: null,
        durationMs: 1,
        startedAt: now,
        now,
      }),
    ))
})

describe('one more event', () => {
  test('is received with a few rows read', async () => {
    const event = {
      type: 'x',
      verification: { scheme: null, result: 'valid' as const, reason: null },
      headers: {},
      now,
    }
    const receiver = { id: webhookId, version: 1 }
    await few(2, (sql) => findReceiver(sql, webhookId))
    await few(10, (sql) =>
      insertReceived(sql, orgId, receiver, { ...event, id: newId(), externalId: newId(), payload: {} }),
    )
    await few(10, (sql) =>
      insertReceived(sql, orgId, receiver, { ...event, id: newId(), externalId: 'again', payload: {} }),
    )
    await few(1, (sql) => insertRefusal(sql, orgId, { id: webhookId, source: 'custom' }, event))
    await few(2, (sql) => listReceiversOf(sql, 'linear'))
  })

  test('that happens here finds its webhooks with a few rows read', () =>
    few(10, (sql) => publishIn(sql, orgId, now, { type: 'key.created', data: {} })))
})

test('webhooks are listed with their health of a day, whatever happened before', async () => {
  await few(20, (sql) => listWebhooks(sql, orgId, now))
  await few(20, (sql) => findWebhook(sql, orgId, webhookId, now))
})

test('the count would show a statement that reads everything', async () => {
  const { scans, rows } = await countReads(
    app.sql,
    TABLES,
    (sql) => sql`select count(*) from events where payload = '1'`,
  )
  expect({ scans, rows: rows >= EVENTS }).toEqual({ scans: 1, rows: true })
})
