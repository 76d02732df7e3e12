import { beforeAll, describe, expect, test } from 'vitest'
import {
  approve,
  authorizeQuery,
  connectApp,
  exchange,
  newVerifier,
  postForm,
  REDIRECT_URI,
  refresh,
  registerApp,
} from '../../../testing/clients/oauth-app.ts'
import { bearer, shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { identifyApp } from './grants.ts'
import { sweepJobs } from './sweep.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const newPerson = async () => app.person(await app.organization())
const usedIds: string[] = []
const identify = (token: string) =>
  identifyApp(app.sql, token, app.clock.now(), { add: (id) => void usedIds.push(id), close: async () => {} })

describe('metadata', () => {
  test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    '%s names the MCP server without a trailing slash, for pages on any origin',
    async (path) => {
      const { body, headers } = await app.request('GET', path, { headers: { origin: 'https://app.example' } })
      expect(body).toMatchObject({
        resource: `${app.url}/mcp`,
        authorization_servers: [app.url],
        scopes_supported: ['mcp:read', 'mcp:write'],
      })
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    },
  )

  test.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])(
    '%s names the endpoints at the root and what they support',
    async (path) => {
      expect((await app.request('GET', path)).body).toMatchObject({
        issuer: app.url,
        authorization_endpoint: `${app.url}/authorize`,
        token_endpoint: `${app.url}/token`,
        registration_endpoint: `${app.url}/register`,
        revocation_endpoint: `${app.url}/revoke`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
      })
    },
  )

  test('browsers may send forms and JSON cross-origin, and pages can read errors too', async () => {
    for (const path of ['/token', '/register', '/revoke']) {
      const preflightHeaders = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
      const preflight = await app.request('OPTIONS', path, { headers: preflightHeaders })
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
        204,
        'POST, OPTIONS',
      ])
      expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
      const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }
      const { status, headers: responseHeaders } = await app.request('POST', path, { headers, body: {} })
      expect([status, responseHeaders.get('access-control-allow-origin')], path).toEqual([400, '*'])
    }
  })
})

