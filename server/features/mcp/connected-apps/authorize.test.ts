import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { authorizeQuery, newVerifier, REDIRECT_URI, registerApp } from '../../../testing/clients/oauth-app.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await shareTestApp()
  person = await app.person(await app.organization())
})

describe('an authorization request', () => {
  const preview = async (request: string) =>
    (await app.withSession(person)).connectedApps.preview({ request })

  test('never yields a return URL for another redirect URI or an unknown client', async () => {
    const client = await registerApp(app, {
      redirect_uris: ['https://app.example/cb', 'http://localhost/cb', 'cursor://app/cb'],
    })
    const ask = (redirect_uri: string) => preview(authorizeQuery(client, newVerifier(), { redirect_uri }))
    for (const uri of [
      'https://app.example/cb/',
      'https://app.example/cb?x',
      'https://app.example:444/cb',
      'https://APP.example/cb',
      'https://app.example/cb/../evil',
      'https://app.example@evil.example/cb',
      'https://app.example.evil.example/cb',
      'http://app.example/cb',
      'http://localhost/other',
      'http://127.0.0.1/cb',
      'http://localhost:80@evil.example/cb',
      'http://localhost.evil.example/cb',
      'https://localhost/cb',
      'cursor://app/cb/more',
      'javascript:alert(1)',
      '//evil.example',
    ]) {
      await expect(ask(uri), uri).rejects.toMatchObject({ status: 400, reason: 'invalid_redirect_uri' })
    }
    expect((await ask('http://localhost:50123/cb')).app.local).toBe(true)
    expect((await ask('cursor://app/cb')).app.returnsTo).toBe('cursor:')
    const unknown = { client_id: '01890000-0000-7000-8000-000000000000' }
    await expect(preview(authorizeQuery(unknown, newVerifier()))).rejects.toMatchObject({
      reason: 'invalid_client',
    })
    const twice = `${authorizeQuery(client, newVerifier())}&redirect_uri=https://evil.example`
    await expect(preview(twice)).rejects.toMatchObject({ reason: 'invalid_request' })
  })

  test('refuses a client document inside the network without connecting', async () => {
    const listener = createServer()
    const connections: unknown[] = []
    listener.on('connection', (socket) => connections.push(socket.destroy()))
    await once(listener.listen(0, '127.0.0.1'), 'listening')
    const { port } = listener.address() as AddressInfo
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '127.0.0.1.nip.io.localhost',
    ]) {
      const client = { client_id: `https://${host}:${port}/client.json` }
      await expect(preview(authorizeQuery(client, newVerifier())), host).rejects.toMatchObject({
        status: 400,
        reason: 'invalid_client',
      })
    }
    expect(connections).toEqual([])
    await once(listener.close(), 'close')
  })

  test.each([
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: null }, 'invalid_request'],
    [{ code_challenge: null }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('cannot be approved with %j, and the preview has a URL that reports the error', async (query, error) => {
    const client = await registerApp(app)
    const request = authorizeQuery(client, newVerifier(), query as Record<string, string | null>)
    const { problem } = await preview(request)
    expect(problem?.error).toBe(error)
    const url = new URL(problem!.redirect)
    expect([url.origin + url.pathname, url.searchParams.get('error')]).toEqual([REDIRECT_URI, error])
    const browser = await app.withSession(person)
    await expect(browser.connectedApps.connect({ request })).rejects.toMatchObject({ status: 400 })
  })

  test('returns a hostile state to the app as one encoded parameter', async () => {
    const client = await registerApp(app)
    const state = '"><script>\r\nlocation: https://evil.example&code=stolen#x'
    const browser = await app.withSession(person)
    const request = authorizeQuery(client, newVerifier(), { state })
    const { redirect } = await browser.connectedApps.connect({ request })
    const url = new URL(redirect)
    expect(url.searchParams.get('state')).toBe(state)
    expect([url.hash, url.searchParams.getAll('code').length]).toEqual(['', 1])
    expect(redirect).toMatch(/^[\x21-\x7e]+$/)
  })

  test("can be approved only in the member's browser with step-up: no other site, frame or GET", async () => {
    const client = await registerApp(app)
    const request = authorizeQuery(client, newVerifier())
    const session = cookie(await app.session(person))
    const path = '/api/v1/connected-apps'
    const foreign = { ...session, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const crossSite = await app.request('POST', path, { headers: foreign, body: { request } })
    expect([crossSite.status, crossSite.body.error.details.reason]).toEqual([403, 'cross_site'])
    const stale = cookie(await app.session(person, { steppedUp: false }))
    const { body } = await app.request('POST', path, { headers: stale, body: { request } })
    expect(body.error.details.reason).toBe('step_up_required')
    const before = await app.sql`select from app_grants where client_id = ${client.client_id}`
    const { headers } = await app.request('GET', `/authorize?${request}`, { headers: session })
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect([headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual(['DENY', 'no-referrer'])
    expect(await app.sql`select from app_grants where client_id = ${client.client_id}`).toEqual(before)
  })
})

describe('registration', () => {
  test.each([
    'http://app.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://0.0.0.0/cb',
    'javascript://app/%0aalert(1)',
    'data:text/html,x',
    'https://user:password@app.example/cb',
    'https://app.example/cb#fragment',
    'https://app.example/cb?code=x',
    'https://app.example/c b',
    'https:app.example',
    'ms-settings:/x',
    'com.example.app:cb',
    '/cb',
  ])('refuses the redirect URI %s', async (uri) => {
    const body = { redirect_uris: [uri] }
    await app.sql`delete from rate_limits`
    const { status, body: refused } = await app.request('POST', '/register', { body })
    expect([status, refused.error]).toEqual([400, 'invalid_redirect_uri'])
  })

  test('is limited per IP address, and tells how long to wait', async () => {
    await app.sql`delete from rate_limits`
    const body = { redirect_uris: [REDIRECT_URI] }
    const answers = []
    for (let count = 0; count < 21; count++) answers.push(await app.request('POST', '/register', { body }))
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(201), 429])
    const last = answers.at(-1)!
    expect(last.body.error).toBe('temporarily_unavailable')
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    await app.sql`delete from rate_limits`
  })
})
