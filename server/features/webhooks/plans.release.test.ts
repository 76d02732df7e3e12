import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../database/database.ts'
import { publishIn } from '../../events/publish.ts'
import { insertRefusal } from '../../inbound/event-log.ts'
import { newId } from '../../security/ids.ts'
import { countReads, expectFewReads } from '../../testing/clients/reads.ts'
import { seedManyEvents, seedManyWebhooks, vacuumEvents } from '../../testing/factories/many-events.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { claimDeliveries } from './deliver/claim.ts'
import { listAttempts, listDeliveries, listDeliveriesOfEvent } from './deliver/deliveries.ts'
import { recordAttempt } from './deliver/record-attempt.ts'
import { retryDeliveries } from './deliver/retry.ts'
import { listForwardedEvents, listLoggedEvents } from './log/follow-queries.ts'
import { type EventList, findEvent, listEvents } from './log/log-queries.ts'
import { findWebhook, listWebhooks } from './queries.ts'
import {
  findReceiver,
  insertReceived,
  listReceiversOfAccount,
  listReceiversOfOtherAccounts,
} from './receive/receivers.ts'

/** The rows that each statement reads among 10,000 events and their deliveries, as counted by PostgreSQL. */

const EVENTS = 10_000
const LIMIT = 51
const TABLES = ['events', 'deliveries', 'delivery_attempts', 'webhook_quarters', 'webhooks', 'webhook_seen']

let app: TestApp
let orgId: string
let webhookId: string
const now = new Date()
beforeAll(async () => {
  app = await buildTestApp()
  const owner = await app.person(await app.organization(), { role: 'owner' })
  const outsider = await app.person(await app.organization())
  orgId = owner.orgId
  const client = await app.withSession(owner)
  webhookId = (await client.webhooks.create({ name: 'One', url: 'https://example.com/' })).id
  await client.webhooks.create({ name: 'Two', source: 'linear' })
  await seedManyWebhooks(app.sql, outsider, 2000)
  await seedManyEvents(app.sql, orgId, { webhookId, count: EVENTS, now })
  await vacuumEvents(app.sql)
})
afterAll(() => app.close())