describe('connecting an app', () => {
  test('yields a code with state and issuer, then tokens for the MCP server only', async () => {
    const person = await newPerson()
    const client = await registerApp(app)
    const approval = await approve(app, person, client, { access: 'write' })
    const url = new URL(approval.redirect)
    expect(approval.redirect).toMatch(REDIRECT_URI)
    expect([url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual(['a state', app.url])

    const { status, body, headers } = await exchange(app, client, approval, { resource: `${app.url}/mcp` })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'mcp:read mcp:write' })
    expect(await identify(body.access_token)).toMatchObject({
      access: 'write',
      client: 'Test app',
      caller: { via: 'app', orgId: person.orgId, userId: person.id, role: 'member', operator: false },
    })
    const viaRest = await app.request('GET', '/api/v1/me', { headers: bearer({ key: body.access_token }) })
    expect(viaRest.status).toBe(401)
    expect(await identify(body.refresh_token)).toBeNull()

    const stored = await app.sql`select hash from app_tokens t join app_grants g on g.id = t.grant_id
      where g.user_id = ${person.id}`
    expect(stored).toHaveLength(2)
    expect(JSON.stringify(stored)).not.toContain(body.access_token)
  })

  test("shows the app's name and host without control characters, its access and redirect target before approval", async () => {
    const browser = await app.withSession(await newPerson())
    const client = await registerApp(app, {
      client_name: '  Claude\u202eedualC\u0000 <b>\n app ',
      redirect_uris: ['https://xn--80ak6aa92e.example/cb?x=1'],
    })
    const parameters = { redirect_uri: 'https://xn--80ak6aa92e.example/cb?x=1', scope: 'openid mcp:write' }
    const request = authorizeQuery(client, newVerifier(), parameters)
    expect(await browser.connectedApps.preview({ request })).toEqual({
      app: {
        name: 'ClaudeedualC <b> app',
        host: 'xn--80ak6aa92e.example',
        identified: false,
        local: false,
        returnsTo: 'xn--80ak6aa92e.example',
      },
      access: 'write',
      problem: null,
    })
    const { redirect } = await browser.connectedApps.deny({ request })
    expect(redirect).toMatch(/^https:\/\/xn--80ak6aa92e\.example\/cb\?x=1&error=access_denied&/)
    expect(new URL(redirect).searchParams.get('state')).toBe('a state')
  })

  test('lists the app, records its use, and refuses its requests once disconnected', async () => {
    const org = await app.organization()
    const person = await app.person(org)
    const browser = await app.withSession(person)
    await approve(app, person, await registerApp(app))
    const { tokens } = await connectApp(app, person, { days: 7 })
    const { items } = await browser.connectedApps.list()
    expect(items).toMatchObject([{ name: 'Test app', host: '127.0.0.1', access: 'read', lastUsedAt: null }])
    expect(Date.parse(items[0]!.expiresAt!) - Date.parse(items[0]!.createdAt)).toBe(7 * 86_400_000)
    usedIds.length = 0
    await identify(tokens.access_token)
    expect(usedIds).toEqual([items[0]!.id])

    const other = await app.withSession(await app.person(org))
    const missing = { status: 404, code: 'NOT_FOUND' }
    await expect(other.connectedApps.revoke({ id: items[0]!.id })).rejects.toMatchObject(missing)
    await browser.connectedApps.revoke({ id: items[0]!.id })
    expect(await identify(tokens.access_token)).toBeNull()
    expect((await browser.connectedApps.list()).items).toEqual([])
    const audit =
      await app.sql`select action, via, details from audit where user_id = ${person.id} order by id`
    expect(audit.map(({ action }) => action)).toEqual(['app.connected', 'app.connected', 'app.disconnected'])
  })

  test('gives access to the organization the member chose, which must be one of theirs', async () => {
    const person = await newPerson()
    const client = await registerApp(app)
    const foreign = await app.organization()
    await expect(approve(app, person, client, { organizationId: foreign.id })).rejects.toMatchObject({
      status: 404,
      message: 'Organization not found',
    })
    await app.sql`insert into memberships (org_id, user_id, role, created_at) values (${foreign.id}, ${person.id}, 'admin', now())`
    const { tokens } = await connectApp(app, person, { organizationId: foreign.id })
    expect(await identify(tokens.access_token)).toMatchObject({
      caller: { orgId: foreign.id, role: 'admin', readOnly: true },
    })
  })
})

