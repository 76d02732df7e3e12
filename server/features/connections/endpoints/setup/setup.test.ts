import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  buildEndpointApp,
  createConnectedUser,
  type EndpointApp,
  hmacHex,
  telegramEndpoint,
} from '../../../../testing/clients/endpoint-app.ts'
import { callbackBase } from '../callback-url.ts'
import { renewAll } from './renew.ts'
import { sweepStored } from './retention.ts'

let app: EndpointApp
beforeAll(async () => {
  app = await buildEndpointApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.answerWith()
  await app.sql`delete from rate_limits`
})

describe('the endpoint URL', () => {
  const from = (baseUrl: string) => ({ origin: { baseUrl } as never })
  test.each([
    [null, null, 'set ATRIUM_PUBLIC_URL'],
    [null, 'http://127.0.0.1:9', null],
    ['http://atrium.example', null, 'must start with https://'],
    ['https://10.0.0.5', null, 'cannot send events to https://10.0.0.5'],
    ['https://localhost', 'http://127.0.0.1:9', null],
    ['https://intranet', 'http://127.0.0.1:9', 'cannot send events to https://intranet'],
    ['https://atrium.example', null, null],
  ])('is checked: ATRIUM_PUBLIC_URL %s with the connector URL %s', (publicUrl, override, problem) => {
    const check = () => callbackBase(from('http://127.0.0.1:3000'), { publicUrl, override })
    if (problem === null) expect(check()).toBe(publicUrl ?? 'http://127.0.0.1:3000')
    else expect(check).toThrow(problem)
  })
})

describe('creating an endpoint', () => {
  test('is refused with the field and the rule the input violates', async () => {
    const { create, client } = await createConnectedUser(app, 'telegram')
    const wrong = [
      [{ events: ['telegram.nothing'] }, 'body.events must be chosen from telegram.message'],
      [{ filter: 'text ==' }, 'body.filter is not a filter: Expected a text in quotes'],
      [{ sessionKey: '{secret}' }, 'body.sessionKey must not contain {secret}'],
      [{ fields: { repository: 'a/b' } }, 'body.fields.repository is not a field of this connector'],
      [{ secret: 'x' }, 'body.secret must be absent'],
      [{ agentId: '00000000-0000-7000-8000-000000000000' }, 'body.agentId does not exist'],
    ] as const
    for (const [fields, message] of wrong) await expect(create(fields as never)).rejects.toThrow(message)
    const teams = await createConnectedUser(app, 'microsoft-teams')
    await expect(teams.create({ fields: { teamId: 'x' } })).rejects.toThrow('body.fields.teamId is not valid')
    expect((await client.connectorEndpoints.list({})).items).toEqual([])
  })

  test("leaves nothing behind if the provider refuses, and completes later if the provider doesn't answer", async () => {
    const { create, client } = await createConnectedUser(app, 'telegram')
    app.answerWith(() => ({ status: 400, json: { ok: false, error_code: 400, description: 'bad webhook' } }))
    await expect(create()).rejects.toThrow('Telegram refuses the endpoint: bad webhook')
    expect((await client.connectorEndpoints.list({})).items).toEqual([])
    app.answerWith(() => ({ status: 502, json: {} }))
    const created = await create()
    expect(created).toMatchObject({
      registration: 'failed',
      registrationError: expect.stringContaining('502'),
    })
    app.answerWith()
    app.clock.advance(3600)
    await renewAll(app.endpointOptions)(app.app.system())
    const after = await client.connectorEndpoints.get({ id: created.id })
    expect(after).toMatchObject({ registration: 'registered', registrationError: null, renewsAt: null })
    app.clock.reset()
  })

  test('finds a registration whose answer was lost, and updates it instead of adding another', async () => {
    const { create, client } = await createConnectedUser(app, 'github')
    const hooks: { id: number; config: { url: string } }[] = []
    const calls: string[] = []
    app.answerWith((path, body, method) => {
      if (!path.includes('/hooks')) return { json: {} }
      calls.push(method)
      if (method === 'GET') return { json: hooks }
      if (method === 'POST') hooks.push({ id: 77, config: { url: JSON.parse(body).config.url } })
      // The response to the registration is lost.
      return method === 'POST' ? { status: 502, json: {} } : { json: hooks[0] }
    })
    const created = await create({ fields: { repository: 'ada/engine' } })
    expect(created.registration).toBe('failed')
    const tested = await client.connectorEndpoints.test({ id: created.id })
    expect(tested.checks.find(({ name }) => name === 'registration')).toMatchObject({ ok: true })
    expect(calls).toEqual(['POST', 'GET', 'PATCH'])
    expect(hooks).toHaveLength(1)
  })

  test('replaces a registration whose secret was lost with the answer', async () => {
    const { create, client } = await createConnectedUser(app, 'resend')
    const webhooks: { id: string; endpoint: string; signing_secret: string }[] = []
    const calls: string[] = []
    app.answerWith((path, body, method) => {
      calls.push(`${method} ${path}`)
      if (method === 'GET') return { json: { data: webhooks.map(({ id, endpoint }) => ({ id, endpoint })) } }
      if (method === 'DELETE') webhooks.pop()
      if (method !== 'POST') return { json: {} }
      const created = {
        id: `w${calls.length}`,
        endpoint: JSON.parse(body).endpoint,
        signing_secret: 'whsec_aGVsbG8=',
      }
      webhooks.push(created)
      return calls.length === 1 ? { status: 502, json: {} } : { json: created }
    })
    const created = await create()
    expect(created.registration).toBe('failed')
    const tested = await client.connectorEndpoints.test({ id: created.id })
    expect(tested.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['received'])
    expect(calls.slice(0, 4)).toEqual([
      'POST /webhooks',
      'GET /webhooks',
      'DELETE /webhooks/w1',
      'POST /webhooks',
    ])
    expect(webhooks).toHaveLength(1)
  })

  test("keeps the secret sent during registration, and replaces a registration that can't be changed", async () => {
    const { create, client } = await createConnectedUser(app, 'asana')
    const calls: string[] = []
    let secret = 'asana-first'
    app.answerWith(async (path, body, method) => {
      if (!path.includes('/webhooks')) return { json: {} }
      calls.push(method)
      if (method !== 'POST') return { json: { data: {} } }
      const { pathname } = new URL(JSON.parse(body).data.target)
      const echoed = await app.request('POST', pathname, { headers: { 'x-hook-secret': secret }, body: {} })
      expect([echoed.status, echoed.headers.get('x-hook-secret')]).toEqual([200, secret])
      return { json: { data: { gid: `${calls.length}` } } }
    })
    const created = await create({ fields: { resource: '1' } })
    const { id } = created
    const send = (by: string) => {
      const body = JSON.stringify({ events: [] })
      const headers = { 'x-hook-signature': hmacHex(by, body), 'content-type': 'application/json' }
      return app.request('POST', new URL(created.url).pathname, { headers, body })
    }
    expect([created.registration, (await send('asana-first')).status]).toEqual(['registered', 200])
    await client.connectorEndpoints.test({ id })
    expect(calls).toEqual(['POST'])
    secret = 'asana-second'
    await client.connectorEndpoints.update({ id, fields: { resource: '2' } })
    expect(calls).toEqual(['POST', 'DELETE', 'POST'])
    expect([(await send('asana-first')).status, (await send('asana-second')).status]).toEqual([401, 200])
  })

  test("is refused for another user's connection and for one that doesn't work", async () => {
    const owner = await createConnectedUser(app, 'telegram')
    const colleague = await app.withSession(await app.person(owner.org, { role: 'owner' }))
    const input = { id: owner.connectionId, agentId: owner.agentId, projectId: owner.projectId }
    await expect(colleague.connectorEndpoints.create(input)).rejects.toThrow('Connection not found')
    await owner.setStatus('expired')
    await expect(owner.create()).rejects.toThrow('has to be authorized again')
  })
})