const eventId = (n: number) => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`
const deliveryId = (n: number) => eventId(n).replace('0', 'd')
const expectRows = (max: number, run: (sql: Sql) => Promise<unknown>) =>
  expectFewReads(app.sql, TABLES, max, run)
/** Each row of a page is read with its webhook and its event, and once for each status index. */
const PAGE = 6 * LIMIT
/** The partition of this week has these rows, and is scanned as a whole. */
const PARTITION_ROWS = 3

const isEveryEventSettled = async () => {
  const [row] = await app.sql<{ isSettled: boolean }[]>`
    select max(recorded_in) < pg_snapshot_xmin(pg_current_snapshot()) as "isSettled" from events`
  return row!.isSettled
}

describe('event log query plans', () => {
  const list =
    (filter: Partial<EventList> = {}) =>
    (sql: Sql) =>
      listEvents(sql, orgId, { webhookId: null, before: null, limit: LIMIT, ...filter })

  test.each<[string, Partial<EventList>]>([
    ['without a filter', {}],
    ['by a type', { type: 'order.paid' }],
    ['by a type prefix', { type: 'order.*' }],
    ['by a type prefix without events', { type: 'nothing.*' }],
    ['by a status', { status: 'failed' }],
    ['by a status without events', { status: 'rejected' }],
    ['by the direction', { direction: 'inbound' }],
    ['of a webhook', { webhookId: 'the' }],
  ])('read one page %s, at the start and at depth', async (_name, filter) => {
    const filters = filter.webhookId ? { webhookId } : filter
    await expectRows(PAGE, list(filters))
    await expectRows(PAGE, list({ ...filters, before: eventId(EVENTS / 2) }))
  })

  test('read a few rows for a search by any id', async () => {
    for (const search of [eventId(4711), deliveryId(4711), 'sent-4000', newId()])
      await expectRows(10, list({ search }))
  })

  test('read only new events for a stream', async () => {
    // Snapshots span the cluster: a transaction of another test that is still open keeps earlier events unsettled.
    await expect.poll(isEveryEventSettled).toBe(true)
    const [past] = await app.sql<{ seen: string }[]>`select pg_current_snapshot()::text as seen`
    for (let n = 0; n < 3; n++) await publishIn(app.sql, orgId, now, { type: 'key.created', data: {} })
    const [present] = await app.sql<{ seen: string }[]>`select pg_current_snapshot()::text as seen`
    const reading = { ...past!, upTo: present!.seen, after: null, since: new Date(now.getTime() - 60_000) }
    await expectRows(12, (sql) => listLoggedEvents(sql, orgId, null, reading))
    await expectRows(20, (sql) => listLoggedEvents(sql, orgId, webhookId, reading))
    await expectRows(20, (sql) => listForwardedEvents(sql, orgId, webhookId, reading))
  })
})

describe('delivery query plans', () => {
  const list = (status: 'failed' | undefined, before: string | null) => (sql: Sql) =>
    listDeliveries(sql, orgId, { webhookId, status, before, limit: LIMIT })

  test('read one page, at the start and at depth', async () => {
    for (const before of [null, deliveryId(EVENTS / 2)]) {
      await expectRows(PAGE, list(undefined, before))
      await expectRows(PAGE, list('failed', before))
    }
  })

  test("read one event's deliveries and attempts", async () => {
    await expectRows(3, (sql) => findEvent(sql, orgId, eventId(4000), orgId))
    await expectRows(4 + PARTITION_ROWS, (sql) => listDeliveriesOfEvent(sql, orgId, eventId(4711)))
    await expectRows(2, (sql) => listAttempts(sql, orgId, [deliveryId(4711)]))
    await expectRows(10 + 2 * PARTITION_ROWS, (sql) =>
      retryDeliveries(sql, orgId, { eventId: eventId(4002), deliveryId: null, now }),
    )
  })

  test('read only due deliveries for a claim', async () => {
    const claim = { running: [], perWebhook: { working: 10, failing: 2 }, perOrganization: 60, limit: 50 }
    const leasedUntil = new Date(now.getTime() + 30_000)
    await expectRows(5 + 3 * PARTITION_ROWS, (sql) => claimDeliveries(sql, { ...claim, now, leasedUntil }))
    await app.sql`
      update deliveries set status = 'pending', next_attempt_at = ${now} where org_id = ${orgId} and id > ${deliveryId(EVENTS - 500)}`
    await expectRows(200, (sql) => claimDeliveries(sql, { ...claim, now, leasedUntil }))
  })

  test('read a few rows to record an attempt', () =>
    expectRows(15, (sql) =>
      recordAttempt(sql, orgId, {
        id: deliveryId(4711),
        webhookId,
        eventId: eventId(4711),
        attempt: 1,
        succeeded: true,
        timedOut: false,
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

describe('new event query plans', () => {
  test('read a few rows to receive an event', async () => {
    const event = {
      type: 'x',
      externalId: 'x',
      body: Buffer.from('{}'),
      verification: { scheme: null, result: 'valid' as const, reason: null },
      headers: {},
      now,
    }
    const receiver = { id: webhookId, version: 1 }
    await expectRows(2, (sql) => findReceiver(sql, webhookId))
    await expectRows(10, (sql) =>
      insertReceived(sql, orgId, [{ ...event, receiver, id: newId(), deduplicationKey: newId() }]),
    )
    await expectRows(10, (sql) =>
      insertReceived(sql, orgId, [{ ...event, receiver, id: newId(), deduplicationKey: 'again' }]),
    )
    await expectRows(1, (sql) => insertRefusal(sql, orgId, { id: webhookId, source: 'custom' }, event))
    await expectRows(2, (sql) => listReceiversOfAccount(sql, 'no account'))
    await expectRows(4, (sql) => listReceiversOfOtherAccounts(sql, 'no account'))
  })

  test('read a few rows to publish an event', () =>
    expectRows(10, (sql) => publishIn(sql, orgId, now, { type: 'key.created', data: {} })))
})

test('the webhook list reads a few counts of a webhook with many attempts', async () => {
  await app.sql`
    insert into delivery_attempts (org_id, delivery_id, attempt, webhook_id, succeeded, started_at, duration_ms, request)
    select ${orgId}, gen_random_uuid(), 1, ${webhookId}, true, ${now}::timestamptz - n * interval '16 seconds', 5, '{}'
    from generate_series(1, 5000) n`
  await vacuumEvents(app.sql)
  await expectRows(120, (sql) => listWebhooks(sql, orgId, now))
  await expectRows(120, (sql) => findWebhook(sql, orgId, webhookId, now))
})

test('the counter detects a statement that reads the whole table', async () => {
  const { scans, rows } = await countReads(
    app.sql,
    TABLES,
    (sql) => sql`select count(*) from events where payload = '1'`,
  )
  expect({ scans, rows: rows >= EVENTS }).toEqual({ scans: 1, rows: true })
})
