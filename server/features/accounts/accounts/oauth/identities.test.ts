import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { randomHex } from '../../../../security/random.ts'
import { buildOAuthApp, createClaims, type OAuthApp } from '../../../../testing/clients/oauth-flow.ts'
import { PASSWORD } from '../../../../testing/factories/factories.ts'
import { bearer, cookie, type TestApp } from '../../../../testing/test-app.ts'

let oauth: OAuthApp
/** A second server with open sign-up. */
let open: OAuthApp
let app: TestApp
beforeAll(async () => {
  oauth = await buildOAuthApp()
  app = oauth.app
  open = await buildOAuthApp({ ATRIUM_SIGNUP: 'open' })
  await open.member()
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(async () => {
  await oauth.close()
  await open.close()
})

describe("OAuth sign-in with an existing account's email address", () => {
  test("opens a separate account for the address's owner, and leaves the unverified one unchanged", async () => {
    const { app } = open
    const eve = await app.person(await app.organization('Eve'), { password: PASSWORD })
    const [session, key] = [await app.session(eve), await app.key(eve)]
    open.idp.signInAs(createClaims(eve.email))
    const { browser, location } = await open.signIn()
    expect(location).toBe('/')
    const own = await open.sessionOf(browser)
    expect(own).toMatchObject({ user: { email: eve.email, emailVerified: true }, role: 'owner' })
    expect([own.user.id === eve.id, own.organizations.length, own.organization.id === eve.orgId]).toEqual([
      false,
      1,
      false,
    ])
    expect((await app.as(cookie(session)).accounts.session()).user.id).toBe(eve.id)
    await app.as(bearer(key)).feedback.list({})
  })

  test('is refused if the address is unverified and sign-up is invite-only', async () => {
    const eve = await app.person(await app.organization())
    oauth.idp.signInAs(createClaims(eve.email))
    expect((await oauth.signIn()).location).toBe('/sign-in?error=signup_closed')
  })

  test('keeps all credentials if the address is verified', async () => {
    const ada = await oauth.member(PASSWORD)
    oauth.idp.signInAs(createClaims(ada.email))
    await oauth.signIn()
    const body = { email: ada.email, password: PASSWORD }
    expect((await app.request('POST', '/api/v1/auth/sign-in/email', { body })).status).toBe(200)
  })
})

describe('OAuth sign-in without an account', () => {
  test('is refused if sign-up is invite-only', async () => {
    const email = `${randomHex(6)}@example.com`
    oauth.idp.signInAs(createClaims(email))
    expect((await oauth.signIn()).location).toBe('/sign-in?error=signup_closed')
    expect(await app.sql`select from users where email = ${email}`).toHaveLength(0)
  })

  test('finds the open sign-up mode in the provider list', async () => {
    expect(await open.app.as({}).oauth.providers()).toMatchObject({ signup: 'open' })
  })

  test('creates an account with its own organization if sign-up is open', async () => {
    const email = `${randomHex(6)}@example.com`
    open.idp.signInAs(createClaims(email, { name: ` ${'Ada\0 '.repeat(60)}` }))
    const { browser, location } = await open.signIn({ next: '/welcome' })
    expect(location).toBe('/welcome')
    const session = await open.sessionOf(browser)
    expect(session).toMatchObject({
      user: { email, emailVerified: true, operator: false },
      role: 'owner',
      workspace: { name: 'General' },
      stepUp: { active: false },
    })
    expect(session.user.name).toBe('Ada '.repeat(30).trim())
    expect(await open.auditActionsOf(session.user.id)).toEqual(['sign-up', 'identity.linked', 'sign-in'])
  })

  test('creates one account for concurrent callbacks', async () => {
    const email = `${randomHex(6)}@example.com`
    open.idp.signInAs(createClaims(email, { name: undefined }))
    const flows = [await open.authorize(), await open.authorize(), await open.authorize()]
    const callbacks = await Promise.all(flows.map(({ browser, callback }) => browser.visit(callback)))
    expect(callbacks.map(({ location }) => location)).toEqual(['/', '/', '/'])
    expect(await open.app.sql`select name from users where email = ${email}`).toEqual([
      { name: email.split('@')[0] },
    ])
    expect(await open.app.sql`select from identities where email = ${email}`).toHaveLength(1)
  })

  test("is refused if the provider hasn't verified the email address", async () => {
    open.idp.signInAs(createClaims(`${randomHex(6)}@example.com`, { email_verified: false }))
    expect((await open.signIn()).location).toBe('/sign-in?error=unverified_address')
  })
})
