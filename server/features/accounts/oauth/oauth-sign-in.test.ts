import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createVisitor } from '../../../testing/clients/cookie-client.ts'
import { buildOAuthWorld, claimsOf, type OAuthWorld } from '../../../testing/clients/oauth-flow.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { CLIENT, type Claims } from '../../../testing/fakes/identity-provider.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let world: OAuthWorld
let app: TestApp
beforeAll(async () => {
  world = await buildOAuthWorld()
  app = world.app
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(() => world.close())

const verify = (person: Person) => app.sql`update users set email_verified_at = now() where id = ${person.id}`

describe('the list of providers', () => {
  test('names those that are configured, and tells whether anybody may sign up', async () => {
    expect(await app.as({}).oauth.providers()).toEqual({
      items: [
        { id: 'google', name: 'Google' },
        { id: 'microsoft', name: 'Microsoft' },
        { id: 'oidc', name: 'Our directory' },
      ],
      signup: 'invite',
    })
  })

  test('leaves the others NOT_FOUND', async () => {
    for (const url of [world.startUrl('github'), world.callbackUrl('github'), world.startUrl('nonsense')]) {
      expect((await fetch(url, { redirect: 'manual' })).status).toBe(404)
    }
  })
})

describe('going to a provider', () => {
  test('takes along a state, a nonce and a challenge, fresh every time', async () => {
    const visits = [
      await createVisitor().visit(world.startUrl()),
      await createVisitor().visit(world.startUrl()),
    ]
    const [first, second] = visits.map(({ status, leadsTo }) => {
      expect(status).toBe(302)
      expect(leadsTo).toMatch(`${world.idp.url}/auth?`)
      return Object.fromEntries(new URL(leadsTo!).searchParams)
    })
    expect(first).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: world.callbackUrl(),
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
  ])('refuses to go on to %s afterwards', async (next) => {
    const { status, location } = await createVisitor().visit(world.startUrl('oidc', next))
    expect([status, location]).toEqual([400, null])
  })

  test('that cannot be reached leads back to the sign-in page', async () => {
    const url = 'http://127.0.0.1:9'
    const lonely = await buildTestApp({
      env: { ATRIUM_OIDC_URL: url, ATRIUM_OIDC_CLIENT_ID: 'a', ATRIUM_OIDC_CLIENT_SECRET: 'b' },
    })
    const { status, location } = await createVisitor().visit(`${lonely.url}/api/v1/auth/oauth/oidc/start`)
    expect([status, location]).toEqual([302, '/sign-in?error=provider_error'])
    await lonely.close()
  })
})

describe('coming back from a provider', () => {
  test('signs in whoever has the address, links them, and goes on to where they wanted', async () => {
    const ada = await world.somebody()
    await verify(ada)
    world.idp.letIn(claimsOf(ada.email.toUpperCase()))
    const { visitor, status, location } = await world.signIn({ next: '/feedback?tab=open' })
    expect([status, location]).toEqual([302, '/feedback?tab=open'])
    expect(await world.sessionOf(visitor)).toMatchObject({ user: { id: ada.id, emailVerified: true } })
    expect(visitor.cookieAt(app.url, 'atrium_flow')).toBeUndefined()
    expect(await world.actsOf(ada.id)).toEqual(['identity.linked', 'sign-in'])
    expect(
      await app.sql`select provider, subject like ${`${world.idp.url} %`} as "ofIssuer", email from identities
        where user_id = ${ada.id}`,
    ).toEqual([{ provider: 'oidc', ofIssuer: true, email: ada.email }])
  })

  test('does not open the step-up window', async () => {
    const ada = await world.somebody()
    world.idp.letIn(claimsOf(ada.email))
    const { visitor } = await world.signIn()
    expect((await world.sessionOf(visitor)).stepUp.active).toBe(false)
  })

  test('knows the person again, whatever their address has become', async () => {
    const [ada, bob] = [await world.somebody(), await world.somebody()]
    const claims = claimsOf(ada.email)
    world.idp.letIn(claims)
    await world.signIn()
    world.idp.letIn({ ...claims, email: bob.email, email_verified: false })
    const { visitor, location } = await world.signIn()
    expect(location).toBe('/')
    expect((await world.sessionOf(visitor)).user.id).toBe(ada.id)
  })

  test.each([
    ['google', {}],
    ['microsoft', { email_verified: undefined, xms_edov: true }],
    ['microsoft', { email_verified: undefined, tid: '9188040d-6c67-4c5b-b112-36a304b66dad' }],
  ])('works for %s with %o', async (provider, more) => {
    const ada = await world.somebody()
    world.idp.letIn(claimsOf(ada.email, more))
    const { visitor, location } = await world.signIn({ provider })
    expect(location).toBe('/')
    expect((await world.sessionOf(visitor)).user.id).toBe(ada.id)
  })

  test.each<[string, string, Partial<Claims>]>([
    ['an address that the provider does not vouch for', 'oidc', { email_verified: false }],
    ['an address of which the provider says nothing', 'google', { email_verified: undefined }],
    [
      'an address that any tenant could have written',
      'microsoft',
      { email_verified: undefined, tid: 'evil' },
    ],
    ['no address', 'oidc', { email: undefined }],
    ['an address that is none', 'oidc', { email: 'ada' }],
  ])('refuses %s', async (_name, provider, more) => {
    const ada = await world.somebody()
    world.idp.letIn(claimsOf(ada.email, more))
    const { visitor, location } = await world.signIn({ provider })
    expect(location).toBe('/sign-in?error=unverified_address')
    await expect(world.sessionOf(visitor)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await app.sql`select from identities where user_id = ${ada.id}`).toHaveLength(0)
  })

  test('asks for the second factor where one is enrolled, with the ticket in the fragment', async () => {
    const ada = await world.somebody()
    await verify(ada)
    await app.sql`update users set totp_secret = 'x', totp_enabled_at = now() where id = ${ada.id}`
    world.idp.letIn(claimsOf(ada.email))
    const { visitor, location } = await world.signIn({ next: '/api-keys?new=1' })
    expect(location).toMatch(/^\/sign-in\?next=%2Fapi-keys%3Fnew%3D1#second-factor=[\w-]{43}$/)
    expect(visitor.cookieAt(app.url, 'atrium_session')).toBeUndefined()
    expect(await app.sql`select from sessions where user_id = ${ada.id}`).toHaveLength(0)
  })

  test('refuses somebody who is in no organization any more', async () => {
    const ada = await world.somebody()
    world.idp.letIn(claimsOf(ada.email))
    await app.sql`delete from memberships where user_id = ${ada.id}`
    expect((await world.signIn()).location).toBe('/sign-in?error=no_organization')
  })

  test('tells that the person said no, and nothing of what the provider said', async () => {
    world.idp.deny()
    expect((await world.signIn()).location).toBe('/sign-in?error=access_denied')
  })

  test('tells no more than that the provider failed, and the operator why', async () => {
    const { visitor, callback } = await world.journey({ alter: (url) => url.searchParams.set('scope', '') })
    expect(callback).toContain('error_description=openid+scope')
    const { location, text } = await visitor.visit(callback)
    expect([location, text]).toEqual(['/sign-in?error=provider_error', ''])
    expect(world.logged.at(-1)).not.toContain('openid+scope')
    expect(world.reasons().at(-1)).toMatchObject({
      provider: 'oidc',
      reason: expect.stringContaining('invalid_request'),
    })
    expect(world.logged.join('')).not.toContain(new URL(callback).searchParams.get('state'))
  })
})