describe('the MCP server', () => {
  const callTool = (token: string, name: string, input: object = {}) =>
    app.request('POST', '/mcp', {
      headers: { ...bearer({ key: token }), accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
    })

  test('accepts only access tokens from live grants, and points all others to its metadata', async () => {
    const person = await newPerson()
    const { approval, tokens } = await connectApp(app, person)
    const { status, text } = await callTool(tokens.access_token, 'whoami')
    expect([status, text]).toEqual([200, expect.stringContaining(person.email)])
    for (const token of [tokens.refresh_token, approval.code, `${tokens.access_token}x`, 'atrium_mcp_']) {
      const refused = await callTool(token, 'whoami')
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toContain(
        `resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp"`,
      )
    }
  })

  test("shows a grant nothing from the member's other organization, and blocks writes if read-only", async () => {
    const person = await newPerson()
    const other = await app.person(await app.organization(), { role: 'owner' })
    await app.sql`
      insert into memberships (org_id, user_id, role, created_at) values (${other.orgId}, ${person.id}, 'owner', now())`
    const { id, name } = await app.project(other, { name: 'Salaries' })
    const here = await connectApp(app, person, { access: 'write' })
    const there = await connectApp(app, person, { organizationId: other.orgId })
    const readAs = async (token: string) => (await callTool(token, 'get_project', { project: id })).text
    expect(await readAs(there.tokens.access_token)).toContain(name)
    expect(await readAs(here.tokens.access_token)).not.toContain(name)
    const change = { project: id, create: [{ type: 'note', content: 'x' }] }
    for (const { tokens } of [here, there]) {
      const { body } = await callTool(tokens.access_token, 'edit_canvas', change)
      expect(body.result.isError).toBe(true)
    }
    expect(await app.sql`select from blocks where project_id = ${id}`).toEqual([])
  })
})

describe('client authentication', () => {
  test('accepts a secret by form or HTTP Basic, and returns 401 invalid_client for a wrong or missing one', async () => {
    const person = await newPerson()
    const client = await registerApp(app, { token_endpoint_auth_method: 'client_secret_basic' })
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${client.client_id}:${encodeURIComponent(secret)}`).toString('base64')}`,
    })
    const form = (approval: { code: string; verifier: string }, headers: Record<string, string>) =>
      postForm(
        app,
        '/token',
        {
          grant_type: 'authorization_code',
          code: approval.code,
          code_verifier: approval.verifier,
          redirect_uri: REDIRECT_URI,
        },
        headers,
      )
    const approval = await approve(app, person, client)
    const wrong = await form(approval, basic('wrong'))
    expect([wrong.status, wrong.body.error, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_client',
      'Basic realm="atrium"',
    ])
    expect((await exchange(app, { client_id: client.client_id }, approval)).status).toBe(401)
    const { status, body } = await form(approval, basic(client.client_secret!))
    expect(status).toBe(200)
    expect((await refresh(app, client, body.refresh_token)).status).toBe(200)
  })

  test('returns 401 invalid_client once a client unused for 30 days is swept; a live grant counts as use', async () => {
    const sweep = () => sweepJobs[0]!.run(app.app.system(), {} as never)
    const person = await newPerson()
    const unused = await registerApp(app)
    const { client, tokens } = await connectApp(app, person)
    await refresh(app, client, tokens.refresh_token)
    const listSuccessors = () => app.sql`
      select from app_tokens t join app_grants g on g.id = t.grant_id where g.user_id = ${person.id} and successor is not null`
    await sweep()
    expect(await listSuccessors()).toHaveLength(1)
    expect((await refresh(app, unused, 'unknown')).body.error).toBe('invalid_grant')

    app.clock.advance(31 * 86_400)
    await sweep()
    expect(await listSuccessors()).toHaveLength(0)
    const { status, body } = await refresh(app, unused, 'unknown')
    expect([status, body.error]).toEqual([401, 'invalid_client'])
    expect((await refresh(app, client, 'unknown')).body.error).toBe('invalid_grant')
    app.clock.advance(91 * 86_400)
    await sweep()
    expect(await app.sql`select from app_grants where user_id = ${person.id}`).toHaveLength(0)
    expect((await refresh(app, client, 'unknown')).status).toBe(401)
    app.clock.reset()
  })
})

describe('revocation', () => {
  test("ends one access token, a refresh token's whole connection, and nothing for a foreign token", async () => {
    const person = await newPerson()
    const { client, tokens } = await connectApp(app, person)
    const stranger = await registerApp(app)
    const revoke = (by: { client_id: string }, token: string) =>
      postForm(app, '/revoke', { client_id: by.client_id, token })
    expect((await revoke(stranger, tokens.refresh_token)).status).toBe(200)
    expect((await revoke(client, 'unknown')).status).toBe(200)
    expect(await identify(tokens.access_token)).not.toBeNull()
    expect((await revoke(client, tokens.access_token)).status).toBe(200)
    expect(await identify(tokens.access_token)).toBeNull()
    const { body: next } = await refresh(app, client, tokens.refresh_token)
    await revoke(client, next.refresh_token)
    expect(await identify(next.access_token)).toBeNull()
    expect((await refresh(app, client, next.refresh_token)).body.error).toBe('invalid_grant')
  })
})