describe('an endpoint', () => {
  test('is changed only by its owner; an admin can pause and delete it', async () => {
    const { client, endpoint, org } = await telegramEndpoint(app)
    const { id } = endpoint
    const admin = await app.withSession(await app.person(org, { role: 'admin' }))
    const member = await app.withSession(await app.person(org))
    await expect(admin.connectorEndpoints.update({ id, reply: 'off' })).rejects.toThrow(
      'Only this endpoint’s owner',
    )
    await expect(member.connectorEndpoints.update({ id, status: 'paused' })).rejects.toThrow(
      'Only this endpoint’s owner',
    )
    const paused = await admin.connectorEndpoints.update({ id, status: 'paused' })
    expect(paused).toMatchObject({ status: 'paused', pausedReason: 'by_person', held: 'endpoint' })
    await expect(admin.connectorEndpoints.update({ id, status: 'active' })).rejects.toThrow(
      'Only this endpoint’s owner',
    )
    const changed = await client.connectorEndpoints.update({
      id,
      status: 'active',
      filter: 'text',
      name: 'New',
    })
    expect(changed).toMatchObject({ status: 'active', pausedReason: null, filter: 'text', name: 'New' })
    const tested = await client.connectorEndpoints.test({ id })
    expect(tested.checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['url', true],
      ['connection', true],
      ['registration', true],
      ['secret', true],
      ['agent', true],
      ['status', true],
      ['received', false],
    ])
  })

  test('is shown to operators with its counts and without contents', async () => {
    const { endpoint, send, org } = await telegramEndpoint(app)
    await send({
      update_id: 1,
      message: { message_id: 1, from: { id: 1 }, chat: { id: 1 }, text: 'private' },
    })
    const { client: operator } = await app.operator()
    const { items } = await operator.connectorEndpoints.observeEndpoints({ connector: 'telegram' })
    const shown = items.find(({ id }) => id === endpoint.id)
    expect(shown).toMatchObject({
      organization: { id: org.id },
      counts: { received: 1, waiting: 1 },
      latency: null,
    })
    const events = await operator.connectorEndpoints.observeEvents({ endpointId: endpoint.id })
    expect(events.items).toMatchObject([{ eventKey: 'telegram.message', status: 'pending' }])
    const all = await operator.connectorEndpoints.observeEvents({ limit: 1 })
    expect(all.items).toHaveLength(1)
    expect(JSON.stringify([items, events, all])).not.toContain('private')
  })

  test('keeps events for 30 days, and pending ones until they are handled', async () => {
    const { send, sql } = await telegramEndpoint(app, { filter: 'text contains "keep"' })
    const update = (id: number, text: string) => ({
      update_id: id,
      message: { message_id: id, from: { id: 1 }, chat: { id: 1 }, text },
    })
    await send(update(1, 'ignored'))
    await send(update(2, 'keep'))
    const later = new Date(app.clock.now().getTime() + 31 * 86_400_000)
    await sweepStored(app.sql, later, 1)
    expect(await sql()).toMatchObject([{ status: 'pending' }])
  })
})
