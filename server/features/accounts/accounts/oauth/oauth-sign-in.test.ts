import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCookieClient } from '../../../../testing/clients/cookie-client.ts'
import { buildOAuthApp, createClaims, type OAuthApp } from '../../../../testing/clients/oauth-flow.ts'
import type { Person } from '../../../../testing/factories/factories.ts'
import { CLIENT, type Claims } from '../../../../testing/fakes/identity-provider.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let oauth: OAuthApp
let app: TestApp
beforeAll(async () => {
  oauth = await buildOAuthApp()
  app = oauth.app
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(() => oauth.close())

const verify = (person: Person) => app.sql`update users set email_verified_at = now() where id = ${person.id}`

describe('GET /auth/oauth', () => {
  test('lists the configured providers and the sign-up mode', async () => {
    expect(await app.as({}).oauth.providers()).toEqual({
      items: [
        { id: 'google', name: 'Google' },
        { id: 'microsoft', name: 'Microsoft' },
        { id: 'oidc', name: 'Our directory' },
      ],
      signup: 'invite',
      mail: false,
      publicUrl: false,
    })
  })

  test('returns NOT_FOUND for other providers', async () => {
    for (const url of [oauth.startUrl('github'), oauth.callbackUrl('github'), oauth.startUrl('nonsense')]) {
      expect((await fetch(url, { redirect: 'manual' })).status).toBe(404)
    }
  })
})

describe('GET /auth/oauth/:provider/start', () => {
  test('sends a new state, nonce and PKCE challenge each time', async () => {
    const visits = [
      await createCookieClient().visit(oauth.startUrl()),
      await createCookieClient().visit(oauth.startUrl()),
    ]
    const [first, second] = visits.map(({ status, redirectUrl }) => {
      expect(status).toBe(302)
      expect(redirectUrl).toMatch(`${oauth.idp.url}/auth?`)
      return Object.fromEntries(new URL(redirectUrl!).searchParams)
    })
    expect(first).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: oauth.callbackUrl(),
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first![name]).toMatch(/^[\w-]{43}$/)
      expect(first![name]).not.toBe(second![name])
    }
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ])('refuses %s as the next page', async (next) => {
    const { status, location } = await createCookieClient().visit(oauth.startUrl('oidc', next))
    expect([status, location]).toEqual([400, null])
  })

  test('redirects to the sign-in page if the provider is unreachable', async () => {
    const url = 'http://127.0.0.1:9'
    const offlineApp = await buildTestApp({
      env: { ATRIUM_OIDC_URL: url, ATRIUM_OIDC_CLIENT_ID: 'a', ATRIUM_OIDC_CLIENT_SECRET: 'b' },
    })
    const { status, location } = await createCookieClient().visit(
      `${offlineApp.url}/api/v1/auth/oauth/oidc/start`,
    )
    expect([status, location]).toEqual([302, '/sign-in?error=provider_error'])
    await offlineApp.close()
  })
})

