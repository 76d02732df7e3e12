import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Scope } from '../../../../contract/accounts/scopes.ts'
import { startOAuthService } from '../../../testing/fakes/oauth-service.ts'
import { bearer, buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'
import { listUsable, markUsed, openConnection, reportFailure } from './connections.ts'
import { sweepConnections } from './status.ts'

const KEY = 're_valid_key_1234567890'
let service: Awaited<ReturnType<typeof startOAuthService>>
let app: TestApp

beforeAll(async () => {
  service = await startOAuthService()
  service.keys.add(KEY)
  app = await buildTestApp({
    env: { ATRIUM_CONNECTOR_RESEND_URL: service.url, ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1' },
  })
})
beforeEach(() => service.behave({}))
afterAll(async () => {
  await app.close()
  await service.close()
})

const deps = () => ({
  ...app.app.system(),
  connectors: { resend: { client: null, url: service.url, isDisabled: false, variables: [] } },
})

const SCOPES: Scope[] = ['connections:write']

async function newUser(options: { role?: 'owner' } = {}) {
  const { org, person } = await app.newUser(options)
  const headers = bearer(await app.key(person, SCOPES))
  return { org, person, headers, client: app.as(headers) }
}

async function connect({ client }: Pick<Awaited<ReturnType<typeof newUser>>, 'client'>, label?: string) {
  const { connection } = await client.connections.start({ connectorSlug: 'resend', ...(label && { label }) })
  return client.connections.submitCredentials({ id: connection.id, credentials: { apiKey: KEY } })
}

test("a connection can't be used if the operator turned off its connector", async () => {
  const { client, org } = await newUser()
  const { id } = await connect({ client })
  const { resend } = deps().connectors
  const turnedOff = { ...deps(), connectors: { resend: { ...resend, isDisabled: true } } }
  await expect(openConnection(turnedOff, org.id, id)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'connector_disabled' },
  })
  expect(await openConnection(deps(), org.id, id)).toMatchObject({ credentials: { apiKey: KEY } })
})

