import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { publishIn } from '../../../events/publish.ts'
import { newId } from '../../../security/ids.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'
import { claimDeliveries, releaseOrphanedDeliveries } from './claim.ts'
import { recordAttempt } from './record-attempt.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Answer = Parameters<typeof startReceiver>[0]

async function createHookTo(answer?: Answer) {
  const receiver = await startReceiver(answer)
  closers.push(receiver.close)
  const { client, org } = await app.createOwner()
  const hook = await client.webhooks.create({ name: 'Out', url: receiver.url })
  const publishEvent = (type: 'key.created' | 'file.created' = 'key.created', data = {}) =>
    publishIn(app.sql, org.id, app.clock.now(), { type, data })
  const deliveries = async () => (await client.webhooks.deliveries({ id: hook.id })).items
  return { client, org, hook, receiver, publishEvent, deliveries }
}
const sequenceOf = ({ requests }: { requests: { body: string }[] }) =>
  requests.map(({ body }) => JSON.parse(body).data.n as number)

describe('dispatcher: order and fairness', () => {
  test('delivers held events in creation order, before later ones', async () => {
    const { client, hook, receiver, publishEvent } = await createHookTo()
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    for (let n = 0; n < 30; n++) {
      await publishEvent('key.created', { n })
      app.clock.advance(1)
    }
    await client.webhooks.update({ id: hook.id, status: 'active' })
    await expect.poll(() => receiver.requests.length).toBe(30)
    // Ten deliveries run in parallel, so each can arrive that much out of order.
    for (const [index, n] of sequenceOf(receiver).entries()) expect(Math.abs(index - n)).toBeLessThan(20)
  })

  test("attempts two of a failing webhook's deliveries in parallel, without delaying other webhooks", async () => {
    const hanging = await Promise.all(Array.from({ length: 4 }, () => createHookTo(() => {})))
    for (const { org, publishEvent } of hanging) {
      await app.sql`update webhooks set failing_since = ${app.clock.now()} where org_id = ${org.id}`
      for (let n = 0; n < 10; n++) await publishEvent()
    }
    const working = await createHookTo()
    await working.publishEvent()
    await expect.poll(() => working.receiver.requests.length).toBe(1)
    for (const { receiver } of hanging) expect(receiver.requests.length).toBeLessThanOrEqual(2)
  })

  test('claims for the webhook with the fewest running deliveries when capacity is short', async () => {
    const [busy, idle] = [await insertPausedWebhook(), await insertPausedWebhook()]
    const now = app.clock.now()
    // In a transaction, so that the running dispatcher does not see it; due before everything else.
    const claims = await app.sql.begin(async (sql) => {
      await sql`
        update deliveries set status = 'pending', next_attempt_at = '2000-01-01' where webhook_id = any(${[busy, idle]})`
      await sql`update webhooks set status = 'active' where id = any(${[busy, idle]})`
      const claimed = await claimDeliveries(sql, {
        running: [{ orgId: await orgOf(busy), webhookId: busy, count: 1 }],
        perWebhook: { working: 10, failing: 2 },
        perOrganization: 60,
        limit: 1,
        now,
        leasedUntil: now,
      })
      await sql`update deliveries set status = 'canceled' where webhook_id = any(${[busy, idle]})`
      return claimed
    })
    expect(claims.map(({ webhookId }) => webhookId)).toEqual([idle])
  })

  const orgOf = async (id: string) =>
    (await app.sql<{ orgId: string }[]>`select org_id as "orgId" from webhooks where id = ${id}`)[0]!.orgId

  async function insertPausedWebhook(): Promise<string> {
    const { client, hook, publishEvent } = await createHookTo()
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    await publishEvent()
    return hook.id
  }
})

describe('dispatcher: concurrency', () => {
  test('delivers every event once while the webhook is paused and resumed', async () => {
    const { client, hook, receiver, publishEvent } = await createHookTo()
    const busy = Array.from({ length: 100 }, (_, n) => publishEvent('key.created', { n }))
    for (let n = 0; n < 6; n++) {
      await client.webhooks.update({ id: hook.id, status: n % 2 ? 'active' : 'paused' })
    }
    await Promise.all(busy)
    await expect.poll(() => new Set(sequenceOf(receiver)).size).toBe(100)
    await expect
      .poll(() => app.sql`select from deliveries where webhook_id = ${hook.id} and status <> 'succeeded'`)
      .toHaveLength(0)
  })

  test('publishes events while a subscribed webhook is deleted', async () => {
    const { client, org, hook, publishEvent } = await createHookTo()
    const changes = Array.from({ length: 30 }, () => publishEvent())
    await client.webhooks.remove({ id: hook.id })
    await Promise.all(changes)
    expect((await client.webhooks.events({ limit: 100 })).items).toHaveLength(30)
    expect(await app.sql`select from deliveries where org_id = ${org.id}`).toHaveLength(0)
  })

  test('refuses a retry while an attempt is running', async () => {
    let answer = () => {}
    const { client, receiver, publishEvent, deliveries } = await createHookTo((_caught, response) => {
      if (receiver.requests.length === 1) response.writeHead(500).end()
      else answer = () => response.end()
    })
    await publishEvent()
    await expect.poll(async () => (await deliveries())[0]?.status).toBe('retrying')
    const { eventId } = (await deliveries())[0]!
    expect(await client.webhooks.retryEvent({ eventId })).toEqual({ retried: 1 })
    await expect.poll(() => receiver.requests.length).toBe(2)
    await expect(client.webhooks.retryEvent({ eventId })).rejects.toThrow('delivered or pending')
    answer()
    await app.waitForStatus(client, eventId, 'delivered')
    expect(receiver.requests).toHaveLength(2)
  })
})