describe('GET /auth/oauth/:provider/callback', () => {
  test('signs in the user with the email address, links the identity and redirects to the next page', async () => {
    const ada = await oauth.member()
    await verify(ada)
    oauth.idp.signInAs(createClaims(ada.email.toUpperCase()))
    const { browser, status, location } = await oauth.signIn({ next: '/feedback?tab=open' })
    expect([status, location]).toEqual([302, '/feedback?tab=open'])
    expect(await oauth.sessionOf(browser)).toMatchObject({ user: { id: ada.id, emailVerified: true } })
    expect(browser.cookieAt(app.url, 'atrium_flow')).toBeUndefined()
    expect(await oauth.auditActionsOf(ada.id)).toEqual(['identity.linked', 'sign-in'])
    expect(
      await app.sql`select provider, subject like ${`${oauth.idp.url} %`} as "ofIssuer", email from identities
        where user_id = ${ada.id}`,
    ).toEqual([{ provider: 'oidc', ofIssuer: true, email: ada.email }])
  })

  test("doesn't open the step-up window", async () => {
    const ada = await oauth.member()
    oauth.idp.signInAs(createClaims(ada.email))
    const { browser } = await oauth.signIn()
    expect((await oauth.sessionOf(browser)).stepUp.active).toBe(false)
  })

  test('recognizes a linked identity after its email address changes', async () => {
    const [ada, bob] = [await oauth.member(), await oauth.member()]
    const claims = createClaims(ada.email)
    oauth.idp.signInAs(claims)
    await oauth.signIn()
    oauth.idp.signInAs({ ...claims, email: bob.email, email_verified: false })
    const { browser, location } = await oauth.signIn()
    expect(location).toBe('/')
    expect((await oauth.sessionOf(browser)).user.id).toBe(ada.id)
  })

  test.each([
    ['google', {}],
    ['microsoft', { email_verified: undefined, xms_edov: true }],
    ['microsoft', { email_verified: undefined, tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }],
  ])('signs in a %s user with the claims %o', async (provider, extraClaims) => {
    const ada = await oauth.member()
    oauth.idp.signInAs(createClaims(ada.email, extraClaims))
    const { browser, location } = await oauth.signIn({ provider })
    expect(location).toBe('/')
    expect((await oauth.sessionOf(browser)).user.id).toBe(ada.id)
  })

  test.each<[string, string, Partial<Claims>]>([
    ['an email address that the provider has not verified', 'oidc', { email_verified: false }],
    ['an email address without a claim that it is verified', 'google', { email_verified: undefined }],
    ['an email address that any tenant can set', 'microsoft', { email_verified: undefined, tid: 'evil' }],
    ['no email address', 'oidc', { email: undefined }],
    ['an invalid email address', 'oidc', { email: 'ada' }],
  ])('refuses %s', async (_name, provider, extraClaims) => {
    const ada = await oauth.member()
    oauth.idp.signInAs(createClaims(ada.email, extraClaims))
    const { browser, location } = await oauth.signIn({ provider })
    expect(location).toBe('/sign-in?error=unverified_address')
    await expect(oauth.sessionOf(browser)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await app.sql`select from identities where user_id = ${ada.id}`).toHaveLength(0)
  })

  test('requires an enrolled second factor, with the token in the fragment', async () => {
    const ada = await oauth.member()
    await verify(ada)
    await app.sql`update users set totp_secret = 'x', totp_enabled_at = now() where id = ${ada.id}`
    oauth.idp.signInAs(createClaims(ada.email))
    const { browser, location } = await oauth.signIn({ next: '/api-keys?new=1' })
    expect(location).toMatch(/^\/sign-in\?next=%2Fapi-keys%3Fnew%3D1#second-factor=[\w-]{43}$/)
    expect(browser.cookieAt(app.url, 'atrium_session')).toBeUndefined()
    expect(await app.sql`select from sessions where user_id = ${ada.id}`).toHaveLength(0)
  })

  test('refuses a user without an organization', async () => {
    const ada = await oauth.member()
    oauth.idp.signInAs(createClaims(ada.email))
    await app.sql`delete from memberships where user_id = ${ada.id}`
    expect((await oauth.signIn()).location).toBe('/sign-in?error=no_organization')
  })

  test('redirects with access_denied and no provider details', async () => {
    oauth.idp.deny()
    expect((await oauth.signIn()).location).toBe('/sign-in?error=access_denied')
  })

  test('redirects with provider_error and logs the reason', async () => {
    const { browser, callback } = await oauth.authorize({ alter: (url) => url.searchParams.set('scope', '') })
    expect(callback).toContain('error_description=openid+scope')
    const { location, text } = await browser.visit(callback)
    expect([location, text]).toEqual(['/sign-in?error=provider_error', ''])
    expect(oauth.logged.at(-1)).not.toContain('openid+scope')
    expect(oauth.reasons().at(-1)).toMatchObject({
      provider: 'oidc',
      reason: expect.stringContaining('invalid_request'),
    })
    expect(oauth.logged.join('')).not.toContain(new URL(callback).searchParams.get('state'))
  })
})
