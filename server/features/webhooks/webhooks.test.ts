import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PUBLISHED_EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'
import { buildHooksApp, type HooksApp } from '../../testing/clients/webhook-app.ts'
import { bearer, cookie } from '../../testing/test-app.ts'

let app: HooksApp
beforeAll(async () => {
  app = await buildHooksApp()
})
afterAll(() => app.close())

const PUBLIC = 'https://hooks.example.com/in'
const HEX = '00000000-0000-7000-8000-000000000000'

describe('creating a webhook', () => {
  test('shows its secret once, and where to send to', async () => {
    const { client } = await app.owner()
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
    ['a name of nothing', { name: '  ' }, 'body.name'],
    ['a name of 121 characters', { name: 'x'.repeat(121) }, 'body.name'],
    ['a source of 101 characters', { name: 'a', source: 'x'.repeat(101) }, 'body.source'],
    ['a description of 2,001 characters', { name: 'a', description: 'x'.repeat(2001) }, 'body.description'],
    ['an address inside', { name: 'a', url: 'http://169.254.169.254/' }, 'body.url'],
    ['an address in disguise', { name: 'a', url: 'http://0xa9fea9fe/' }, 'body.url'],
    ['an address of no web server', { name: 'a', url: 'ftp://example.com' }, 'body.url'],
    [
      'an event type that does not exist',
      { name: 'a', events: ['project.created', 'projct.*'] },
      'body.events.1',
    ],
    ['a secret that is too short', { name: 'a', secret: 'short' }, 'body.secret'],
    ['a field that does not exist', { name: 'a', uri: PUBLIC }, 'body.uri'],
  ])('refuses %s, and names it', async (_name, body, path) => {
    const headers = cookie(await app.session((await app.owner()).person))
    const answer = await app.request('POST', '/api/v1/webhooks', { headers, body })
    expect(answer.status).toBe(400)
    expect(answer.body.error.details).toContainEqual(expect.objectContaining({ path }))
  })

  test('keeps event types trimmed, small, distinct and sorted; other sources name their own', async () => {
    const { client } = await app.owner()
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

  test('takes an address of this server for no forwarding', async () => {
    const { client } = await app.owner()
    const url = `${app.url}/api/v1/webhooks/receive/${HEX}`
    expect((await client.webhooks.create({ name: 'a', url })).forwards).toBe(false)
  })
})

describe('managing webhooks', () => {
  const routes = (id: string): [string, string, unknown?][] => [
    ['POST', '/api/v1/webhooks', { name: 'a' }],
    ['PATCH', `/api/v1/webhooks/${id}`, { name: 'b' }],
    ['DELETE', `/api/v1/webhooks/${id}`],
    ['POST', `/api/v1/webhooks/${id}/rotate`, {}],
    ['POST', '/api/v1/webhooks/test', { webhookId: id }],
    ['POST', `/api/v1/webhooks/events/${id}/retry`, {}],
    ['POST', `/api/v1/webhooks/${id}/retry`, { since: '2026-01-01T00:00:00Z' }],
  ]

  test('is refused to API keys, in these words', async () => {
    const { person, client } = await app.owner()
    const { id } = await client.webhooks.create({ name: 'a' })
    const headers = bearer(await app.key(person))
    for (const [method, path, body] of routes(id)) {
      const answer = await app.request(method, path, { headers, body })
      expect(answer.status, path).toBe(403)
      expect(answer.body.error.message).toBe('Webhook management requires a browser session')
    }
    expect((await app.request('GET', '/api/v1/webhooks', { headers })).status).toBe(200)
  })

  test('reaches nothing of another organization', async () => {
    const { client } = await app.owner()
    const stranger = await app.owner()
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
    const { client } = await app.owner()
    for (const name of ['first', 'second', 'third']) {
      await client.webhooks.create({ name })
      app.clock.advance(1)
    }
    expect((await client.webhooks.list()).items.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
  })

  test('keeps enabled and status in step', async () => {
    const { client } = await app.owner()
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

  test('an address of null or nothing resets it to the receive address', async () => {
    const { client } = await app.owner()
    const { id, receiveUrl } = await client.webhooks.create({ name: 'a', url: PUBLIC })
    expect(await client.webhooks.update({ id, url: null })).toMatchObject({
      url: receiveUrl,
      forwards: false,
    })
    expect(await client.webhooks.update({ id, url: PUBLIC })).toMatchObject({ url: PUBLIC, forwards: true })
    expect(await client.webhooks.update({ id, url: '' })).toMatchObject({ url: receiveUrl, forwards: false })
  })

  test('a change on an older version is refused', async () => {
    const { client } = await app.owner()
    const { id } = await client.webhooks.create({ name: 'a' })
    await client.webhooks.update({ id, name: 'b' }, { ifMatch: '"1"' })
    await expect(client.webhooks.update({ id, name: 'c' }, { ifMatch: '"1"' })).rejects.toThrow('has changed')
  })

  test('is written down', async () => {
    const { client, org } = await app.owner()
    const { id } = await client.webhooks.create({ name: 'a' })
    await client.webhooks.rotate({ id })
    await client.webhooks.update({ id, name: 'b' })
    await client.webhooks.remove({ id })
    const acts =
      await app.sql`select action from audit where org_id = ${org.id} and target = ${id} order by id`
    expect(acts.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.rotated',
      'webhook.updated',
      'webhook.deleted',
    ])
  })
})

test('event types are listed with what they mean and an example', async () => {
  const { client } = await app.owner()
  const { items } = await client.webhooks.eventTypes()
  expect(items.map(({ name }) => name)).toEqual(PUBLISHED_EVENT_TYPES)
  expect(items).toContainEqual({
    name: 'project.created',
    category: 'project',
    description: 'A project was created',
    example: expect.objectContaining({ projectId: expect.any(String) }),
  })
})
