import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import { newId } from '../../../security/ids.ts'
import { countReads } from '../../../testing/clients/reads.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'
import { type Claim, claimDeliveries } from './claim.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())

const BUSY_WEBHOOKS = 32
const EVENTS = 10

async function createSubscriber(url: string, webhooks = 1) {
  const { client, org } = await app.createOwner()
  const hooks = await Promise.all(
    Array.from({ length: webhooks }, () => client.webhooks.create({ name: 'Out', url })),
  )
  const publish = () => publishIn(app.sql, org.id, app.clock.now(), { type: 'key.created', data: {} })
  return { orgId: org.id, webhookId: hooks[0]!.id, client, publish }
}

const claim = (sql: Sql, options: Partial<Claim> = {}) =>
  claimDeliveries(sql, {
    running: [],
    perWebhook: { working: 10, failing: 2 },
    perOrganization: 60,
    limit: 50,
    now: app.clock.now(),
    leasedUntil: new Date(app.clock.now().getTime() + 30_000),
    ...options,
  })
const countOf = (claimed: readonly { orgId: string }[], orgId: string) =>
  claimed.filter((delivery) => delivery.orgId === orgId).length

describe('a claim', () => {
  test('serves organizations in turn, fewest running deliveries first', async () => {
    const busy = await createSubscriber(app.receiver.url, BUSY_WEBHOOKS)
    for (let n = 0; n < EVENTS; n++) await busy.publish()
    app.clock.advance(10)
    const other = await createSubscriber(app.receiver.url)
    await other.publish()
    await app.sql.begin(async (sql) => {
      const first = await claim(sql)
      expect([countOf(first, busy.orgId), countOf(first, other.orgId)]).toEqual([25, 1])
      await other.publish()
      const running = [{ orgId: busy.orgId, webhookId: busy.webhookId, count: 1 }]
      expect((await claim(sql, { limit: 1, running }))[0]!.orgId).toBe(other.orgId)
    })
  })

  test('leases up to its limit for one organization, even with many webhooks', async () => {
    await app.sql`truncate deliveries cascade`
    const busy = await createSubscriber(app.receiver.url, BUSY_WEBHOOKS)
    for (let n = 0; n < EVENTS; n++) await busy.publish()
    await app.sql.begin(async (sql) => {
      const running = [{ orgId: busy.orgId, webhookId: busy.webhookId, count: 5 }]
      expect(await claim(sql, { limit: 300, running })).toHaveLength(55)
      expect(await claim(sql, { perOrganization: 5, running })).toEqual([])
    })
  })

  test("leaves half an organization's slots to healthy webhooks and serves these first", async () => {
    await app.sql`truncate deliveries cascade`
    const { orgId, client, publish } = await createSubscriber(app.receiver.url, BUSY_WEBHOOKS)
    await app.sql`update webhooks set failing_since = now() where org_id = ${orgId}`
    const failing = await app.sql<{ id: string }[]>`select id from webhooks where org_id = ${orgId}`
    for (let n = 0; n < EVENTS; n++) await publish()
    app.clock.advance(10)
    const { id: working } = await client.webhooks.create({ name: 'Works', url: app.receiver.url })
    await publish()
    await app.sql.begin(async (sql) => {
      const webhookIds = (await claim(sql)).map(({ webhookId }) => webhookId)
      expect(webhookIds.filter((id) => id === working)).toHaveLength(1)
      expect(webhookIds.filter((id) => id !== working)).toHaveLength(30)
    })
    // The leases end, so that all deliveries are due again.
    app.clock.advance(31)
    const running = failing.slice(0, 15).map(({ id }) => ({ orgId, webhookId: id, count: 2 }))
    await app.sql.begin(async (sql) => {
      expect((await claim(sql, { running })).map(({ webhookId }) => webhookId)).toEqual([working])
    })
    app.clock.advance(31)
    await app.sql.begin(async (sql) => {
      const claimed = await claim(sql, { perOrganization: 2 })
      expect(claimed.map(({ webhookId }) => webhookId === working).toSorted()).toEqual([false, true])
    })
  })

  test("reads few rows from one organization's 100,000 due deliveries, with and without statistics", async () => {
    await app.sql`truncate deliveries cascade`
    const [busy, other] = [await createSubscriber(app.receiver.url), await createSubscriber(app.receiver.url)]
    await busy.publish()
    await insertDueDeliveries(busy, 100_000)
    for (const prepare of ['select', 'analyze deliveries']) {
      await app.sql.unsafe(prepare)
      app.clock.advance(60)
      await other.publish()
      const claimed: string[] = []
      const { scans, rows } = await countReads(app.sql, ['deliveries', 'webhooks', 'events'], async (sql) => {
        claimed.push(...(await claim(sql)).map(({ orgId }) => orgId))
      })
      expect(claimed.indexOf(other.orgId)).toBeLessThan(50)
      expect({ prepare, scans, isFew: rows < 300 }).toEqual({ prepare, scans: 0, isFew: true })
    }
  })

  /** Due deliveries of the event that was published first. Without foreign key checks, which take most of the time. */
  const insertDueDeliveries = ({ orgId, webhookId }: { orgId: string; webhookId: string }, count: number) =>
    app.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      await sql`
        insert into deliveries (org_id, id, event_id, event_type, event_direction, webhook_id, url, status, next_attempt_at, trigger, created_at)
        select org_id, lpad(to_hex(n), 32, '0')::uuid, event_id, event_type, event_direction, webhook_id, url, status, next_attempt_at,
          trigger, created_at
        from deliveries, generate_series(1, ${count}::int) n where org_id = ${orgId} and webhook_id = ${webhookId}`
    })
})

describe('the dispatcher', () => {
  test("makes one organization's first attempt while all of another's webhooks hang", async () => {
    await app.sql`truncate deliveries cascade`
    const hanging = await startReceiver(() => {})
    const busy = await createSubscriber(hanging.url, BUSY_WEBHOOKS)
    for (let n = 0; n < EVENTS; n++) await busy.publish()
    await app.app.startWorker()
    await expect.poll(() => hanging.requests.length).toBeGreaterThanOrEqual(60)
    const other = await createSubscriber(app.receiver.url)
    const before = app.receiver.requests.length
    await other.publish()
    await expect.poll(() => app.receiver.requests.length).toBe(before + 1)
    expect(hanging.requests.length).toBe(60)
    await hanging.close()
  })
})

test('publishing transactions do not wait for each other', async () => {
  const subscribers = await Promise.all(Array.from({ length: 4 }, () => createSubscriber(app.receiver.url)))
  // Each transaction stays open until all have published: a lock that they shared would block all but one.
  const allPublished = Promise.withResolvers<void>()
  let published = 0
  await Promise.all(
    subscribers.map(({ orgId }) =>
      app.app.system().transaction(async ({ sql, now }) => {
        await publishIn(sql, orgId, now(), { type: 'key.created', data: { keyId: newId() } })
        if (++published === subscribers.length) allPublished.resolve()
        await allPublished.promise
      }),
    ),
  )
  const [row] = await app.sql<{ count: number }[]>`
    select count(distinct org_id)::int as count from events where org_id = any(${subscribers.map(({ orgId }) => orgId)})`
  expect(row!.count).toBe(subscribers.length)
})
