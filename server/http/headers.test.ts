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

const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
}
const INERT = "default-src 'none'; frame-ancestors 'none'; sandbox"

describe('every answer', () => {
  test.each([
    ['of the API', '/api/v1/setup', 200],
    ['that is a failure', '/api/v1/feedback', 401],
    ['to an unknown address', '/api/v1/nothing', 404],
    ['to an address that cannot be read', '/api/v1/feedback/%zz', 400],
    ['about health', '/healthz', 200],
  ])('%s carries the security headers and may do nothing in a browser', async (_, path, status) => {
    const answer = await app.request('GET', path)
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toMatchObject(EVERYWHERE)
    expect(answer.headers.get('content-security-policy')).toBe(INERT)
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(answer.headers.get('x-powered-by')).toBeNull()
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('that holds data is not stored by caches', async () => {
    const { headers, client } = await app.newcomer()
    const { id } = await client.feedback.submit({ message: 'Mine' })
    const cacheOf = async (path: string) =>
      (await app.request('GET', path, { headers })).headers.get('cache-control')
    expect(await cacheOf('/api/v1/feedback')).toBe('no-store')
    expect(await cacheOf(`/api/v1/feedback/${id}`)).toBe('private, no-cache')
  })

  test('that is a page runs nothing but its own scripts and cannot be framed', async () => {
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
    expect(Object.fromEntries(headers)).toMatchObject(EVERYWHERE)
  })

  test('asks for https where people come over https, and only there', async () => {
    const hstsOf = async (from: TestApp) =>
      (await from.request('GET', '/healthz')).headers.get('strict-transport-security')
    expect([await hstsOf(app), await hstsOf(onHttps)]).toEqual([null, 'max-age=31536000'])
  })
})

describe('a change that a browser sends with a cookie', () => {
  async function submit(to: TestApp, headers: Headers) {
    const session = await to.session(await to.person(await to.organization()))
    const name = to === onHttps ? '__Host-atrium_session' : 'atrium_session'
    const sent = { cookie: session.cookie.replace('atrium_session', name), ...headers }
    return to.request('POST', '/api/v1/feedback', { headers: sent, body: { message: 'm' } })
  }
  const host = () => new URL(app.url).host

  test.each<[string, () => Headers]>([
    ['from the same origin', () => ({ origin: app.url, 'sec-fetch-site': 'same-origin' })],
    ['from the same origin, by an older browser', () => ({ origin: app.url })],
    ['by the person themselves', () => ({ 'sec-fetch-site': 'none' })],
    ['by a program that is no browser', () => ({})],
  ])('%s is accepted', async (_, headers) => expect((await submit(app, headers())).status).toBe(201))

  test.each<[string, () => Headers]>([
    ['from another site', () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })],
    ['from another site, by an older browser', () => ({ origin: 'https://evil.example' })],
    ['from another site that hides its origin', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['from a sibling domain', () => ({ 'sec-fetch-site': 'same-site' })],
    ['from a frame without an origin', () => ({ origin: 'null' })],
    ['from another port', () => ({ origin: 'http://127.0.0.1:1' })],
    ['from an address that begins like ours', () => ({ origin: `http://${host()}.evil.example` })],
    ['from an address that hides ours', () => ({ origin: `http://${host()}@evil.example` })],
  ])('%s is FORBIDDEN', async (_, headers) => {
    const { status, body } = await submit(app, headers())
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      { reason: 'cross_site' },
    ])
  })

  test('is accepted from the public address', async () => {
    expect((await submit(onHttps, { origin: 'https://atrium.example' })).status).toBe(201)
    expect((await submit(onHttps, { origin: 'https://evil.example' })).status).toBe(403)
  })

  test('is accepted from the host that a trusted proxy names, and no other', async () => {
    const headers = { origin: 'http://public.example', 'x-forwarded-host': 'public.example' }
    expect((await submit(behindProxy, headers)).status).toBe(201)
    expect((await submit(app, headers)).status).toBe(403)
  })
})

test('another site cannot sign a browser in, but may show what anybody can read', async () => {
  const { email } = await app.person(await app.organization(), { password: PASSWORD })
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const body = { email, password: PASSWORD }
  expect((await app.request('POST', '/api/v1/auth/sign-in/email', { headers, body })).status).toBe(403)
  expect((await app.request('GET', '/api/v1/setup', { headers })).status).toBe(200)
})

test('an API key works from anywhere, as no browser adds it by itself', async () => {
  const { headers } = await app.newcomer()
  const foreign = { ...headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const answer = await app.request('POST', '/api/v1/feedback', { headers: foreign, body: { message: 'm' } })
  expect(answer.status).toBe(201)
})

describe('forwarded headers', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }

  async function signIn(to: TestApp, headers: Headers) {
    const { id, email } = await to.person(await to.organization(), { password: PASSWORD })
    const body = { email, password: PASSWORD }
    const answer = await to.request('POST', '/api/v1/auth/sign-in/email', { headers, body })
    const [session] = await to.sql`select address from sessions where user_id = ${id}`
    return { address: session!.address, isSecure: answer.headers.get('set-cookie')!.includes('; Secure') }
  }

  test('are believed from a trusted proxy', async () =>
    expect(await signIn(behindProxy, forwarded)).toEqual({ address: '203.0.113.9', isSecure: true }))

  test('are ignored from anybody else', async () =>
    expect(await signIn(app, forwarded)).toEqual({ address: '127.0.0.1', isSecure: false }))

  test('are read from the right: what a caller put in front of the proxy’s own is not believed', async () => {
    const spoofed = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.1.2.3' }
    expect(await signIn(behindProxy, spoofed)).toMatchObject({ address: '203.0.113.9' })
  })
})

test('a cookie of another name is no session', async () => {
  const session = await app.session(await app.person(await app.organization()))
  const headers = cookie({ cookie: session.cookie.replace('atrium', '__Host-atrium') })
  expect((await app.request('GET', '/api/v1/auth/session', { headers })).status).toBe(401)
})
