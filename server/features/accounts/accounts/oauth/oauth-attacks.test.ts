import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CookieClient, createCookieClient } from '../../../../testing/clients/cookie-client.ts'
import { buildOAuthApp, createClaims, type OAuthApp } from '../../../../testing/clients/oauth-flow.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import type { TestApp } from '../../../../testing/test-app.ts'

let oauth: OAuthApp
let app: TestApp
beforeAll(async () => {
  oauth = await buildOAuthApp()
  app = oauth.app
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(() => oauth.close())

describe('a forged OAuth callback', () => {
  const EXPIRED = '/sign-in?error=expired'
  let ada: Person
  beforeEach(async () => {
    ada = await oauth.member()
    oauth.idp.signInAs(createClaims(ada.email))
  })

  const expectSignedOut = async (browser: CookieClient) =>
    expect(browser.cookieAt(app.url, 'atrium_session')).toBeUndefined()

  test('is refused in another browser, and invalidates the flow', async () => {
    const { browser, callback } = await oauth.authorize()
    const victim = createCookieClient()
    expect((await victim.visit(callback)).location).toBe(EXPIRED)
    await expectSignedOut(victim)
    expect((await browser.visit(callback)).location).toBe(EXPIRED)
  })

  test('is refused in a browser with its own flow, which stays valid', async () => {
    const evil = await oauth.authorize()
    const victim = await oauth.authorize()
    expect((await victim.browser.visit(evil.callback)).location).toBe(EXPIRED)
    expect((await victim.browser.visit(victim.callback)).location).toBe('/')
  })

  test('is refused with a used state, even with concurrent requests', async () => {
    const { browser, callback } = await oauth.authorize()
    const responses = await Promise.all([browser.visit(callback), browser.visit(callback)])
    expect(responses.map(({ location }) => location).sort()).toEqual(['/', EXPIRED])
    expect((await browser.visit(callback)).location).toBe(EXPIRED)
  })

  test.each([
    ['none', (url: URL) => url.searchParams.delete('state')],
    ['a made-up one', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['one that is too long', (url: URL) => url.searchParams.set('state', 'x'.repeat(5000))],
    ['one with a NUL', (url: URL) => url.searchParams.set('state', '\0')],
    ['two', (url: URL) => url.searchParams.append('state', 'x')],
  ])('is refused with a forged state: %s', async (_name, forge) => {
    const { browser, callback } = await oauth.authorize()
    const url = new URL(callback)
    forge(url)
    expect((await browser.visit(url)).location).toBe(EXPIRED)
    await expectSignedOut(browser)
  })

  test("is refused at another provider's callback", async () => {
    const { browser, callback } = await oauth.authorize()
    expect((await browser.visit(callback.replace('/oidc/', '/google/'))).location).toBe(EXPIRED)
  })

  test('is refused after ten minutes', async () => {
    const { browser, callback } = await oauth.authorize()
    app.clock.advance(601)
    expect((await browser.visit(callback)).location).toBe(EXPIRED)
  })

  test.each([
    ['another nonce', (url: URL) => url.searchParams.set('nonce', 'tampered'), 'unexpected ID Token "nonce"'],
    [
      'another challenge',
      (url: URL) => url.searchParams.set('code_challenge', 'x'.repeat(43)),
      'invalid_grant',
    ],
  ])('is refused with a response to %s', async (_name, alter, reason) => {
    const { browser, callback } = await oauth.authorize({ alter })
    expect((await browser.visit(callback)).location).toBe('/sign-in?error=provider_error')
    expect(oauth.reasons().at(-1)!.reason).toContain(reason)
    await expectSignedOut(browser)
  })

  test.each([
    ['none', (url: URL) => url.searchParams.delete('code'), 'no authorization code'],
    ['a made-up one', (url: URL) => url.searchParams.set('code', 'guessed'), 'invalid_grant'],
    ['two', (url: URL) => url.searchParams.append('code', 'other'), 'only once'],
  ])('is refused with a forged code: %s', async (_name, forge, reason) => {
    const { browser, callback } = await oauth.authorize()
    const url = new URL(callback)
    forge(url)
    expect((await browser.visit(url)).location).toBe('/sign-in?error=provider_error')
    expect(oauth.reasons().at(-1)!.reason).toContain(reason)
    await expectSignedOut(browser)
  })

  test("is refused with another flow's code", async () => {
    const evil = await oauth.authorize()
    const victim = await oauth.authorize()
    const url = new URL(victim.callback)
    url.searchParams.set('code', new URL(evil.callback).searchParams.get('code')!)
    expect((await victim.browser.visit(url)).location).toBe('/sign-in?error=provider_error')
    await expectSignedOut(victim.browser)
  })

  test('is refused with another issuer', async () => {
    const { browser, callback } = await oauth.authorize()
    const url = new URL(callback)
    url.searchParams.set('iss', 'https://evil.example')
    expect((await browser.visit(url)).location).toBe('/sign-in?error=provider_error')
  })
})
