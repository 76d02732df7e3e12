import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../../context.ts'
import { publishIn } from '../../../events/publish.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { pauseBacklogged } from './backlog.ts'
import { claimDeliveries } from './claim.ts'
import { deliver } from './deliver.ts'

const LIMITS = { perWebhook: 10, perOrganization: 25 }

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.sql`delete from deliveries`
})

async function subscribe(webhooks = 1) {
  const { client, org } = await app.createOwner()
  const hooks: { id: string }[] = []
  for (let n = 0; n < webhooks; n++)
    hooks.push(
      await client.webhooks.create({ name: `Out ${n}`, url: app.receiver.url, events: ['key.created'] }),
    )
  const publish = async (events: number) => {
    for (let n = 0; n < events; n++)
      await publishIn(app.sql, org.id, app.clock.now(), { type: 'key.created', data: { n } })
  }
  const countDeliveries = async (...statuses: string[]) => {
    const [row] = await app.sql`
      select count(*)::int as count from deliveries where org_id = ${org.id} and status = any(${statuses}::text[])`
    return row!.count as number
  }
  const get = (index = 0) => client.webhooks.get({ id: hooks[index]!.id })
  const resume = () => client.webhooks.update({ id: hooks[0]!.id, status: 'active' })
  return { client, org, hooks, publish, countDeliveries, get, resume }
}

const sweep = (limits = LIMITS) => pauseBacklogged(app.app.system(), limits)

describe('a webhook with too many unfinished deliveries', () => {
  test('is paused, gets no new deliveries, and its owners are told', async () => {
    const { client, org, publish, countDeliveries, get } = await subscribe()
    await publish(9)
    await sweep()
    expect(await get()).toMatchObject({ status: 'active', pausedReason: null, pausedAt: null })
    await publish(1)
    await sweep()
    expect(await get()).toMatchObject({
      status: 'paused',
      enabled: false,
      pausedReason: 'backlog',
      pausedAt: expect.any(String),
    })
    await publish(5)
    await sweep()
    expect(await countDeliveries('held')).toBe(10)
    expect(await countDeliveries('pending')).toBe(0)
    const { items } = await client.webhooks.events({ type: 'webhook.paused' })
    expect(items).toHaveLength(1)
    const inbox = await app.sql`select title from notifications where org_id = ${org.id}`
    expect([...inbox]).toEqual([{ title: 'The webhook Out 0 was paused' }])
    const mails = await app.sql`select body from mails where subject = 'The webhook Out 0 was paused'`
    expect(mails).toHaveLength(1)
    const audit = await app.sql`select via from audit where org_id = ${org.id} and action = 'webhook.paused'`
    expect([...audit]).toEqual([{ via: 'system' }])
  })

  test('keeps the events it did not get for a replay', async () => {
    const { client, hooks, publish, countDeliveries, resume } = await subscribe()
    await publish(10)
    await sweep()
    await publish(1)
    const { items } = await client.webhooks.events({ type: 'key.created', limit: 1 })
    expect(await resume()).toMatchObject({ status: 'active', pausedReason: null, pausedAt: null })
    await client.webhooks.replay({ webhookId: hooks[0]!.id, eventIds: [items[0]!.id] })
    expect(await countDeliveries('pending')).toBe(11)
  })

  test('may have as many new deliveries after it is resumed', async () => {
    const { publish, get, resume } = await subscribe()
    await publish(10)
    await sweep()
    await resume()
    await sweep()
    app.clock.advance(1)
    await publish(9)
    await sweep()
    expect((await get()).status).toBe('active')
    await publish(1)
    await sweep()
    expect((await get()).pausedReason).toBe('backlog')
  })

  test('holds up to that many deliveries while a member has paused it', async () => {
    const { client, hooks, publish, countDeliveries, get } = await subscribe()
    await client.webhooks.update({ id: hooks[0]!.id, status: 'paused' })
    await publish(10)
    await sweep()
    expect((await get()).pausedReason).toBe('backlog')
    await publish(3)
    expect(await countDeliveries('held')).toBe(10)
  })

  test('forwards no received event, and keeps it', async () => {
    const { client } = await app.createOwner()
    const hook = await client.webhooks.create({ name: 'Out', url: app.receiver.url })
    const send = (id: number) => app.send(hook, { 'x-webhook-secret': hook.secret }, { id, type: 'x' })
    for (let id = 0; id < 10; id++) await send(id)
    await sweep()
    const { status, body } = await send(10)
    expect([status, body]).toMatchObject([202, { status: 'received' }])
    expect(await client.webhooks.event({ eventId: body.eventId })).toMatchObject({ deliveries: [] })
  })
})

test('an organization with too many deliveries loses failing webhooks first', async () => {
  const { publish, hooks, get, countDeliveries } = await subscribe(4)
  const other = await subscribe()
  await other.publish(5)
  await app.sql`update webhooks set failing_since = ${app.clock.now()} where id = ${hooks[2]!.id}`
  await publish(7)
  await sweep()
  const reasons = await Promise.all([0, 1, 2, 3].map(async (index) => (await get(index)).pausedReason))
  expect(reasons).toEqual([null, null, 'backlog', null])
  expect(await countDeliveries('pending')).toBe(21)
  expect((await other.get()).status).toBe('active')
})

describe('timeouts', () => {
  const TIMEOUT = {
    kind: 'failure',
    error: 'No response within 15 seconds',
    durationMs: 15_000,
    timedOut: true,
  } as const

  /** Attempts one delivery, which times out. */
  async function timeOut() {
    const now = app.clock.now()
    const [claimed] = await claimDeliveries(app.sql, {
      running: [],
      perWebhook: { working: 10, failing: 2 },
      perOrganization: 60,
      limit: 1,
      now,
      leasedUntil: new Date(now.getTime() + 30_000),
    })
    const ctx = app.app.system()
    await deliver(
      { ...ctx, outbound: { post: async () => TIMEOUT } as unknown as Context<'outbound'>['outbound'] },
      claimed!,
    )
  }

  test('pause a webhook after twenty in a row and fifteen minutes', async () => {
    const { hooks, publish, get, countDeliveries, resume } = await subscribe()
    await publish(22)
    for (let n = 0; n < 20; n++) await timeOut()
    expect((await get()).status).toBe('active')
    await app.sql`update webhooks set failing_since = failing_since - interval '15 minutes' where id = ${hooks[0]!.id}`
    await timeOut()
    expect(await get()).toMatchObject({ status: 'paused', pausedReason: 'timeouts' })
    expect(await countDeliveries('held')).toBe(22)
    await publish(1)
    expect(await countDeliveries('held')).toBe(23)
    await resume()
    expect(await countDeliveries('pending')).toBe(23)
    await timeOut()
    expect((await get()).status).toBe('active')
  })
})
