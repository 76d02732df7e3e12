import { createHmac, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCookieClient } from '../../../testing/clients/cookie-client.ts'
import { mailsTo, waitForJobs } from '../../../testing/fakes/mailbox.ts'
import { startOAuthService } from '../../../testing/fakes/oauth-service.ts'
import { buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

const SECRET = 'client-secret-value'
let service: Awaited<ReturnType<typeof startOAuthService>>
let authorizationServer: Awaited<ReturnType<typeof startAuthorizationServer>>
let app: TestApp

beforeAll(async () => {
  service = await startOAuthService()
  authorizationServer = await startAuthorizationServer()
  const connector = (name: string, url: string | null) => ({
    ...(url && { [`ATRIUM_CONNECTOR_${name}_URL`]: url }),
    [`ATRIUM_CONNECTOR_${name}_CLIENT_ID`]: 'client',
    [`ATRIUM_CONNECTOR_${name}_CLIENT_SECRET`]: SECRET,
  })
  app = await buildTestApp({
    env: {
      ...connector('GOOGLE_DRIVE', service.url),
      ...connector('SHOPIFY', service.url),
      ...connector('DROPBOX', authorizationServer.url),
      ...connector('GITLAB', null),
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1',
    },
  })
  authorizationServer.serve(`${app.url}/api/v1/connections/oauth/callback`)
  await app.app.startWorker()
})
beforeEach(() => service.behave({}))
afterAll(async () => {
  await app.close()
  await Promise.all([service.close(), authorizationServer.close()])
})

/** An OAuth 2 server of a third-party library at the paths of Dropbox, with PKCE and rotation. */
async function startAuthorizationServer() {
  let handle: (request: never, response: never) => unknown = () => {}
  let tokenRequests = 0
  const server = createServer((request, response) => handle(request as never, response as never))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  return {
    url,
    tokenRequests: () => tokenRequests,
    serve(redirectUri: string) {
      const scope =
        'account_info.read files.metadata.read files.content.read files.content.write sharing.write'
      const provider = new Provider(url, {
        clients: [
          {
            client_id: 'client',
            client_secret: SECRET,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
            grant_types: ['authorization_code', 'refresh_token'],
          },
        ],
        jwks: { keys: [{ ...jwk, alg: 'RS256', use: 'sig' } as never] },
        cookies: { keys: ['for tests'] },
        scopes: ['openid', ...scope.split(' ')],
        pkce: { required: () => true },
        routes: { authorization: '/oauth2/authorize', token: '/oauth2/token' },
        issueRefreshToken: async () => true,
        rotateRefreshToken: true,
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
        ttl: { Session: 600, Interaction: 600, Grant: 6000, AccessToken: 3600, RefreshToken: 6000 },
        findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
        async loadExistingGrant(ctx) {
          const { client, session } = ctx.oidc
          const ids = { clientId: client!.clientId, accountId: session!.accountId! }
          const grant = new ctx.oidc.provider.Grant(ids)
          grant.addOIDCScope(scope)
          await grant.save()
          return grant
        },
      })
      const callback = provider.callback()
      handle = async (request, response) => {
        const { url: path = '', headers } = request as { url?: string; headers: { authorization?: string } }
        if (path.startsWith('/interaction/')) {
          const result = { login: { accountId: 'ada' }, consent: {} }
          return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
        }
        if (path.startsWith('/oauth2/token')) tokenRequests++
        if (!path.startsWith('/2/')) return callback(request, response)
        const token = await provider.AccessToken.find(headers.authorization?.slice(7) ?? '')
        const answer = response as unknown as import('node:http').ServerResponse
        answer.writeHead(token ? 200 : 401, { 'content-type': 'application/json' })
        answer.end(JSON.stringify({ account_id: token?.accountId, name: { display_name: 'Ada' } }))
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function start(slug: string, config: Record<string, string> = {}) {
  const { org, person } = await app.newUser({ role: 'owner' })
  const session = await app.session(person)
  const answer = await app.request('POST', '/api/v1/connections', {
    headers: cookie(session),
    body: { connectorSlug: slug, config },
  })
  const flow = answer.headers.getSetCookie()[0]?.split(';')[0]
  const headers = { cookie: `${session.cookie}; ${flow}` }
  const id = answer.body.connection?.id as string
  return {
    ...{ org, person, id, headers, answer, url: answer.body.oauthUrl as string },
    follow: async (callback: string | URL) => {
      const { pathname, search } = new URL(callback)
      return (await app.request('GET', pathname + search, { headers })).headers.get('location')
    },
    read: async () => (await app.request('GET', `/api/v1/connections/${id}`, { headers })).body,
  }
}

test('a connection to an oidc-provider server is authorized with PKCE, and refreshed by the worker with rotation', async () => {
  const { url, follow, read, id } = await start('dropbox')
  const redirectUri = `${app.url}/api/v1/connections/oauth/callback`
  const callback = await createCookieClient().followTo(redirectUri, url)
  expect(await follow(callback)).toBe(`/integrations/connected?connection=${id}`)
  expect(await follow(callback)).toBe('/integrations/connected?error=expired')
  expect(await read()).toMatchObject({
    status: 'active',
    account: { id: 'ada', name: 'Ada' },
    missingScopes: [],
  })
  const before = authorizationServer.tokenRequests()
  const sealed = async () =>
    (await app.sql`select sealed from connection_secrets where connection_id = ${id}`)[0]!.sealed
  const first = await sealed()
  await app.sql`update connections set refresh_due_at = now() - interval '1 second' where id = ${id}`
  await app.sql`select pg_notify('atrium_connections', '')`
  await expect.poll(sealed, { timeout: 15_000 }).not.toBe(first)
  expect(authorizationServer.tokenRequests() - before).toBe(1)
  const headers = (await start('dropbox')).headers
  expect((await app.request('GET', `/api/v1/connections/${id}`, { headers })).status).toBe(404)
})

test("the owner and admins get a mail without the provider's text when a shared connection expires", async () => {
  const { org, person, url, follow, id, headers } = await start('google-drive')
  await follow(service.approve(url))
  const admin = await app.person(org, { role: 'admin', language: 'de' })
  await app.request('PUT', `/api/v1/connections/${id}/share`, { headers, body: { shared: 'org' } })
  service.revokeAll()
  const checked = await app.request('POST', `/api/v1/connections/${id}/check`, { headers })
  expect(checked.body.status).toBe('expired')
  for (const { email } of [person, admin]) {
    const [mail, ...others] = (await mailsTo(app, email)).filter(({ subject }) =>
      subject.includes('Google Drive'),
    )
    expect(others).toEqual([])
    expect(mail!.text).toContain(`/integrations/${id}`)
    expect(mail!.text).not.toContain('Bad credentials')
  }
  const [german] = await mailsTo(app, admin.email)
  expect(german!.subject).toBe('Die Verbindung zu Google Drive muss erneut autorisiert werden')
  expect(german!.text).toContain('Google Drive akzeptiert die Zugangsdaten für die Verbindung von')
})

test('a revoked connection is revoked at the provider by a job, with the refresh token', async () => {
  const { url, follow, id, headers } = await start('google-drive')
  await follow(service.approve(url))
  const refreshToken = service.tokens().findLast((token) => token.startsWith('rt-'))
  await app.request('DELETE', `/api/v1/connections/${id}`, { headers })
  expect(await app.sql`select from connection_secrets where connection_id = ${id}`).toHaveLength(0)
  await expect.poll(() => service.revocations, { timeout: 15_000 }).toContain(refreshToken)
  await waitForJobs(app)
})

test("a Shopify callback is accepted only with the client's signature and for its shop", async () => {
  const { url, follow, read } = await start('shopify', { shop: 'acme' })
  const sign = (callback: URL, shop: string, secret = SECRET) => {
    callback.searchParams.set('shop', shop)
    callback.searchParams.set('timestamp', '1700000000')
    callback.searchParams.sort()
    const hmac = createHmac('sha256', secret).update(callback.searchParams.toString()).digest('hex')
    callback.searchParams.set('hmac', hmac)
    return callback
  }
  expect(await follow(sign(service.approve(url), 'evil.myshopify.com'))).toContain('error=refused')
  expect(await read()).toMatchObject({ status: 'failed' })
  const other = await start('shopify', { shop: 'acme' })
  expect(await other.follow(sign(service.approve(other.url), 'acme.myshopify.com', 'another'))).toContain(
    'error=refused',
  )
  const unsigned = await start('shopify', { shop: 'acme' })
  expect(await unsigned.follow(service.approve(unsigned.url))).toContain('error=refused')
  const before = service.tokenRequests.length
  const genuine = await start('shopify', { shop: 'acme' })
  await genuine.follow(sign(service.approve(genuine.url), 'acme.myshopify.com'))
  expect(service.tokenRequests.length).toBe(before + 1)
})

test("an entered host can't leave its part of the URL, or receive the secret for another host's client", async () => {
  for (const host of [
    'evil.example/x',
    'a@evil.example',
    'a b',
    'gitlab.com#',
    'gitlab.com?x',
    'gitlab.com\\@evil.example',
  ])
    expect((await start('gitlab', { host })).answer.body.error).toMatchObject({
      code: 'BAD_REQUEST',
      details: [{ path: 'body.config.host' }],
    })
  const { answer } = await start('gitlab', { host: 'evil.example' })
  expect(answer.body.error).toMatchObject({ code: 'BAD_REQUEST', details: { reason: 'not_configured' } })
  const { url, person, headers } = await start('gitlab')
  expect(new URL(url).host).toBe('gitlab.com')
  expect(new URL(url).searchParams.get('redirect_uri')).toContain('?connector=gitlab')
  const admin = await app.withSession(person)
  const client = { clientId: 'own', clientSecret: 'own-secret-value' }
  await admin.connectors.setClient({ slug: 'gitlab', ...client, config: { host: 'git.example.com' } })
  const begin = (host: string) =>
    app.request('POST', '/api/v1/connections', {
      headers,
      body: { connectorSlug: 'gitlab', label: host, config: { host } },
    })
  expect(new URL((await begin('git.example.com')).body.oauthUrl).host).toBe('git.example.com')
  expect((await begin('evil.example')).body.error.details.reason).toBe('not_configured')
})

test('a connection shared with a purged project is no longer shared', async () => {
  const { url, follow, read, id, headers, person } = await start('google-drive')
  await follow(service.approve(url))
  const project = await app.project(person)
  const body = { shared: 'project', projectId: project.id }
  await app.request('PUT', `/api/v1/connections/${id}/share`, { headers, body })
  expect(await read()).toMatchObject({ shared: 'project', sharedProjectId: project.id })
  const path = `/api/v1/projects/${project.id}`
  await app.request('DELETE', path, { headers })
  await app.request('DELETE', `${path}?permanent=true`, { headers })
  await expect.poll(async () => (await read()).shared, { timeout: 15_000 }).toBe('none')
})
