import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await buildTestApp({
    env: {
      ATRIUM_CONNECTOR_GITHUB_CLIENT_ID: 'server-client',
      ATRIUM_CONNECTOR_GITHUB_CLIENT_SECRET: 'server-secret-value',
      ATRIUM_CONNECTOR_SENTRY_DISABLED: 'true',
    },
  })
})
afterAll(() => app.close())

describe('the catalog', () => {
  test('lists connectors by name, with their tools and the fields users have to enter', async () => {
    const { client } = await app.newUser()
    const { items } = await client.connectors.list({})
    const names = items.map(({ name }) => name)
    expect(names).toEqual(names.toSorted((left, right) => left.localeCompare(right, 'en')))
    const resend = items.find(({ slug }) => slug === 'resend')!
    expect(resend).toMatchObject({ authType: 'api_key', configured: true, client: null })
    expect(resend.credentialFields).toMatchObject([{ key: 'apiKey', required: true, secret: true }])
    expect(resend.tools.find(({ name }) => name === 'resend_send_email')).toMatchObject({ risk: 'send' })
    expect(items.every((item) => (item.availability === 'available') === !item.availabilityReason)).toBe(true)
  })

  test('filters by category, credential kind and text', async () => {
    const { client } = await app.newUser()
    const slugs = async (query: object) => (await client.connectors.list(query)).items.map(({ slug }) => slug)
    expect(await slugs({ category: 'code', authType: 'oauth' })).toContain('github')
    expect(await slugs({ category: 'mail' })).not.toContain('github')
    expect(await slugs({ search: 'PULL requests' })).toContain('github')
    expect(await slugs({ search: 'no such thing' })).toEqual([])
  })

  test('returns NOT_FOUND for an unknown connector', async () => {
    const { client } = await app.newUser()
    await expect(client.connectors.get({ slug: 'nothing' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'Connector not found',
    })
  })
})

test("a connector the operator turned off is shown with the reason, and can't be connected", async () => {
  const { person } = await app.newUser()
  const client = await app.withKey(person, ['connections:write'])
  expect(await client.connectors.get({ slug: 'sentry' })).toMatchObject({
    availability: 'disabled',
    availabilityReason: 'This server’s operator turned it off',
  })
  await expect(client.connections.start({ connectorSlug: 'sentry' })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Sentry is disabled: this server’s operator turned it off',
  })
})

describe('OAuth clients', () => {
  test("an organization's client takes precedence over the server's, and its secret is never returned", async () => {
    const { org, person, headers } = await app.newUser({ role: 'owner' })
    const browser = await app.withSession(person)
    expect((await browser.connectors.get({ slug: 'github' })).client).toMatchObject({
      source: 'server',
      clientId: null,
      redirectUri: expect.stringContaining(`${app.url}/api/v1/connections/oauth/callback`),
    })
    const ownClient = { clientId: 'our-client', clientSecret: 'our-secret-value' }
    const path = '/api/v1/connectors/github/client'
    const stepUpHeaders = cookie(await app.session(person))
    const set = await app.request('PUT', path, { headers: stepUpHeaders, body: ownClient })
    expect(set.body.client).toMatchObject({ source: 'organization', clientId: 'our-client' })
    const texts = [set.text, (await app.request('GET', '/api/v1/connectors', { headers })).text]
    expect(texts.join()).not.toMatch(/secret-value/)
    const [row] = await app.sql`select * from connector_clients where org_id = ${org.id}`
    expect(JSON.stringify(row)).not.toContain('our-secret-value')
    expect((await app.request('DELETE', path, { headers: stepUpHeaders })).body.client.source).toBe('server')
    const audit = await app.sql`select action from audit where org_id = ${org.id} order by id`
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['connector.client-set', 'connector.client-removed']),
    )
  })

  test('rejects a client for a connector without OAuth', async () => {
    const { person } = await app.newUser({ role: 'admin' })
    const stepUpHeaders = cookie(await app.session(person))
    const body = { clientId: 'a', clientSecret: 'b' }
    const answer = await app.request('PUT', '/api/v1/connectors/resend/client', {
      headers: stepUpHeaders,
      body,
    })
    expect([answer.status, answer.body.error.message]).toEqual([400, 'Resend does not use OAuth'])
    expect((await app.request('GET', '/api/v1/connectors', { headers: bearer({ key: 'x' }) })).status).toBe(
      401,
    )
  })
})
