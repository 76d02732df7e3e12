import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hmac } from '../../../security/hmac.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { cookie } from '../../../testing/test-app.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

const newHook = async (options: { source?: string; url?: string } = {}) => {
  const { client, person } = await app.createOwner()
  const headers = cookie(await app.session(person))
  return { client, headers, hook: await client.webhooks.create({ name: 'In', ...options }) }
}
type Hook = Awaited<ReturnType<typeof newHook>>['hook']
const secretHeader = ({ secret }: Hook) => ({ 'x-webhook-secret': secret })
const generic = ({ secret }: Hook, body: string) => ({
  'x-webhook-signature': hmac('sha256', Buffer.from(secret), [body]).toString('hex'),
})
const shopify = ({ secret }: Hook, body: string, id: string) => ({
  'x-shopify-hmac-sha256': hmac('sha256', Buffer.from(secret), [body]).toString('base64'),
  'x-shopify-webhook-id': id,
  'x-shopify-topic': 'orders/paid',
})

describe('distinct events', () => {
  test.each([
    ['with ids that are equal as doubles', '{"id":9007199254740993}', '{"id":9007199254740992}'],
    ['about one resource', '{"id":77,"type":"order.created"}', '{"id":77,"type":"order.paid"}'],
    ['with an id as a number and as text', '{"id":77}', '{"id":"77"}'],
  ])('%s are both stored', async (_name, one, two) => {
    for (const headersOf of [secretHeader, generic]) {
      const { client, hook } = await newHook()
      for (const body of [one, two]) {
        expect(await app.send(hook, headersOf(hook, body), body)).toMatchObject({
          status: 202,
          body: { duplicate: false },
        })
      }
      expect((await app.send(hook, headersOf(hook, one), one)).body.duplicate).toBe(true)
      expect((await client.webhooks.eventsOf({ id: hook.id })).items).toHaveLength(2)
    }
  })

  test('are each stored for one Shopify order, and a repeated one is stored once', async () => {
    const { client, hook } = await newHook({ source: 'shopify' })
    const [created, paid] = [
      '{"id":820982911946154508,"paid":false}',
      '{"id":820982911946154508,"paid":true}',
    ]
    expect((await app.send(hook, shopify(hook, created, 'w-1'), created)).status).toBe(202)
    const second = await app.send(hook, shopify(hook, paid, 'w-2'), paid)
    expect(second.status).toBe(202)
    expect((await app.send(hook, shopify(hook, paid, 'w-2'), paid)).status).toBe(200)
    const event = await client.webhooks.event({ eventId: second.body.eventId })
    expect(event).toMatchObject({
      type: 'orders/paid',
      externalId: 'w-2',
      verification: { scheme: 'shopify' },
    })
  })

  test('are both stored for one body with two webhook-ids if the secret is presented', async () => {
    const { hook } = await newHook({ source: 'shop' })
    for (const id of ['1', '2']) {
      expect((await app.send(hook, { ...secretHeader(hook), 'webhook-id': id }, '{}')).status).toBe(202)
    }
  })
})

describe('received body', () => {
  const BODY =
    '{"id": 9007199254740993, "price":1.10,\n"b":1,"a":2, "10":0, "2":0, "e":1E400, "text":"\\u00e9\\/\\ud800\\u0000", "a":3}'

  test('is forwarded verbatim and can be read verbatim', async () => {
    const { client, hook } = await newHook({ url: app.receiver.url })
    const { body } = await app.send(hook, secretHeader(hook), BODY)
    await app.waitForStatus(client, body.eventId, 'delivered')
    const sent = app.receiver.requests.find(({ body: text }) => text.includes(body.eventId))!.body
    expect(sent.endsWith(`,"source":"custom","data":${BODY}}`)).toBe(true)
    expect(JSON.parse(sent)).toMatchObject({ id: body.eventId, type: 'custom', data: { a: 3 } })
    const event = await client.webhooks.event({ eventId: body.eventId })
    expect(event.body).toEqual({ encoding: 'utf8', content: BODY })
  })

  test('is shown with its numbers unchanged', async () => {
    const { headers, hook } = await newHook()
    const { body } = await app.send(hook, secretHeader(hook), BODY)
    for (const path of [`/api/v1/webhooks/events/${body.eventId}`, `/api/v1/webhooks/${hook.id}/events`]) {
      const { text } = await app.request('GET', path, { headers })
      for (const number of ['9007199254740993', '1.10', '1E400']) expect(text, path).toContain(`":${number},`)
    }
  })

  test('is forwarded as a string if not JSON, and read as base64 if not UTF-8', async () => {
    const { client, hook } = await newHook({ url: app.receiver.url })
    const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d])
    const response = await fetch(hook.receiveUrl, {
      method: 'POST',
      headers: secretHeader(hook),
      body: bytes,
    })
    const { eventId } = (await response.json()) as { eventId: string }
    await app.waitForStatus(client, eventId, 'delivered')
    const event = await client.webhooks.event({ eventId })
    expect(event.body).toEqual({ encoding: 'base64', content: bytes.toString('base64') })
    const sent = app.receiver.requests.find(({ body }) => body.includes(eventId))!.body
    expect(JSON.parse(sent).data).toBe('{\uFFFD\0}')
  })
})
