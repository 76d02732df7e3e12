import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'

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

/** A webhook with an endpoint of its own, and one event sent to it. */
async function sendEvent(answer?: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(answer)
  closers.push(receiver.close)
  const { client, org, person } = await app.createOwner()
  const hook = await client.webhooks.create({ name: 'Out', url: receiver.url })
  const send = async (id: unknown) => {
    const answered = await app.send(hook, { 'x-webhook-secret': hook.secret }, { id, type: 'x' })
    return answered.body.eventId as string
  }
  const eventId = await send('first')
  const readEvent = () => client.webhooks.event({ eventId })
  const delivery = async () => (await readEvent()).deliveries[0]!
  const expectAttempts = (count: number) =>
    expect.poll(async () => (await delivery()).attempts.length).toBe(count)
  return { client, org, person, hook, receiver, send, eventId, readEvent, delivery, expectAttempts }
}

const failing = (status: number, headers = {}) =>
  ((_caught, response) => response.writeHead(status, headers).end('no')) satisfies Parameters<
    typeof startReceiver
  >[0]

/** Runs a check at the time of the server's clock: the libraries of receivers refuse signatures of another day. */
function atTimeOfServer(check: () => void) {
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now() })
  try {
    check()
  } finally {
    vi.useRealTimers()
  }
}

describe('failed deliveries', () => {
  test('are attempted eight times, with the same id and a new signature each time', async () => {
    const { receiver, expectAttempts, delivery, readEvent } = await sendEvent(failing(500))
    for (let attempt = 1; attempt < 8; attempt++) {
      await expectAttempts(attempt)
      await expect.poll(async () => (await delivery()).status).toBe('retrying')
      expect((await readEvent()).status).toBe('retrying')
      await app.advanceClock(
        (Date.parse((await delivery()).nextAttemptAt!) - app.clock.now().getTime()) / 1000 + 1,
      )
    }
    await expect.poll(async () => (await delivery()).status).toBe('failed')
    expect(await delivery()).toMatchObject({
      attempt: 8,
      retryCount: 7,
      nextAttemptAt: null,
      error: 'The endpoint responded with 500',
      response: { status: 500, body: 'no', truncated: false },
    })
    expect((await readEvent()).status).toBe('failed')
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-signature'])).size).toBe(8)
    const last = receiver.requests.at(-1)!
    const drift = Number(last.headers['webhook-timestamp']) - Date.now() / 1000
    expect(drift).toBeGreaterThan(60_000)
  })

  test('succeed when a later attempt succeeds', async () => {
    const { receiver, expectAttempts, readEvent } = await sendEvent(failing(503))
    await expectAttempts(1)
    receiver.answer((_caught, response) => response.end('ok'))
    await app.advanceClock(10)
    await expect.poll(async () => (await readEvent()).status).toBe('delivered')
  })

  test('are not retried before retry-after', async () => {
    const { delivery, expectAttempts } = await sendEvent(failing(429, { 'retry-after': '9' }))
    await expectAttempts(1)
    const { nextAttemptAt, attempts } = await delivery()
    const wait = Date.parse(nextAttemptAt!) - Date.parse(attempts[0]!.startedAt)
    expect(wait).toBeGreaterThanOrEqual(9000)
  })

  test('can be retried manually once, without restarting the schedule', async () => {
    const { client, receiver, eventId, delivery, expectAttempts } = await sendEvent(failing(410))
    await expectAttempts(1)
    await expect.poll(async () => (await delivery()).status).toBe('failed')
    await expect(client.webhooks.retryEvent({ eventId })).rejects.toThrow('paused or disabled')
    const { webhookId, id } = await delivery()
    await client.webhooks.update({ id: webhookId, status: 'active' })
    receiver.answer(failing(500))
    expect(await client.webhooks.retryEvent({ eventId, deliveryId: id })).toEqual({ retried: 1 })
    await expectAttempts(2)
    await expect.poll(async () => (await delivery()).status).toBe('failed')
    receiver.answer((_caught, response) => response.end())
    const since = new Date(app.clock.now().getTime() - 3_600_000).toISOString()
    expect(await client.webhooks.retryFailed({ id: webhookId, since })).toEqual({ retried: 1 })
    await app.waitForStatus(client, eventId, 'delivered')
    await expect(client.webhooks.retryEvent({ eventId })).rejects.toThrow('delivered')
  })
})