describe('recorded attempts', () => {
  /** A leased delivery that the dispatcher of this process does not claim. */
  async function insertLeasedDelivery() {
    const { client, org, hook } = await createHookTo()
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    await publishIn(app.sql, org.id, app.clock.now(), { type: 'key.created', data: {} })
    const leasedUntil = new Date(app.clock.now().getTime() + 30_000)
    const [row] = await app.sql<{ id: string; eventId: string }[]>`
      update deliveries set status = 'pending', attempt = 1, next_attempt_at = ${leasedUntil}
      where org_id = ${org.id} returning id, event_id as "eventId"`
    const { id, eventId } = row!
    const record = (attempt: number, succeeded: boolean) =>
      recordAttempt(app.sql, org.id, {
        id,
        webhookId: hook.id,
        eventId,
        attempt,
        succeeded,
        timedOut: false,
        nextAttemptAt: succeeded ? null : new Date(leasedUntil.getTime() + 3_600_000),
        request: { url: hook.url, headers: {} },
        response: null,
        error: null,
        durationMs: 1,
        startedAt: app.clock.now(),
        now: app.clock.now(),
      })
    const delivery = async () => (await client.webhooks.event({ eventId })).deliveries[0]!
    return { client, org, hook, id, record, delivery, leasedUntil }
  }

  test('count a late success once, although another process has claimed the delivery', async () => {
    const { client, org, hook, record, delivery } = await insertLeasedDelivery()
    await app.sql`update deliveries set attempt = 2 where org_id = ${org.id}`
    await record(1, true)
    await record(2, false)
    await record(2, true)
    expect(await delivery()).toMatchObject({
      status: 'succeeded',
      attempts: [{ attempt: 1 }, { attempt: 2 }],
    })
    expect((await client.webhooks.get({ id: hook.id })).deliveryCount).toBe(1)
  })

  test('do not change a canceled delivery when they fail late', async () => {
    const { client, hook, record, delivery } = await insertLeasedDelivery()
    await client.webhooks.update({ id: hook.id, status: 'disabled' })
    await record(1, false)
    expect((await delivery()).status).toBe('canceled')
  })

  test('are repeated at the next start if the process was killed, unlike scheduled retries', async () => {
    const { org, record, delivery, leasedUntil } = await insertLeasedDelivery()
    const now = app.clock.now()
    await app.sql.begin(async (sql) => {
      await releaseOrphanedDeliveries(sql, now)
      const [row] = await sql`select next_attempt_at as at from deliveries where org_id = ${org.id}`
      expect(row!.at).toBe(now.toISOString())
      await sql`update deliveries set next_attempt_at = ${leasedUntil} where org_id = ${org.id}`
    })
    await record(1, false)
    await releaseOrphanedDeliveries(app.sql, now)
    expect((await delivery()).nextAttemptAt).toBe(new Date(leasedUntil.getTime() + 3_600_000).toISOString())
  })

  test("are repeated when a killed process's lease expires", async () => {
    const { org, delivery } = await insertLeasedDelivery()
    await app.sql`update webhooks set status = 'active' where org_id = ${org.id}`
    await app.advanceClock(31)
    await expect.poll(delivery).toMatchObject({ status: 'succeeded', attempts: [{ attempt: 2 }] })
  })

  test('name the remedy when the secret cannot be decrypted', async () => {
    const { org, publishEvent, deliveries } = await createHookTo()
    await app.sql`update webhooks set secret_sealed = ${newId()} where org_id = ${org.id}`
    await publishEvent()
    await expect
      .poll(async () => (await deliveries())[0])
      .toMatchObject({ status: 'retrying', attempt: 1, error: expect.stringContaining('rotate it') })
  })

  test.each<[string, Answer, string]>([
    [
      'redirects to loopback',
      (_caught, response) => response.writeHead(307, { location: 'http://127.0.0.1/' }).end(),
      'The endpoint responded with 307',
    ],
    [
      'closes the connection',
      (_caught, response) => response.destroy(),
      'The connection was closed before the response was complete',
    ],
    [
      'sends a retry-after of years',
      (_caught, response) => response.writeHead(429, { 'retry-after': '9'.repeat(30) }).end(),
      'The endpoint responded with 429',
    ],
  ])(
    'have the error and are retried within seconds for an endpoint that %s',
    async (_name, answer, error) => {
      const { publishEvent, deliveries } = await createHookTo(answer)
      await publishEvent()
      await expect.poll(async () => (await deliveries())[0]).toMatchObject({ status: 'retrying', error })
      const { nextAttemptAt } = (await deliveries())[0]!
      expect(Date.parse(nextAttemptAt!) - app.clock.now().getTime()).toBeLessThanOrEqual(10_000)
    },
  )
})
