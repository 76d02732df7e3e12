import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { randomHex } from '../../../security/random.ts'
import { buildOAuthWorld, claimsOf, type OAuthWorld } from '../../../testing/clients/oauth-flow.ts'
import { PASSWORD, type Person } from '../../../testing/factories/factories.ts'
import { bearer, cookie, type TestApp } from '../../../testing/test-app.ts'

let world: OAuthWorld
/** The same where anybody may sign up. */
let open: OAuthWorld
let app: TestApp
beforeAll(async () => {
  world = await buildOAuthWorld()
  app = world.app
  open = await buildOAuthWorld({ ATRIUM_SIGNUP: 'open' })
  await open.somebody()
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(async () => {
  await world.close()
  await open.close()
})

const verify = (person: Person) => app.sql`update users set email_verified_at = now() where id = ${person.id}`

describe('an account whose address nobody had confirmed', () => {
  test('loses whatever somebody else may have left in it to get in with', async () => {
    const ada = await world.somebody(PASSWORD)
    const [session, key] = [await app.session(ada), await app.key(ada)]
    await app.sql`update users set totp_secret = 'x', totp_enabled_at = now() where id = ${ada.id}`
    await app.sql`insert into recovery_codes (user_id, code_hash) values (${ada.id}, 'x')`
    await app.sql`
      insert into passkeys (user_id, id, credential_id, public_key, counter, transports, synced, name, created_at)
      values (${ada.id}, ${ada.id}, ${ada.id}, '', 0, '{}', false, 'x', now())`
    await app.sql`
      insert into identities (provider, subject, id, user_id, created_at)
      values ('google', 'evil', ${ada.id}, ${ada.id}, now())`
    world.idp.letIn(claimsOf(ada.email))
    const { visitor, location } = await world.signIn()
    expect(location).toBe('/')
    expect(await world.sessionOf(visitor)).toMatchObject({
      user: { id: ada.id, emailVerified: true },
      stepUp: { methods: [] },
    })
    await expect(app.as(cookie(session)).accounts.session()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(app.as(bearer(key)).feedback.list({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    const body = { email: ada.email, password: PASSWORD }
    expect((await app.request('POST', '/api/v1/auth/sign-in/email', { body })).status).toBe(401)
    expect(await app.sql`select provider from identities where user_id = ${ada.id}`).toEqual([
      { provider: 'oidc' },
    ])
    expect(await world.actsOf(ada.id)).toEqual(['account.reclaimed', 'identity.linked', 'sign-in'])
  })

  test('keeps everything once it is confirmed', async () => {
    const ada = await world.somebody(PASSWORD)
    await verify(ada)
    world.idp.letIn(claimsOf(ada.email))
    await world.signIn()
    const body = { email: ada.email, password: PASSWORD }
    expect((await app.request('POST', '/api/v1/auth/sign-in/email', { body })).status).toBe(200)
  })
})

describe('somebody without an account', () => {
  test('is turned away where people are invited', async () => {
    const email = `${randomHex(6)}@example.com`
    world.idp.letIn(claimsOf(email))
    expect((await world.signIn()).location).toBe('/sign-in?error=signup_closed')
    expect(await app.sql`select from users where email = ${email}`).toHaveLength(0)
  })

  test('is told that they may sign up', async () => {
    expect(await open.app.as({}).oauth.providers()).toMatchObject({ signup: 'open' })
  })

  test('gets one, with an organization of their own, where sign-up is open', async () => {
    const email = `${randomHex(6)}@example.com`
    open.idp.letIn(claimsOf(email, { name: ` ${'Ada\0 '.repeat(60)}` }))
    const { visitor, location } = await open.signIn({ next: '/welcome' })
    expect(location).toBe('/welcome')
    const session = await open.sessionOf(visitor)
    expect(session).toMatchObject({
      user: { email, emailVerified: true, operator: false },
      role: 'owner',
      workspace: { name: 'General' },
      stepUp: { active: false },
    })
    expect([...session.user.name]).toHaveLength(120)
    expect(await open.actsOf(session.user.id)).toEqual(['sign-up', 'identity.linked', 'sign-in'])
  })

  test('gets one account, however many browsers come back at once', async () => {
    const email = `${randomHex(6)}@example.com`
    open.idp.letIn(claimsOf(email, { name: undefined }))
    const journeys = [await open.journey(), await open.journey(), await open.journey()]
    const arrivals = await Promise.all(journeys.map(({ visitor, callback }) => visitor.visit(callback)))
    expect(arrivals.map(({ location }) => location)).toEqual(['/', '/', '/'])
    expect(await open.app.sql`select name from users where email = ${email}`).toEqual([
      { name: email.split('@')[0] },
    ])
    expect(await open.app.sql`select from identities where email = ${email}`).toHaveLength(1)
  })

  test('is still turned away if the provider does not vouch for the address', async () => {
    open.idp.letIn(claimsOf(`${randomHex(6)}@example.com`, { email_verified: false }))
    expect((await open.signIn()).location).toBe('/sign-in?error=unverified_address')
  })
})
