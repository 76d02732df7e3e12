import { createHmac } from 'node:crypto'
import { sign as signAsGitHub } from '@octokit/webhooks-methods'
import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { signAsStripe } from '../../../testing/fakes/sender-signatures.ts'
import { buildTestApp } from '../../../testing/test-app.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())

const secretHeader = ({ secret }: { secret: string }) => ({ 'x-webhook-secret': secret })
const newHook = async (
  options: {
    source?: string
    events?: string[]
    url?: string
    secret?: string
    dedupWindowSeconds?: number
  } = {},
) => {
  const { client, org } = await app.createOwner()
  return { client, org, hook: await client.webhooks.create({ name: 'In', ...options }) }
}
const standard = (secret: string, body: string, id = 'msg_1') => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(app.clock.now().getTime() / 1000)),
  'webhook-signature': new Standard(secret).sign(id, app.clock.now(), body),
})

describe('POST /webhooks/receive/:id, authenticated', () => {
  test("stores a request signed by GitHub's library, with its id and type", async () => {
    const { client, hook } = await newHook({ source: 'github' })
    const body = '{"action":"opened"}'
    const answer = await app.send(
      hook,
      {
        'x-hub-signature-256': await signAsGitHub(hook.secret, body),
        'x-github-event': 'pull_request',
        'x-github-delivery': 'd-1',
      },
      body,
    )
    expect(answer).toMatchObject({ status: 202, body: { status: 'received', duplicate: false } })
    expect(await client.webhooks.event({ eventId: answer.body.eventId })).toMatchObject({
      direction: 'inbound',
      webhookId: hook.id,
      webhookName: 'In',
      type: 'pull_request',
      source: 'github',
      externalId: 'd-1',
      status: 'received',
      verification: { scheme: 'github', result: 'valid', reason: null },
      payload: { action: 'opened' },
    })
  })

  test('accepts a signature with an imported secret', async () => {
    const { hook } = await newHook({ source: 'stripe', secret: 'a secret of their own' })
    const body = '{"id":"evt_9","type":"invoice.paid"}'
    const header = signAsStripe({
      payload: body,
      secret: 'a secret of their own',
      timestamp: Math.floor(app.clock.now().getTime() / 1000),
    })
    expect((await app.send(hook, { 'stripe-signature': header }, body)).status).toBe(202)
  })

  test('accepts a new secret immediately although the receiver is cached', async () => {
    const { client, hook } = await newHook()
    expect((await app.send(hook, secretHeader(hook), { id: 1 })).status).toBe(202)
    const rotated = await client.webhooks.rotate({ id: hook.id })
    expect((await app.send(hook, secretHeader(rotated), { id: 2 })).status).toBe(202)
  })

  test('accepts text, a form, an empty body, and characters PostgreSQL cannot store', async () => {
    const { client, hook } = await newHook()
    const bodies: [string, unknown][] = [
      ['plain text', 'plain text'],
      ['a=1&b=2', 'a=1&b=2'],
      ['', ''],
      ['{"nul":"a\\u0000b","half":"\\ud800"}', { nul: 'a\0b', half: '\ud800' }],
      ['[1,2]', [1, 2]],
    ]
    for (const [body, payload] of bodies) {
      const answer = await app.send(hook, { ...secretHeader(hook), 'content-type': 'text/plain' }, body)
      expect(answer.status, body).toBe(202)
      expect((await client.webhooks.event({ eventId: answer.body.eventId })).payload).toEqual(payload)
    }
  })
})

const A_HASH = '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862'

