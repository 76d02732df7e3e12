import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hmac } from '../../../security/hmac.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { signAsStripe } from '../../../testing/fakes/sender-signatures.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())

const secretHeader = ({ secret }: { secret: string }) => ({ 'x-webhook-secret': secret })
const newHook = async (options: { source?: string; secret?: string } = {}) => {
  const { client, org } = await app.createOwner()
  return { client, org, hook: await client.webhooks.create({ name: 'In', ...options }) }
}
const hex = (secret: string, body: string) => hmac('sha256', Buffer.from(secret), [body]).toString('hex')
const seconds = () => Math.floor(app.clock.now().getTime() / 1000)

/** Sends raw headers and a raw body, which fetch would not send. */
const sendRaw = (path: string, headers: string[], chunks: readonly string[]) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port, host } = new URL(app.url)
    const allHeaders = ['host', host, 'transfer-encoding', 'chunked', ...headers]
    const outgoing = request({ hostname, port, path, method: 'POST', headers: allHeaders }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    outgoing.on('error', reject)
    for (const chunk of chunks) outgoing.write(chunk)
    outgoing.end()
  })

describe('deduplication', () => {
  test("uses a replay's signed event id, whatever the unsigned headers contain", async () => {
    const { hook } = await newHook({ source: 'stripe' })
    const body = '{"id":"evt_1","type":"invoice.paid"}'
    const stripe = signAsStripe({
      payload: body,
      secret: hook.secret,
      timestamp: seconds(),
    })
    const first = await app.send(hook, { 'stripe-signature': stripe }, body)
    expect(first.status).toBe(202)
    for (const name of ['webhook-id', 'svix-id', 'x-github-delivery']) {
      const copy = await app.send(hook, { 'stripe-signature': stripe, [name]: 'another' }, body)
      expect(copy).toMatchObject({ status: 200, body: { eventId: first.body.eventId, duplicate: true } })
    }
  })

  test('uses event_id for Slack events', async () => {
    const { client, hook } = await newHook({ source: 'slack' })
    const body = '{"type":"event_callback","event_id":"Ev1"}'
    const time = String(seconds())
    const headers = {
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${hex(hook.secret, `v0:${time}:${body}`)}`,
      'x-slack-retry-num': '1',
    }
    const { body: stored } = await app.send(hook, headers, body)
    expect((await client.webhooks.event({ eventId: stored.eventId })).externalId).toBe('Ev1')
  })

  test('distinguishes long ids that share a prefix', async () => {
    const { hook } = await newHook()
    const long = 'x'.repeat(300)
    for (const id of [`${long}1`, `${long}2`]) {
      expect((await app.send(hook, { ...secretHeader(hook), 'webhook-id': id }, '{}')).status).toBe(202)
    }
    const copy = await app.send(hook, { ...secretHeader(hook), 'webhook-id': `${long}1` }, '{}')
    expect(copy.status).toBe(200)
  })
})

describe('hostile bodies', () => {
  test('are stored as text if they are nested too deeply', async () => {
    const { client, hook } = await newHook()
    for (const deep of [
      '['.repeat(100_000) + ']'.repeat(100_000),
      `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
    ]) {
      const answer = await app.send(hook, secretHeader(hook), deep)
      expect(answer.status).toBe(202)
      expect((await client.webhooks.event({ eventId: answer.body.eventId })).payload).toBe(deep)
    }
  })

  test('are stored unchanged with __proto__', async () => {
    const { client, hook } = await newHook()
    const body = '{"__proto__":{"type":"evil"},"constructor":1,"id":"p"}'
    const answer = await app.send(hook, secretHeader(hook), body)
    const event = await client.webhooks.event({ eventId: answer.body.eventId })
    expect(event).toMatchObject({ type: 'custom' })
    expect(Object.keys(event.payload as object)).toContain('__proto__')
  })

  test('are accepted up to 256 KB without a content-length', async () => {
    const { hook } = await newHook()
    const { pathname } = new URL(hook.receiveUrl)
    const headers = ['x-webhook-secret', hook.secret]
    expect(await sendRaw(pathname, headers, Array(4).fill('x'.repeat(65_536)))).toBe(202)
    expect(await sendRaw(pathname, headers, [...Array(4).fill('x'.repeat(65_536)), 'y'])).toBe(413)
  })
})

describe('hostile headers', () => {
  test('do not authenticate a request when repeated, even if one is valid', async () => {
    const { hook } = await newHook()
    const { pathname } = new URL(hook.receiveUrl)
    const [good, bad] = [hex(hook.secret, '{}'), '00'.repeat(32)]
    for (const pair of [
      ['x-webhook-secret', hook.secret, 'x-webhook-secret', 'wrong'],
      ['x-webhook-secret', 'wrong', 'x-webhook-secret', hook.secret],
      ['x-webhook-signature', bad, 'x-webhook-signature', good],
      ['x-webhook-signature', good, 'x-webhook-signature', bad],
      ['authorization', 'Bearer wrong', 'authorization', `Bearer ${hook.secret}`],
    ]) {
      expect(await sendRaw(pathname, pair, ['{}']), pair.join(' ')).toBe(401)
    }
  })

  test('are stored without the secret, whichever header contains it', async () => {
    const { client, hook } = await newHook({ source: 'them', secret: 'a secret of their own' })
    const strange = {
      'x-hook': `key="${hook.secret}"`,
      'x-other': 'whsec_of-another-webhook',
      'x-plain': 'hello',
    }
    await app.send(hook, { ...secretHeader(hook), ...strange }, { id: 1 })
    await app.send(hook, strange, { id: 2 })
    const { items } = await client.webhooks.eventsOf({ id: hook.id })
    expect(items.map(({ status }) => status)).toEqual(['rejected', 'received'])
    for (const { headers } of items) {
      expect(headers).toMatchObject({ 'x-hook': '[redacted]', 'x-other': '[redacted]', 'x-plain': 'hello' })
    }
    expect(JSON.stringify(items)).not.toContain(hook.secret)
  })
})

test('a webhook accepts the bearer scheme in any case', async () => {
  const { hook } = await newHook()
  for (const [index, scheme] of ['Bearer', 'bearer', 'BEARER'].entries()) {
    const headers = { authorization: `${scheme} ${hook.secret}` }
    expect((await app.send(hook, headers, { id: index })).status, scheme).toBe(202)
  }
})

describe('changing webhook', () => {
  test('receives immediately after it is enabled again', async () => {
    const { client, hook } = await newHook()
    await client.webhooks.update({ id: hook.id, status: 'disabled' })
    expect((await app.send(hook, secretHeader(hook), { id: 1 })).status).toBe(404)
    await client.webhooks.update({ id: hook.id, status: 'active' })
    expect((await app.send(hook, secretHeader(hook), { id: 1 })).status).toBe(202)
  })

  test('accepts or refuses requests during deletion and responds 404 afterwards', async () => {
    const { client, hook } = await newHook()
    const answers = Array.from({ length: 20 }, (_, id) => app.send(hook, secretHeader(hook), { id }))
    await client.webhooks.remove({ id: hook.id })
    for (const { status } of await Promise.all(answers)) expect([202, 404]).toContain(status)
    expect((await app.send(hook, secretHeader(hook), { id: 99 })).status).toBe(404)
  })
})
