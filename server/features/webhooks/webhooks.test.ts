import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PUBLISHED_EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'
import { buildWebhookApp, type WebhookApp } from '../../testing/clients/webhook-app.ts'
import { bearer, cookie } from '../../testing/test-app.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())

const PUBLIC = 'https://hooks.example.com/in'
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

describe('POST /webhooks', () => {
  test('returns the secret once, and the receive URL', async () => {
    const { client } = await app.createOwner()
    const { secret, ...hook } = await client.webhooks.create({ name: 'Builds' })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(hook).toMatchObject({
      name: 'Builds',
      source: 'custom',
      events: [],
      status: 'active',
      enabled: true,
      forwards: false,
      deliveryCount: 0,
      lastDeliveryAt: null,
      receiveUrl: `${app.url}/api/v1/webhooks/receive/${hook.id}`,
      url: `${app.url}/api/v1/webhooks/receive/${hook.id}`,
    })
    expect(await client.webhooks.get({ id: hook.id })).toEqual(hook)
    const stored = JSON.stringify(await app.sql`select * from webhooks where id = ${hook.id}`)
    expect(stored).not.toContain(secret)
  })

  test.each([
    ['an empty name', { name: '  ' }, 'body.name'],
    ['a name of 121 characters', { name: 'x'.repeat(121) }, 'body.name'],
    ['a source of 101 characters', { name: 'a', source: 'x'.repeat(101) }, 'body.source'],
    ['a description of 2,001 characters', { name: 'a', description: 'x'.repeat(2001) }, 'body.description'],
    ['a link-local URL', { name: 'a', url: 'http://169.254.169.254/' }, 'body.url'],
    ['a link-local URL in hexadecimal', { name: 'a', url: 'http://0xa9fea9fe/' }, 'body.url'],
    ['a URL that is not HTTP', { name: 'a', url: 'ftp://example.com' }, 'body.url'],
    [
      'an event type that does not exist',
      { name: 'a', events: ['project.created', 'projct.*'] },
      'body.events.1',
    ],
    ['a webhook that neither sends nor receives', { name: 'a', receives: false }, 'body.url'],
    ['a secret that is too short', { name: 'a', secret: 'short' }, 'body.secret'],
    ['a field that does not exist', { name: 'a', uri: PUBLIC }, 'body.uri'],
  ])('refuses %s, and names the field', async (_name, body, path) => {
    const headers = cookie(await app.session((await app.createOwner()).person))
    const answer = await app.request('POST', '/api/v1/webhooks', { headers, body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ path }))
  })

  test('creates an outgoing webhook that accepts no requests until changed', async () => {
    const { client } = await app.createOwner()
    const { id, receiveUrl, receives } = await client.webhooks.create({
      name: 'Out',
      url: PUBLIC,
      receives: false,
    })
    expect(receives).toBe(false)
    const post = () => fetch(receiveUrl, { method: 'POST', body: '{}' })
    expect((await post()).status).toBe(404)
    await expect(client.webhooks.update({ id, url: null })).rejects.toMatchObject({
      details: [{ path: 'body.url', message: 'must be set for a webhook that does not receive' }],
    })
    expect(await client.webhooks.update({ id, receives: true })).toMatchObject({ receives: true })
    await expect.poll(async () => (await post()).status).toBe(401)
  })

  test('normalizes event types, and accepts any type for other sources', async () => {
    const { client } = await app.createOwner()
    const events = [' Project.* ', 'file.created', 'project.*', '*']
    expect((await client.webhooks.create({ name: 'a', events })).events).toEqual([
      '*',
      'file.created',
      'project.*',
    ])
    const github = await client.webhooks.create({
      name: 'b',
      source: 'github',
      events: ['Push', 'pull_request'],
    })
    expect(github.events).toEqual(['pull_request', 'push'])
  })

  test("does not forward when the URL is one of this server's receive URLs", async () => {
    const { client } = await app.createOwner()
    const url = `${app.url}/api/v1/webhooks/receive/${UNKNOWN_ID}`
    expect((await client.webhooks.create({ name: 'a', url })).forwards).toBe(false)
  })
})