describe('received event deduplication', () => {
  test('returns the first event for seven days', async () => {
    const { hook } = await newHook()
    const first = await app.send(hook, standard(hook.secret, '{}'), '{}')
    app.clock.advance(6 * 86_400)
    const again = await app.send(hook, standard(hook.secret, '{}'), '{}')
    expect(again).toMatchObject({ status: 200, body: { eventId: first.body.eventId, duplicate: true } })
    app.clock.advance(2 * 86_400)
    const later = await app.send(hook, standard(hook.secret, '{}'), '{}')
    expect(later).toMatchObject({ status: 202, body: { duplicate: false } })
    expect(later.body.eventId).not.toBe(first.body.eventId)
  })

  test('deduplicates an event two processes receive concurrently', async () => {
    const { hook, org } = await newHook()
    const other = await buildTestApp({ on: app.connection })
    const path = new URL(hook.receiveUrl).pathname
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? app : other).request('POST', path, {
          headers: secretHeader(hook),
          body: { id: 'once' },
        }),
      ),
    )
    await other.close()
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 202])
    expect(new Set(answers.map(({ body }) => body.eventId)).size).toBe(1)
    const [row] = await app.sql`select count(*) from events where org_id = ${org.id}`
    expect(row!.count).toBe(1)
  })

  test("folds an unknown sender's equal bodies for ten minutes", async () => {
    const { hook } = await newHook()
    expect(hook.dedupWindowSeconds).toBe(600)
    const beat = () => app.send(hook, secretHeader(hook), { id: 'host-1', state: 'up' })
    const first = await beat()
    app.clock.advance(599)
    expect(await beat()).toMatchObject({ status: 200, body: { eventId: first.body.eventId } })
    app.clock.advance(2)
    expect(await beat()).toMatchObject({ status: 202, body: { duplicate: false } })
    // A body's `id` often names the resource, so it identifies no event.
    const changed = await app.send(hook, secretHeader(hook), { id: 'host-1', state: 'down' })
    expect(changed.status).toBe(202)
  })

  test("folds an unknown sender's equal bodies for the webhook's window", async () => {
    const { client, hook } = await newHook({ dedupWindowSeconds: 0 })
    const beat = () => app.send(hook, secretHeader(hook), { state: 'up' })
    expect([(await beat()).status, (await beat()).status]).toEqual([202, 202])
    await client.webhooks.update({ id: hook.id, dedupWindowSeconds: 604_800 })
    const first = await beat()
    app.clock.advance(6 * 86_400)
    expect(await beat()).toMatchObject({ status: 200, body: { eventId: first.body.eventId } })
  })

  test.each(['github', 'shopify', 'jira'])('folds equal bodies from %s for seven days', async (source) => {
    const { hook } = await newHook({ source, dedupWindowSeconds: 0 })
    const body = '{"action":"opened"}'
    const mac = createHmac('sha256', hook.secret).update(body).digest()
    const headersBySource: Record<string, Record<string, string>> = {
      github: { 'x-hub-signature-256': `sha256=${mac.toString('hex')}` },
      shopify: { 'x-shopify-hmac-sha256': mac.toString('base64') },
      jira: { 'x-hub-signature': `sha256=${mac.toString('hex')}` },
    }
    const headers = headersBySource[source]
    const ids = (id: string) => ({
      'x-github-delivery': id,
      'x-shopify-webhook-id': id,
      'x-atlassian-webhook-identifier': id,
    })
    const first = await app.send(hook, { ...headers, ...ids('d-1') }, body)
    app.clock.advance(6 * 86_400)
    const replay = await app.send(hook, { ...headers, ...ids('d-2') }, body)
    expect(replay).toMatchObject({ status: 200, body: { eventId: first.body.eventId, duplicate: true } })
  })

  test('treats no field from an unknown sender as an event id, whatever scheme signed it', async () => {
    const { hook } = await newHook()
    for (const state of ['up', 'down']) {
      const body = JSON.stringify({ id: 'host-1', state })
      const timestamp = Math.floor(app.clock.now().getTime() / 1000)
      const header = signAsStripe({
        payload: body,
        secret: hook.secret,
        timestamp,
      })
      expect((await app.send(hook, { 'stripe-signature': header }, body)).status).toBe(202)
    }
  })

  test('records when an event was repeated, up to a hundred times', async () => {
    const { client, hook } = await newHook()
    const send = () => app.send(hook, secretHeader(hook), { id: 1 })
    const { eventId } = (await send()).body
    expect((await client.webhooks.event({ eventId })).repetitions).toEqual({ count: 0, times: [] })
    for (let n = 0; n < 103; n++) {
      app.clock.advance(1)
      await send()
    }
    const { count, times: kept } = (await client.webhooks.event({ eventId })).repetitions
    expect([count, kept.length]).toEqual([103, 100])
    expect(kept.toSorted()).toEqual(kept)
    expect(new Set(kept).size).toBe(100)
  })

  test('refuses a window that is negative, fractional or over seven days', async () => {
    const { client, hook } = await newHook()
    for (const dedupWindowSeconds of [-1, 0.5, 604_801]) {
      const change = client.webhooks.update({ id: hook.id, dedupWindowSeconds })
      await expect(change).rejects.toMatchObject({ details: [{ path: 'body.dedupWindowSeconds' }] })
    }
  })

  test('stores the same external id once per webhook', async () => {
    const { client, hook } = await newHook()
    const second = await client.webhooks.create({ name: 'Second' })
    const first = await app.send(hook, secretHeader(hook), { id: 'x' })
    const other = await app.send(second, secretHeader(second), { id: 'x' })
    expect(other.status).toBe(202)
    expect(other.body.eventId).not.toBe(first.body.eventId)
  })

  test.each([
    ['the header webhook-id', { 'webhook-id': 'w-1', 'x-github-delivery': 'g-1' }, '{"a":1}', 'w-1'],
    ['its hash', { 'x-github-delivery': 'g-1' }, '{"a":1}', A_HASH],
  ])('identifies an event by %s', async (_name, headers, body, externalId) => {
    const { client, hook } = await newHook()
    const { body: stored } = await app.send(hook, { ...secretHeader(hook), ...headers }, body)
    expect((await client.webhooks.event({ eventId: stored.eventId })).externalId).toBe(externalId)
  })
})

