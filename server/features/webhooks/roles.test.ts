import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../../contract/index.ts'
import { openEventStream } from '../../testing/clients/live.ts'
import { buildWebhookApp, type WebhookApp } from '../../testing/clients/webhook-app.ts'
import type { Person } from '../../testing/factories/factories.ts'
import { bearer, cookie, type Headers } from '../../testing/test-app.ts'

/** Members must not see this text. It is in the payload, the headers, the sender's id, the URL and the responses. */
const SECRET = 'cus_secret'
const SUMMARY = ['createdAt', 'enabled', 'id', 'name', 'source', 'status', 'updatedAt']
const EVENT_SUMMARY = [
  'direction',
  'id',
  'receivedAt',
  'source',
  'status',
  'type',
  'webhookId',
  'webhookName',
]

let app: WebhookApp
let owner: Awaited<ReturnType<WebhookApp['createOwner']>>
let member: Person
let hook: { id: string; receiveUrl: string; secret: string }
let eventId: string
let sessionHeaders: Headers
let keyHeaders: Headers

let received = 0
async function receive(): Promise<string> {
  const headers = { 'x-webhook-secret': hook.secret, 'x-trace': SECRET }
  const sent = await app.send(hook, headers, { type: 'paid', id: `${SECRET}_${++received}` })
  return sent.body.eventId
}

beforeAll(async () => {
  app = await buildWebhookApp()
  owner = await app.createOwner()
  app.receiver.answer((_caught, response) => response.writeHead(500).end(SECRET))
  await app.app.startWorker()
  const url = `${app.receiver.url}/${SECRET}`
  hook = await owner.client.webhooks.create({ name: 'Payments', url, description: SECRET })
  eventId = await receive()
  await vi.waitFor(async () => {
    const { deliveries } = await owner.client.webhooks.event({ eventId })
    expect(deliveries[0]?.response?.body).toBe(SECRET)
  }, 10_000)
  member = await app.person(owner.org)
  sessionHeaders = cookie(await app.session(member))
  keyHeaders = bearer(await app.key(member))
})
afterAll(() => app.close())

describe('a member', () => {
  test("sees webhooks' name, source and status and nothing else", async () => {
    for (const headers of [sessionHeaders, keyHeaders]) {
      const list = await app.request('GET', '/api/v1/webhooks', { headers })
      const one = await app.request('GET', `/api/v1/webhooks/${hook.id}`, { headers })
      expect(list.body.items).toMatchObject([{ id: hook.id, name: 'Payments', status: 'active' }])
      for (const record of [list.body.items[0], one.body]) expect(Object.keys(record).sort()).toEqual(SUMMARY)
    }
  })

  test("sees events' type and status and nothing else", async () => {
    const lists = ['/api/v1/webhooks/events', `/api/v1/webhooks/${hook.id}/events`]
    for (const headers of [sessionHeaders, keyHeaders]) {
      const pages = await Promise.all(lists.map((path) => app.request('GET', path, { headers })))
      const one = await app.request('GET', `/api/v1/webhooks/events/${eventId}`, { headers })
      for (const record of [...pages.map(({ body }) => body.items[0]), one.body]) {
        expect(Object.keys(record).sort()).toEqual(['actor', ...EVENT_SUMMARY, 'subject'].sort())
        expect(record).toMatchObject({ id: eventId, type: 'paid', actor: null, subject: null })
      }
    }
  })

  test('streams events without their contents', async () => {
    const stream = await openEventStream(app, '/api/v1/webhooks/events/live', sessionHeaders)
    await expect.poll(() => stream.events.length).toBeGreaterThan(0)
    await receive()
    await expect.poll(() => stream.of('event').length).toBeGreaterThan(0)
    expect(JSON.stringify(stream.events)).not.toContain(SECRET)
    expect(Object.keys(stream.of('event')[0]!).sort()).toEqual(EVENT_SUMMARY)
    await stream.disconnect()
  })

  test('gets no secret text from any webhook endpoint', async () => {
    const reads = endpoints.filter(
      ({ method, path }) => method === 'GET' && /^\/api\/v1\/webhooks/.test(path) && !path.endsWith('live'),
    )
    expect(reads.length).toBeGreaterThan(5)
    for (const { path } of reads) {
      const url = path.replace(':id', hook.id).replace(':eventId', eventId)
      const { text } = await app.request('GET', url, { headers: sessionHeaders })
      expect(text, path).not.toContain(SECRET)
    }
  })

  test('cannot manage a webhook, read its deliveries or use its secret', async () => {
    const before = await owner.client.webhooks.get({ id: hook.id })
    const attempts: [string, string, unknown?][] = [
      ['POST', '/api/v1/webhooks', { name: 'Mine' }],
      ['PATCH', `/api/v1/webhooks/${hook.id}`, { url: 'https://evil.example' }],
      ['DELETE', `/api/v1/webhooks/${hook.id}`],
      ['POST', `/api/v1/webhooks/${hook.id}/rotate`, {}],
      ['POST', `/api/v1/webhooks/${hook.id}/retry`, { since: before.createdAt }],
      ['POST', `/api/v1/webhooks/events/${eventId}/retry`, {}],
      ['POST', '/api/v1/webhooks/test', { webhookId: hook.id }],
      ['POST', '/api/v1/webhooks/verify', { webhookId: hook.id, payload: '', headers: {} }],
      ['GET', `/api/v1/webhooks/${hook.id}/deliveries`],
      ['GET', `/api/v1/webhooks/${hook.id}/listen`],
    ]
    for (const [method, path, body] of attempts) {
      const response = await app.request(method, path, { headers: sessionHeaders, body })
      expect([response.status, response.body.error.details], `${method} ${path}`).toEqual([
        403,
        { reason: 'role_required', required: 'admin' },
      ])
    }
    const { url, name, updatedAt } = await owner.client.webhooks.get({ id: hook.id })
    expect({ url, name, updatedAt }).toEqual({
      url: before.url,
      name: before.name,
      updatedAt: before.updatedAt,
    })
  })

  test('verifies a payload with their own secret', async () => {
    const body = { secret: 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQ=', payload: '{}', headers: {} }
    const { status } = await app.request('POST', '/api/v1/webhooks/verify', { headers: keyHeaders, body })
    expect(status).toBe(200)
  })
})

test('a role change takes effect on cached reads and open streams', async () => {
  const promoted = await app.person(owner.org)
  const headers = cookie(await app.session(promoted))
  const path = `/api/v1/webhooks/${hook.id}`
  const reduced = await app.request('GET', path, { headers })
  await owner.client.organization.changeRole({ userId: promoted.id, role: 'admin' })
  const etag = reduced.headers.get('etag')!
  const full = await app.request('GET', path, { headers: { ...headers, 'if-none-match': etag } })
  expect([full.status, full.body?.url]).toEqual([200, expect.stringContaining(SECRET)])

  const stream = await openEventStream(app, '/api/v1/webhooks/events/live', headers)
  await expect.poll(() => stream.events.length).toBeGreaterThan(0)
  await owner.client.organization.changeRole({ userId: promoted.id, role: 'member' })
  await expect.poll(stream.hasEnded).toBe(true)
  await receive()
  expect(JSON.stringify(stream.events)).not.toContain(SECRET)
})