describe('webhook management', () => {
  const routes = (id: string): [string, string, unknown?][] => [
    ['POST', '/api/v1/webhooks', { name: 'a' }],
    ['PATCH', `/api/v1/webhooks/${id}`, { name: 'b' }],
    ['DELETE', `/api/v1/webhooks/${id}`],
    ['POST', `/api/v1/webhooks/${id}/rotate`, {}],
    ['POST', '/api/v1/webhooks/test', { webhookId: id }],
    ['POST', `/api/v1/webhooks/events/${id}/retry`, {}],
    ['POST', `/api/v1/webhooks/${id}/retry`, { since: '2026-01-01T00:00:00Z' }],
  ]

  test('refuses API keys with the specified message', async () => {
    const { person, client } = await app.createOwner()
    const { id } = await client.webhooks.create({ name: 'a' })
    const headers = bearer(await app.key(person))
    for (const [method, path, body] of routes(id)) {
      const answer = await app.request(method, path, { headers, body })
      expect(answer.status, path).toBe(403)
      expect(answer.body.error.message).toBe('Webhook management requires a browser session')
    }
    expect((await app.request('GET', '/api/v1/webhooks', { headers })).status).toBe(200)
  })

  test("cannot reach another organization's webhooks", async () => {
    const { client } = await app.createOwner()
    const stranger = await app.createOwner()
    const headers = cookie(await app.session(stranger.person))
    const { id } = await client.webhooks.create({ name: 'a', url: PUBLIC })
    const reads: [string, string, unknown?][] = [
      ['GET', `/api/v1/webhooks/${id}`],
      ['GET', `/api/v1/webhooks/${id}/events`],
      ['GET', `/api/v1/webhooks/${id}/deliveries`],
      ['POST', '/api/v1/webhooks/verify', { webhookId: id, payload: '', headers: {} }],
    ]
    for (const [method, path, body] of [...routes(id).slice(1), ...reads]) {
      expect((await app.request(method, path, { headers, body })).status, path).toBe(404)
    }
    expect(await stranger.client.webhooks.list()).toEqual({ items: [] })
    expect((await client.webhooks.get({ id })).name).toBe('a')
  })

  test('lists the newest first', async () => {
    const { client } = await app.createOwner()
    for (const name of ['first', 'second', 'third']) {
      await client.webhooks.create({ name })
      app.clock.advance(1)
    }
    expect((await client.webhooks.list()).items.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
  })

  test('updates enabled and status together', async () => {
    const { client } = await app.createOwner()
    const { id } = await client.webhooks.create({ name: 'a' })
    const steps = [
      [{ status: 'paused' as const }, 'paused', false],
      [{ enabled: true }, 'active', true],
      [{ enabled: false }, 'paused', false],
      [{ status: 'disabled' as const }, 'disabled', false],
      [{ status: 'active' as const, enabled: true }, 'active', true],
    ] as const
    for (const [change, status, enabled] of steps) {
      expect(await client.webhooks.update({ id, ...change })).toMatchObject({ status, enabled })
    }
    await expect(client.webhooks.update({ id, status: 'active', enabled: false })).rejects.toThrow(
      'body.enabled',
    )
  })

  test('stops forwarding when the URL is null or empty', async () => {
    const { client } = await app.createOwner()
    const { id, receiveUrl } = await client.webhooks.create({ name: 'a', url: PUBLIC })
    expect(await client.webhooks.update({ id, url: null })).toMatchObject({
      url: receiveUrl,
      forwards: false,
    })
    expect(await client.webhooks.update({ id, url: PUBLIC })).toMatchObject({ url: PUBLIC, forwards: true })
    expect(await client.webhooks.update({ id, url: '' })).toMatchObject({ url: receiveUrl, forwards: false })
  })

  test('refuses a change to an outdated version', async () => {
    const { client } = await app.createOwner()
    const { id } = await client.webhooks.create({ name: 'a' })
    await client.webhooks.update({ id, name: 'b' }, { ifMatch: '"1"' })
    await expect(client.webhooks.update({ id, name: 'c' }, { ifMatch: '"1"' })).rejects.toThrow('has changed')
  })

  test('records every action in the audit log', async () => {
    const { client, org } = await app.createOwner()
    const { id } = await client.webhooks.create({ name: 'a' })
    await client.webhooks.rotate({ id })
    await client.webhooks.update({ id, name: 'b' })
    await client.webhooks.remove({ id })
    const entries =
      await app.sql`select action from audit where org_id = ${org.id} and target = ${id} order by id`
    expect(entries.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.rotated',
      'webhook.updated',
      'webhook.deleted',
    ])
  })
})

test('GET /webhooks/event-types lists the published types with description and example', async () => {
  const { client } = await app.createOwner()
  const { items } = await client.webhooks.eventTypes()
  expect(items.map(({ name }) => name)).toEqual(PUBLISHED_EVENT_TYPES)
  expect(items).toContainEqual({
    name: 'project.created',
    category: 'project',
    description: 'A project was created',
    example: expect.objectContaining({ projectId: expect.any(String) }),
  })
})