describe('receiving webhook state', () => {
  test('stores types outside the event filter as filtered, without forwarding them', async () => {
    const { client, hook } = await newHook({ source: 'shop', events: ['order.*'], url: app.receiver.url })
    const answer = await app.send(hook, secretHeader(hook), { type: 'cart.filled' })
    expect(answer).toMatchObject({ status: 202, body: { status: 'filtered' } })
    const event = await client.webhooks.event({ eventId: answer.body.eventId })
    expect(event).toMatchObject({ status: 'filtered', deliveries: [] })
    expect((await app.send(hook, secretHeader(hook), { type: 'order.paid' })).body.status).toBe('received')
  })

  test('keeps events undelivered while paused, and responds 404 while disabled', async () => {
    const { client, hook } = await newHook({ url: app.receiver.url })
    await app.send(hook, secretHeader(hook), { id: 1 })
    await client.webhooks.update({ id: hook.id, status: 'paused' })
    const held = await app.send(hook, secretHeader(hook), { id: 2 })
    expect(held).toMatchObject({ status: 202, body: { status: 'held' } })
    await client.webhooks.update({ id: hook.id, status: 'disabled' })
    expect((await app.send(hook, secretHeader(hook), { id: 3 })).status).toBe(404)
  })

  test('refuses a rotated secret immediately, or after the grace period', async () => {
    const { client, hook } = await newHook()
    const rotated = await client.webhooks.rotate({ id: hook.id, gracePeriodSeconds: 60 })
    expect(rotated.previousSecretUntil).not.toBeNull()
    expect((await app.send(hook, secretHeader(hook), { id: 1 })).status).toBe(202)
    expect((await app.send(hook, secretHeader(rotated), { id: 2 })).status).toBe(202)
    app.clock.advance(61)
    expect((await app.send(hook, secretHeader(hook), { id: 3 })).status).toBe(401)
    const again = await client.webhooks.rotate({ id: hook.id })
    expect((await app.send(hook, secretHeader(rotated), { id: 4 })).status).toBe(401)
    expect((await app.send(hook, secretHeader(again), { id: 5 })).status).toBe(202)
  })
})

describe('POST /webhooks/receive/:id, refused', () => {
  test.each([
    ['nothing', {}, 'missing_signature'],
    ['a wrong secret', { 'x-webhook-secret': 'whsec_wrong' }, 'bad_signature'],
    ['a wrong signature', { 'x-webhook-signature': 'ab'.repeat(32) }, 'bad_signature'],
    ['a malformed signature', { 'x-webhook-signature': 'hello' }, 'malformed_signature'],
  ])('refuses a request with %s, and records it without its body', async (_name, headers, reason) => {
    const { client, hook } = await newHook({ url: app.receiver.url })
    const answer = await app.send(hook, headers, { secret: 'inside' })
    expect(answer.status).toBe(401)
    expect(answer.body.error.details).toEqual({ reason })
    const { items } = await client.webhooks.eventsOf({ id: hook.id })
    expect(items).toMatchObject([{ status: 'rejected', verification: { reason }, payload: null }])
    expect(JSON.stringify(items)).not.toContain('whsec_wrong')
  })

  test('refuses a body over 256 KB and accepts exactly 256 KB', async () => {
    const { client, hook } = await newHook()
    const answer = await app.send(hook, secretHeader(hook), `"${'x'.repeat(262_143)}"`)
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } })
    expect((await app.send(hook, secretHeader(hook), `"${'x'.repeat(262_142)}"`)).status).toBe(202)
    const { items } = await client.webhooks.eventsOf({ id: hook.id, status: 'rejected' })
    expect(items).toMatchObject([{ verification: { reason: 'too_large' } }])
  })

  test('refuses an event that webhooks forward in a cycle', async () => {
    const { hook } = await newHook()
    expect((await app.send(hook, { ...secretHeader(hook), 'webhook-hops': '3' }, { id: 1 })).status).toBe(202)
    for (const hops of ['4', 'many', '-1']) {
      expect(
        (await app.send(hook, { ...secretHeader(hook), 'webhook-hops': hops }, { id: 2 })).status,
        hops,
      ).toBe(409)
    }
  })

  test('responds 404 for an unknown webhook with any signature', async () => {
    const answer = await app.request(
      'POST',
      '/api/v1/webhooks/receive/0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111',
      { body: {} },
    )
    expect(answer.status).toBe(404)
  })

  test('records at most about sixty refusals per minute', async () => {
    const { hook, org } = await newHook()
    for (let batch = 0; batch < 7; batch++) {
      await Promise.all(Array.from({ length: 10 }, () => app.send(hook, {}, {})))
    }
    const [row] = await app.sql`select count(*) from events where org_id = ${org.id}`
    expect(row!.count).toBeGreaterThanOrEqual(60)
    expect(row!.count).toBeLessThan(70)
  })
})
