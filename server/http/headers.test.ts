import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../testing/factories/factories.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../testing/test-app.ts'

let app: TestApp
let behindProxy: TestApp
let onHttps: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  behindProxy = await buildTestApp({ env: { ATRIUM_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' } })
  onHttps = await buildTestApp({ env: { ATRIUM_PUBLIC_URL: 'https://atrium.example' } })
})
afterAll(() => Promise.all([app.close(), behindProxy.close(), onHttps.close()]))

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
}
const INERT = "default-src 'none'; frame-ancestors 'none'; sandbox"

describe('a response', () => {
  test.each([
    ['of the API', '/api/v1/setup', 200],
    ['with an error', '/api/v1/feedback', 401],
    ['for an unknown path', '/api/v1/nothing', 404],
    ['for a malformed URL', '/api/v1/feedback/%zz', 400],
    ['of a health check', '/healthz', 200],
  ])('%s has the security headers and an inert content security policy', async (_, path, status) => {
    const response = await app.request('GET', path)
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject(SECURITY_HEADERS)
    expect(response.headers.get('content-security-policy')).toBe(INERT)
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(response.headers.get('x-powered-by')).toBeNull()
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('is not stored by shared caches if it has data', async () => {
    const { headers, client } = await app.newUser()
    const { id } = await client.feedback.submit({ message: 'Mine' })
    const cacheOf = async (path: string) =>
      (await app.request('GET', path, { headers })).headers.get('cache-control')
    expect(await cacheOf('/api/v1/feedback')).toBe('no-store')
    expect(await cacheOf(`/api/v1/feedback/${id}`)).toBe('private, no-cache')
  })

  test('allows only its own scripts and cannot be framed if it is a page', async () => {
    const { status, headers } = await app.request('GET', '/feedback', { headers: { accept: 'text/html' } })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
      ]),
    )
    expect(policy.join()).not.toContain('unsafe')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS)
  })

  test('has HSTS only if the public URL is https', async () => {
    const hstsOf = async (from: TestApp) =>
      (await from.request('GET', '/healthz')).headers.get('strict-transport-security')
    expect([await hstsOf(app), await hstsOf(onHttps)]).toEqual([null, 'max-age=31536000'])
  })
})

describe('a write with a session cookie', () => {
  async function submit(to: TestApp, headers: Headers) {
    const session = await to.session(await to.person(await to.organization()))
    const name = to === onHttps ? '__Host-atrium_session' : 'atrium_session'
    const sent = { cookie: session.cookie.replace('atrium_session', name), ...headers }
    return to.request('POST', '/api/v1/feedback', { headers: sent, body: { message: 'm' } })
  }
  const host = () => new URL(app.url).host

  test.each<[string, () => Headers]>([
    ['from the same origin', () => ({ origin: app.url, 'sec-fetch-site': 'same-origin' })],
    ['from the same origin in an older browser', () => ({ origin: app.url })],
    ['from the address bar', () => ({ 'sec-fetch-site': 'none' })],
    ['from a client that is not a browser', () => ({})],
  ])('%s is accepted', async (_, headers) => expect((await submit(app, headers())).status).toBe(201))

  test.each<[string, () => Headers]>([
    ['from another site', () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })],
    ['from another site in an older browser', () => ({ origin: 'https://evil.example' })],
    ['from another site that hides its origin', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['from a sibling domain', () => ({ 'sec-fetch-site': 'same-site' })],
    ['from a frame without an origin', () => ({ origin: 'null' })],
    ['from another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['from a host with this host as a prefix', () => ({ origin: `http://${host()}.evil.example` })],
    ['from a URL with this host as its user name', () => ({ origin: `http://${host()}@evil.example` })],
  ])('%s is FORBIDDEN', async (_, headers) => {
    const { status, body } = await submit(app, headers())
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      { reason: 'cross_site' },
    ])
  })

  test('is accepted from the public URL only', async () => {
    expect((await submit(onHttps, { origin: 'https://atrium.example' })).status).toBe(201)
    expect((await submit(onHttps, { origin: 'https://evil.example' })).status).toBe(403)
  })

  test("is accepted from a trusted proxy's forwarded host only", async () => {
    const headers = { origin: 'http://public.example', 'x-forwarded-host': 'public.example' }
    expect((await submit(behindProxy, headers)).status).toBe(201)
    expect((await submit(app, headers)).status).toBe(403)
  })
})

test('another site cannot sign a browser in but can read public data', async () => {
  const { email } = await app.person(await app.organization(), { password: PASSWORD })
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const body = { email, password: PASSWORD }
  expect((await app.request('POST', '/api/v1/auth/sign-in/email', { headers, body })).status).toBe(403)
  expect((await app.request('GET', '/api/v1/setup', { headers })).status).toBe(200)
})

test('an API key is accepted from any origin, because browsers never add it automatically', async () => {
  const { headers } = await app.newUser()
  const foreign = { ...headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const response = await app.request('POST', '/api/v1/feedback', { headers: foreign, body: { message: 'm' } })
  expect(response.status).toBe(201)
})

describe('forwarded headers', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }

  async function signIn(to: TestApp, headers: Headers) {
    const { id, email } = await to.person(await to.organization(), { password: PASSWORD })
    const body = { email, password: PASSWORD }
    const response = await to.request('POST', '/api/v1/auth/sign-in/email', { headers, body })
    const [session] = await to.sql`select address from sessions where user_id = ${id}`
    return { address: session!.address, isSecure: response.headers.get('set-cookie')!.includes('; Secure') }
  }

  test('are used from a trusted proxy', async () =>
    expect(await signIn(behindProxy, forwarded)).toEqual({ address: '203.0.113.9', isSecure: true }))

  test('are ignored from other clients', async () =>
    expect(await signIn(app, forwarded)).toEqual({ address: '127.0.0.1', isSecure: false }))

  test('are read from the right, so a caller cannot spoof an IP address', async () => {
    const spoofed = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.1.2.3' }
    expect(await signIn(behindProxy, spoofed)).toMatchObject({ address: '203.0.113.9' })
  })
})

test('a cookie with another name is not a session', async () => {
  const session = await app.session(await app.person(await app.organization()))
  const headers = cookie({ cookie: session.cookie.replace('atrium', '__Host-atrium') })
  expect((await app.request('GET', '/api/v1/auth/session', { headers })).status).toBe(401)
})