describe('automatic disabling', () => {
  test('disables a webhook on 410 immediately, and cancels its pending deliveries', async () => {
    const { client, hook, org, person, eventId } = await sendEvent(failing(410))
    await app.waitForStatus(client, eventId, 'failed')
    await expect.poll(async () => (await client.webhooks.get({ id: hook.id })).status).toBe('disabled')
    expect((await client.webhooks.get({ id: hook.id })).disabledReason).toBe(
      'The endpoint responded with 410 Gone',
    )
    const { items } = await client.webhooks.events({ type: 'webhook.disabled' })
    expect(items).toMatchObject([{ direction: 'internal', payload: { webhookId: hook.id } }])
    const mails = await app.sql`select recipient from mails where subject = 'The webhook Out was disabled'`
    expect(mails).toContainEqual({ recipient: person.email })
    const [entry] =
      await app.sql`select via from audit where org_id = ${org.id} and action = 'webhook.disabled'`
    expect(entry).toEqual({ via: 'system' })
  })

  test('disables a webhook after 120 hours without a successful delivery, not before', async () => {
    const { client, hook, send, expectAttempts } = await sendEvent(failing(500))
    await expectAttempts(1)
    app.clock.advance(119 * 3600)
    const second = await send('second')
    await expect
      .poll(async () => (await client.webhooks.event({ eventId: second })).deliveries[0]!.attempts.length)
      .toBe(1)
    expect((await client.webhooks.get({ id: hook.id })).status).toBe('active')
    app.clock.advance(2 * 3600)
    await send('third')
    await expect.poll(async () => (await client.webhooks.get({ id: hook.id })).status).toBe('disabled')
  })
})

describe('webhook deliveries', () => {
  test('are held while it is paused, and sent when it is active again', async () => {
    const { client, hook, receiver, send, eventId } = await sendEvent()
    await app.waitForStatus(client, eventId, 'delivered')
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    const heldId = await send('later')
    await app.waitForStatus(client, heldId, 'held')
    expect(receiver.requests).toHaveLength(1)
    await client.webhooks.update({ id: hook.id, status: 'active' })
    await app.waitForStatus(client, heldId, 'delivered')
    expect(receiver.requests).toHaveLength(2)
  })

  test('carry both signatures during a grace period, and only the new one afterwards', async () => {
    const { client, hook, receiver, eventId } = await sendEvent()
    await app.waitForStatus(client, eventId, 'delivered')
    const rotated = await client.webhooks.rotate({ id: hook.id, gracePeriodSeconds: 600 })
    const deliver = async (id: string) => {
      const event = await app.send(hook, { 'x-webhook-secret': rotated.secret }, { id })
      await app.waitForStatus(client, event.body.eventId, 'delivered')
      return receiver.requests.at(-1)!
    }
    const both = await deliver('both')
    expect(both.headers['webhook-signature']!.split(' ')).toHaveLength(2)
    atTimeOfServer(() => {
      new Standard(hook.secret).verify(both.body, both.headers)
      new Standard(rotated.secret).verify(both.body, both.headers)
    })
    app.clock.advance(601)
    const later = await deliver('later')
    atTimeOfServer(() => {
      expect(() => new Standard(hook.secret).verify(later.body, later.headers)).toThrow(
        'No matching signature',
      )
      new Standard(rotated.secret).verify(later.body, later.headers)
    })
  })

  test('include a test event that its filter excludes', async () => {
    const { client, hook, receiver } = await sendEvent()
    await client.webhooks.update({ id: hook.id, events: ['file.purged'] })
    const { eventId, deliveryId } = await client.webhooks.test({
      webhookId: hook.id,
      eventType: 'project.created',
    })
    await app.waitForStatus(client, eventId, 'delivered')
    expect(JSON.parse(receiver.requests.at(-1)!.body)).toMatchObject({
      id: eventId,
      type: 'project.created',
      source: 'atrium',
      data: { test: true, projectId: expect.any(String) },
    })
    const { items } = await client.webhooks.deliveries({ id: hook.id })
    expect(items.find(({ id }) => id === deliveryId)).toMatchObject({ trigger: 'test', status: 'succeeded' })
    await expect(client.webhooks.test({ webhookId: hook.id, eventType: 'nonsense' })).rejects.toThrow(
      'body.eventType',
    )
  })

  test('do not delay other webhooks when they hang', async () => {
    const hanging = await sendEvent(() => {})
    for (let count = 0; count < 30; count++) await hanging.send(count)
    await expect.poll(() => hanging.receiver.requests.length).toBe(10)
    const { client, eventId } = await sendEvent()
    await app.waitForStatus(client, eventId, 'delivered')
    expect(hanging.receiver.requests.length).toBe(10)
  })
})
