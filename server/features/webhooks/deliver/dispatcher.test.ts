import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { publishIn } from '../../../events/publish.ts'
import { newId } from '../../../security/ids.ts'
import { buildHooksApp, type HooksApp } from '../../../testing/clients/webhook-app.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'
import { claimDeliveries, recordAttempt } from './delivery-queries.ts'
import { releaseOrphanedDeliveries } from './leases.ts'

let app: HooksApp
beforeAll(async () => {
  app = await buildHooksApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Answer = Parameters<typeof startReceiver>[0]

async function hookTo(answer?: Answer) {
  const receiver = await startReceiver(answer)
  closers.push(receiver.close)
  const { client, org } = await app.owner()
  const hook = await client.webhooks.create({ name: 'Out', url: receiver.url })
  const happen = (type: 'key.created' | 'file.created' = 'key.created', data = {}) =>
    publishIn(app.sql, org.id, app.clock.now(), { type, data })
  const deliveries = async () => (await client.webhooks.deliveries({ id: hook.id })).items
  return { client, org, hook, receiver, happen, deliveries }
}
const caughtOf = ({ caught }: { caught: { body: string }[] }) =>
  caught.map(({ body }) => JSON.parse(body).data.n as number)

describe('order and fairness', () => {
  test('what was held goes out in the order in which it came, before what comes later', async () => {
    const { client, hook, receiver, happen } = await hookTo()
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    for (let n = 0; n < 30; n++) {
      await happen('key.created', { n })
      app.clock.advance(1)
    }
    await client.webhooks.update({ id: hook.id, status: 'active' })
    await expect.poll(() => receiver.caught.length).toBe(30)
    // Ten are on their way at once, so each arrives at most that much out of turn.
    for (const [index, n] of caughtOf(receiver).entries()) expect(Math.abs(index - n)).toBeLessThan(20)
  })

  test('an address where nothing gets through has two in hand, and others are not kept waiting by many of them', async () => {
    const hanging = await Promise.all(Array.from({ length: 4 }, () => hookTo(() => {})))
    for (const { org, happen } of hanging) {
      await app.sql`update webhooks set failing_since = ${app.clock.now()} where org_id = ${org.id}`
      for (let n = 0; n < 10; n++) await happen()
    }
    const good = await hookTo()
    await good.happen()
    await expect.poll(() => good.receiver.caught.length).toBe(1)
    for (const { receiver } of hanging) expect(receiver.caught.length).toBeLessThanOrEqual(2)
  })

  test('where hands are short, whoever has the fewest in hand comes first', async () => {
    const [busy, idle] = [await heldAt(), await heldAt()]
    const now = app.clock.now()
    // Unseen by those who deliver here: within a transaction, all of it earlier than anything of theirs.
    const taken = await app.sql.begin(async (sql) => {
      await sql`
        update deliveries set status = 'pending', next_attempt_at = '2000-01-01' where webhook_id in ${sql([busy, idle])}`
      await sql`update webhooks set status = 'active' where id in ${sql([busy, idle])}`
      const claimed = await claimDeliveries(sql, {
        running: new Map([[busy, 1]]),
        perWebhook: { working: 10, failing: 2 },
        limit: 1,
        now,
        leasedUntil: now,
      })
      await sql`update deliveries set status = 'canceled' where webhook_id in ${sql([busy, idle])}`
      return claimed
    })
    expect(taken.map(({ webhookId }) => webhookId)).toEqual([idle])
  })

  async function heldAt(): Promise<string> {
    const { client, hook, happen } = await hookTo()
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    await happen()
    return hook.id
  }
})

describe('at the same moment', () => {
  test('pausing, resuming and delivering do not get into each other’s way', async () => {
    const { client, hook, receiver, happen } = await hookTo()
    const busy = Array.from({ length: 100 }, (_, n) => happen('key.created', { n }))
    for (let n = 0; n < 6; n++) {
      await client.webhooks.update({ id: hook.id, status: n % 2 ? 'active' : 'paused' })
    }
    await Promise.all(busy)
    await expect.poll(() => new Set(caughtOf(receiver)).size).toBe(100)
    await expect
      .poll(() => app.sql`select from deliveries where webhook_id = ${hook.id} and status <> 'succeeded'`)
      .toHaveLength(0)
  })

  test('deleting a webhook does not break what it would have told', async () => {
    const { client, org, hook, happen } = await hookTo()
    const changes = Array.from({ length: 30 }, () => happen())
    await client.webhooks.remove({ id: hook.id })
    await Promise.all(changes)
    expect((await client.webhooks.events({ limit: 100 })).items).toHaveLength(30)
    expect(await app.sql`select from deliveries where org_id = ${org.id}`).toHaveLength(0)
  })

  test('asking for another attempt while one is under way is a conflict', async () => {
    let answer = () => {}
    const { client, receiver, happen, deliveries } = await hookTo((_caught, response) => {
      if (receiver.caught.length === 1) response.writeHead(500).end()
      else answer = () => response.end()
    })
    await happen()
    await expect.poll(async () => (await deliveries())[0]?.status).toBe('retrying')
    const { eventId } = (await deliveries())[0]!
    expect(await client.webhooks.retryEvent({ eventId })).toEqual({ retried: 1 })
    await expect.poll(() => receiver.caught.length).toBe(2)
    await expect(client.webhooks.retryEvent({ eventId })).rejects.toThrow('delivered or pending')
    answer()
    await app.becomes(client, eventId, 'delivered')
    expect(receiver.caught).toHaveLength(2)
  })
})

describe('an attempt', () => {
  /** A delivery that nobody here takes up, and what became of attempts at it. */
  async function aside() {
    const { client, org, hook } = await hookTo()
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    await publishIn(app.sql, org.id, app.clock.now(), { type: 'key.created', data: {} })
    const inHand = new Date(app.clock.now().getTime() + 30_000)
    const [row] = await app.sql<{ id: string; eventId: string }[]>`
      update deliveries set status = 'pending', attempt = 1, next_attempt_at = ${inHand}
      where org_id = ${org.id} returning id, event_id as "eventId"`
    const { id, eventId } = row!
    const attempted = (attempt: number, succeeded: boolean) =>
      recordAttempt(app.sql, org.id, {
        id,
        webhookId: hook.id,
        eventId,
        attempt,
        succeeded,
        nextAttemptAt: succeeded ? null : new Date(inHand.getTime() + 3_600_000),
        request: { url: hook.url, headers: {} },
        response: null,
        error: null,
        durationMs: 1,
        startedAt: app.clock.now(),
        now: app.clock.now(),
      })
    const delivery = async () => (await client.webhooks.event({ eventId })).deliveries[0]!
    return { client, org, hook, id, attempted, delivery, inHand }
  }

  test('that comes through late counts once, whoever else has taken it up', async () => {
    const { client, org, hook, attempted, delivery } = await aside()
    await app.sql`update deliveries set attempt = 2 where org_id = ${org.id}`
    await attempted(1, true)
    await attempted(2, false)
    await attempted(2, true)
    expect(await delivery()).toMatchObject({
      status: 'succeeded',
      attempts: [{ attempt: 1 }, { attempt: 2 }],
    })
    expect((await client.webhooks.get({ id: hook.id })).deliveryCount).toBe(1)
  })

  test('that fails late changes nothing that was decided', async () => {
    const { client, hook, attempted, delivery } = await aside()
    await client.webhooks.update({ id: hook.id, status: 'disabled' })
    await attempted(1, false)
    expect((await delivery()).status).toBe('canceled')
  })

  test('that was cut off is made again at the next start, and one that only waits is not', async () => {
    const { org, attempted, delivery, inHand } = await aside()
    const now = app.clock.now()
    await app.sql.begin(async (sql) => {
      await releaseOrphanedDeliveries(sql, now)
      const [row] = await sql`select next_attempt_at as at from deliveries where org_id = ${org.id}`
      expect(row!.at).toBe(now.toISOString())
      await sql`update deliveries set next_attempt_at = ${inHand} where org_id = ${org.id}`
    })
    await attempted(1, false)
    await releaseOrphanedDeliveries(app.sql, now)
    expect((await delivery()).nextAttemptAt).toBe(new Date(inHand.getTime() + 3_600_000).toISOString())
  })

  test('that was cut off in another process is made again half a minute later', async () => {
    const { org, delivery } = await aside()
    await app.sql`update webhooks set status = 'active' where org_id = ${org.id}`
    await app.later(31)
    await expect.poll(delivery).toMatchObject({ status: 'succeeded', attempts: [{ attempt: 2 }] })
  })

  test('that cannot be signed is written down with what to do', async () => {
    const { org, happen, deliveries } = await hookTo()
    await app.sql`update webhooks set secret_sealed = ${newId()} where org_id = ${org.id}`
    await happen()
    await expect
      .poll(async () => (await deliveries())[0])
      .toMatchObject({ status: 'retrying', attempt: 1, error: expect.stringContaining('rotate it') })
  })

  test.each<[string, Answer, string]>([
    [
      'redirects inside',
      (_caught, response) => response.writeHead(307, { location: 'http://127.0.0.1/' }).end(),
      'The endpoint responded with 307',
    ],
    [
      'hangs up',
      (_caught, response) => response.destroy(),
      'The connection was closed before the response was complete',
    ],
    [
      'asks to wait for years',
      (_caught, response) => response.writeHead(429, { 'retry-after': '9'.repeat(30) }).end(),
      'The endpoint responded with 429',
    ],
  ])(
    'at an address that %s is written down as such, and made again in seconds',
    async (_name, answer, error) => {
      const { happen, deliveries } = await hookTo(answer)
      await happen()
      await expect.poll(async () => (await deliveries())[0]).toMatchObject({ status: 'retrying', error })
      const { nextAttemptAt } = (await deliveries())[0]!
      expect(Date.parse(nextAttemptAt!) - app.clock.now().getTime()).toBeLessThanOrEqual(10_000)
    },
  )
})