describe('a connection with a key', () => {
  test('is pending until the provider accepts the key, then returned as existing', async () => {
    const { client, headers, org } = await newUser()
    const path = '/api/v1/connections'
    const started = await app.request('POST', path, { headers, body: { connectorSlug: 'resend' } })
    const { id } = started.body.connection
    expect([started.status, started.body]).toMatchObject([
      201,
      {
        connection: { status: 'pending', account: null, connector: { name: 'Resend', authType: 'api_key' } },
        oauthUrl: null,
        credentialSubmitUrl: `/api/v1/connections/${id}/credentials`,
      },
    ])
    expect(await client.connections.submitCredentials({ id, credentials: { apiKey: KEY } })).toMatchObject({
      status: 'active',
      account: { name: 'example.com' },
    })
    const again = await app.request('POST', path, { headers, body: { connectorSlug: 'resend' } })
    expect([again.status, again.body]).toMatchObject([
      200,
      { connection: { id }, oauthUrl: null, credentialSubmitUrl: `/api/v1/connections/${id}/credentials` },
    ])
    const other = await client.connections.start({ connectorSlug: 'resend', label: 'Work' })
    expect(other.connection.id).not.toBe(id)
    expect((await client.connections.list({})).items.map((item) => item.id)).toEqual([
      other.connection.id,
      id,
    ])
    const events = await app.sql`select type from events where org_id = ${org.id} order by received_at, id`
    expect(events.map(({ type }) => type)).toEqual([
      'connection.created',
      'connection.established',
      'connection.created',
    ])
  })

  test('rejects missing, unknown, malformed and refused credentials by name, and stores none', async () => {
    const { client } = await newUser()
    const { id } = (await client.connections.start({ connectorSlug: 'resend' })).connection
    const submit = (credentials: Record<string, string>) =>
      client.connections.submitCredentials({ id, credentials })
    const reject = (path: string) => ({ code: 'BAD_REQUEST', details: [{ path }] })
    await expect(submit({})).rejects.toMatchObject(reject('body.credentials.apiKey'))
    await expect(submit({ apiKey: KEY, extra: 'x' })).rejects.toMatchObject(reject('body.credentials.extra'))
    await expect(submit({ apiKey: 'no key' })).rejects.toMatchObject(reject('body.credentials.apiKey'))
    await expect(submit({ apiKey: 're_refused_by_provider' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: { reason: 'CREDENTIALS_REJECTED' },
    })
    service.behave({ apiStatus: 503 })
    await expect(submit({ apiKey: KEY })).rejects.toMatchObject({
      details: { reason: 'PROVIDER_UNAVAILABLE' },
    })
    expect(await client.connections.get({ id })).toMatchObject({ status: 'pending' })
    expect(await app.sql`select from connection_secrets where connection_id = ${id}`).toHaveLength(0)
  })

  test("starts with its credentials in one call, and leaves no row if they're refused", async () => {
    const { client, org } = await newUser()
    const start = (credentials: Record<string, string>) =>
      client.connections.start({ connectorSlug: 'resend', credentials })
    await expect(start({ apiKey: 're_refused_by_provider' })).rejects.toMatchObject({
      details: { reason: 'CREDENTIALS_REJECTED' },
    })
    await expect(start({})).rejects.toMatchObject({ details: [{ path: 'body.credentials.apiKey' }] })
    service.behave({ apiStatus: 503 })
    await expect(start({ apiKey: KEY })).rejects.toMatchObject({
      details: { reason: 'PROVIDER_UNAVAILABLE' },
    })
    expect((await client.connections.list({})).items).toEqual([])
    expect(await app.sql`select from events where org_id = ${org.id}`).toHaveLength(0)
    service.behave({})
    expect((await start({ apiKey: KEY })).connection).toMatchObject({
      status: 'active',
      account: { name: 'example.com' },
    })
    await expect(
      client.connections.start({ connectorSlug: 'stripe', credentials: { apiKey: KEY } }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test("is refused with the reason if it can't be started", async () => {
    const { client, headers } = await newUser()
    await expect(client.connections.start({ connectorSlug: 'nothing' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.connectorSlug' }],
    })
    await expect(client.connections.start({ connectorSlug: 'github' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: { reason: 'not_configured' },
    })
    const { id } = (await client.connections.start({ connectorSlug: 'resend' })).connection
    await expect(client.connections.getOAuth({ id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Resend does not use OAuth',
    })
    expect((await app.request('POST', '/api/v1/connections', { headers, body: {} })).status).toBe(400)
    expect((await app.request('GET', '/api/v1/connections/no-uuid', { headers })).status).toBe(400)
  })

  test('is refused beyond the quota with the usage and limit, until one fails or is revoked', async () => {
    const { client, org, headers } = await newUser()
    await app.sql`
      insert into quota_overrides (org_id, quota, allowed, updated_at) values (${org.id}, 'connections', 2, now())`
    const { id } = await connect({ client })
    const start = (label: string) => client.connections.start({ connectorSlug: 'resend', label })
    await start('pending')
    await expect(start('third')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/2 of 2 used\. Revoke connections that are no longer used\./),
      details: { reason: 'quota_exceeded', quota: 'connections', used: 2, allowed: 2 },
    })
    expect((await client.connections.list({})).items).toHaveLength(2)
    const again = await app.request('POST', '/api/v1/connections', {
      headers,
      body: { connectorSlug: 'resend' },
    })
    expect(again.status).toBe(200)
    app.clock.advance(31 * 60)
    await start('third')
    await expect(start('fourth')).rejects.toThrow('2 of 2 used')
    await client.connections.remove({ id })
    await start('fourth')
    app.clock.reset()
  })

  test("expires after 30 minutes without a sweep, and doesn't block a new start", async () => {
    const { client } = await newUser()
    const { id } = (await client.connections.start({ connectorSlug: 'resend' })).connection
    app.clock.advance(31 * 60)
    expect(await client.connections.get({ id })).toMatchObject({ status: 'failed' })
    await expect(
      client.connections.submitCredentials({ id, credentials: { apiKey: KEY } }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    const next = (await client.connections.start({ connectorSlug: 'resend' })).connection
    expect(next).toMatchObject({ status: 'pending' })
    await sweepConnections(app.app.system())
    const rows =
      await app.sql`select id, status from connections where id in (${id}, ${next.id}) order by created_at`
    expect(rows.map(({ status }) => status)).toEqual(['failed', 'pending'])
    app.clock.advance(25 * 3600)
    await sweepConnections(app.app.system())
    expect(await app.sql`select from connections where id = ${id}`).toHaveLength(0)
    app.clock.reset()
  })

  test('expires when the provider refuses the key, and recovers with a new one', async () => {
    const owner = await newUser()
    const { org, client } = owner
    const { id } = await connect(owner)
    const used = await openConnection(deps(), org.id, id)
    expect(used.credentials).toEqual({ apiKey: KEY })
    await reportFailure(deps(), org.id, id, { means: 'expired' }, used)
    expect(await client.connections.get({ id })).toMatchObject({ status: 'active' })
    service.keys.delete(KEY)
    await Promise.all([1, 2, 3].map(() => reportFailure(deps(), org.id, id, { means: 'expired' }, used)))
    expect(await client.connections.get({ id })).toMatchObject({
      status: 'expired',
      statusReason: /refuses|accept/,
    })
    await expect(openConnection(deps(), org.id, id)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'connection_expired' },
    })
    service.keys.add(KEY)
    expect(await client.connections.check({ id })).toMatchObject({ status: 'active', statusReason: null })
    await markUsed(app.sql, org.id, id, app.clock.now())
    expect((await client.connections.get({ id })).lastUsedAt).not.toBeNull()
    const events = await app.sql`select type from events where org_id = ${org.id} order by received_at, id`
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['connection.expired', 'connection.recovered'])
  })
})

describe('sharing', () => {
  test('makes a connection usable by others, and hides it otherwise', async () => {
    const owner = await newUser({ role: 'owner' })
    const { org, person } = owner
    const { id } = await connect(owner)
    const colleague = await app.person(org)
    const asColleague = await app.withKey(colleague, SCOPES)
    const project = await app.project(person)
    const browser = await app.withSession(person)
    const usable = (projectId: string | null) =>
      listUsable(app.sql, org.id, { userId: colleague.id, projectId, slugs: ['resend'] })
    expect(await usable(project.id)).toEqual([])
    await browser.connections.share({ id, shared: 'project', projectId: project.id })
    expect(await usable(project.id)).toMatchObject([{ id, isShared: true, accountName: 'example.com' }])
    expect(await usable(null)).toEqual([])
    await browser.connections.share({ id, shared: 'org' })
    expect(await usable(null)).toHaveLength(1)
    expect((await asColleague.connections.list({})).items).toEqual([])
    expect((await asColleague.connections.list({ shared: 'true' })).items).toMatchObject([
      { id, shared: 'org', owner: { id: person.id } },
    ])
    await expect(asColleague.connections.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(asColleague.connections.remove({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const notStepped = cookie(await app.session(person, { steppedUp: false }))
    const path = `/api/v1/connections/${id}/share`
    const refused = await app.request('PUT', path, { headers: notStepped, body: { shared: 'none' } })
    expect(refused.body.error.details.reason).toBe('step_up_required')
    await browser.connections.share({ id, shared: 'none' })
    expect(await usable(null)).toEqual([])
    await browser.connections.remove({ id })
    const events = await app.sql`select type from events where org_id = ${org.id} order by received_at, id`
    expect(events.map(({ type }) => type).slice(-4)).toEqual([
      ...['connection.shared', 'connection.shared', 'connection.shared'],
      'connection.revoked',
    ])
  })

  test("rejects a project the owner can't see", async () => {
    const owner = await newUser({ role: 'owner' })
    const { id } = await connect(owner)
    const stranger = await newUser()
    const { id: projectId } = await app.project(stranger.person)
    const browser = await app.withSession(owner.person)
    await expect(browser.connections.share({ id, shared: 'project', projectId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Project not found',
    })
  })
})

describe('revocation and access', () => {
  test('deletes the credentials immediately, including when the owner leaves', async () => {
    const owner = await newUser({ role: 'owner' })
    const { org, client, person, headers } = owner
    const { id } = await connect(owner)
    expect(await client.connections.remove({ id })).toEqual({ deleted: true })
    const [row] = await app.sql`select status, deleted_at from connections where id = ${id}`
    expect(row).toMatchObject({ status: 'revoked', deleted_at: expect.anything() })
    expect(await app.sql`select from connection_secrets where connection_id = ${id}`).toHaveLength(0)
    await expect(openConnection(deps(), org.id, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await app.request('DELETE', `/api/v1/connections/${id}`, { headers })).status).toBe(404)

    const colleague = await app.person(org)
    const colleagueClient = app.as(bearer(await app.key(colleague, SCOPES)))
    const { id: colleagueConnectionId } = await connect({ client: colleagueClient })
    await (await app.withSession(person)).organization.removeMember({ userId: colleague.id })
    const rows = await app.sql`
      select c.status, s.sealed from connections c left join connection_secrets s on s.connection_id = c.id
      where c.id = ${colleagueConnectionId}`
    expect(rows).toMatchObject([{ status: 'revoked', sealed: null }])
  })

  test("another organization's connection is NOT_FOUND", async () => {
    const { id } = await connect(await newUser())
    const other = await newUser()
    for (const call of ['get', 'remove', 'check', 'calls', 'getOAuth'] as const)
      await expect(other.client.connections[call]({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(openConnection(deps(), other.org.id, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test("a key without the scope can't list or start connections", async () => {
    const { person } = await newUser()
    const client = await app.withKey(person, ['files:read'])
    await expect(client.connections.list({})).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const reader = await app.withKey(person, ['connections:read'])
    await expect(reader.connections.start({ connectorSlug: 'resend' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })
})
