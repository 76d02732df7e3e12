import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../testing/factories/factories.ts'
import {
  acceptInvite,
  createInvitation,
  createOutsider,
  listMemberIds,
  NEW_USER,
  randomEmail,
  sortedStatuses,
} from '../../../testing/factories/invitations.ts'
import { bearer, buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
})
afterAll(() => app.close())
// All tests use one IP address.
beforeEach(() => app.sql`delete from rate_limits`)

describe('accepting with an existing account, without a session', () => {
  test('joins with the password and activates the new organization, stepped up', async () => {
    const person = await createOutsider(app, { password: PASSWORD, verified: false })
    const { org, token } = await createInvitation(app, person.email)
    const answer = await acceptInvite(app, { token, password: PASSWORD })
    expect([answer.status, answer.body.user.id]).toEqual([201, person.id])
    expect(answer.body).toMatchObject({
      user: { emailVerified: true },
      organization: { id: org.id },
      workspace: { id: org.workspaceId },
      stepUp: { active: true },
    })
    expect(answer.body.organizations).toHaveLength(2)
  })

  test('requires the password', async () => {
    const person = await createOutsider(app, { password: PASSWORD })
    const { token } = await createInvitation(app, person.email)
    expect((await acceptInvite(app, { token })).body.error.message).toBe(
      'body.password is required, or sign in first',
    )
  })

  test('neither joins nor changes the account with the link alone', async () => {
    const person = await createOutsider(app, { password: PASSWORD })
    const { org, token } = await createInvitation(app, person.email)
    const answer = await acceptInvite(app, { token, name: 'Mallory', password: 'a password of my own' })
    expect([answer.status, answer.body.error.message]).toEqual([
      401,
      'The email address or password is wrong',
    ])
    expect(await listMemberIds(app, org)).not.toContain(person.id)
    const [user] = await app.sql`select name from users where id = ${person.id}`
    expect(user!.name).toBe(person.name)
    await app.as({}).accounts.signIn({ email: person.email, password: PASSWORD })
  })

  test('refuses every password if the account has none', async () => {
    const person = await createOutsider(app)
    const { token } = await createInvitation(app, person.email)
    expect((await acceptInvite(app, { token, password: PASSWORD })).status).toBe(401)
  })

  test('refuses the correct password after five wrong attempts', async () => {
    const person = await createOutsider(app, { password: PASSWORD })
    const { org, token } = await createInvitation(app, person.email)
    for (let n = 0; n < 5; n++)
      expect((await acceptInvite(app, { token, password: 'wrong' })).status).toBe(401)
    const answer = await acceptInvite(app, { token, password: PASSWORD })
    expect([answer.status, answer.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await listMemberIds(app, org)).not.toContain(person.id)
    app.clock.advance(60)
    expect((await acceptInvite(app, { token, password: PASSWORD })).status).toBe(201)
  })

  test('joins once with concurrent requests', async () => {
    const person = await createOutsider(app, { password: PASSWORD })
    const { org, token } = await createInvitation(app, person.email)
    const results = await Promise.all([1, 2].map(() => acceptInvite(app, { token, password: PASSWORD })))
    expect(sortedStatuses(results)).toEqual([201, 404])
    expect((await listMemberIds(app, org)).filter((id) => id === person.id)).toHaveLength(1)
  })

  test('joins only after the second factor', async () => {
    const person = await createOutsider(app, { password: PASSWORD })
    await app.sql`update users set totp_secret = 'sealed', totp_enabled_at = now() where id = ${person.id}`
    const { org, token } = await createInvitation(app, person.email)
    const answer = await acceptInvite(app, { token, password: PASSWORD })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    expect(answer.body.error.details).toMatchObject({
      reason: 'second_factor_required',
      ticket: expect.any(String),
    })
    expect(await listMemberIds(app, org)).not.toContain(person.id)
    const session = cookie(await app.session(person, { steppedUp: false }))
    expect((await acceptInvite(app, { token }, session)).status).toBe(201)
    expect(await listMemberIds(app, org)).toContain(person.id)
  })
})

describe('accepting with a session', () => {
  test('joins and activates the organization with an unchanged step-up state', async () => {
    const person = await createOutsider(app)
    const { org, token } = await createInvitation(app, person.email)
    const headers = cookie(await app.session(person, { steppedUp: false }))
    const answer = await acceptInvite(app, { token }, headers)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      organization: { id: org.id },
      workspace: { id: org.workspaceId },
      role: 'member',
      stepUp: { active: false },
    })
    const session = await app.as(headers).accounts.session()
    expect([session.organization.id, session.organizations.length]).toEqual([org.id, 2])
    expect(await app.sql`select from sessions where user_id = ${person.id}`).toHaveLength(1)
    expect((await acceptInvite(app, { token }, headers)).status).toBe(404)
  })

  test("refuses another user's session, whether or not the address has an account", async () => {
    const other = cookie(await app.session(await createOutsider(app)))
    for (const email of [randomEmail(), (await createOutsider(app, { password: PASSWORD })).email]) {
      const { org, token } = await createInvitation(app, email)
      const answer = await acceptInvite(app, { token, ...NEW_USER }, other)
      expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
      expect(answer.body.error.message).toContain(`This invitation is for ${email}`)
      expect(await listMemberIds(app, org)).toHaveLength(1)
    }
  })

  test('joins once when two browsers accept concurrently', async () => {
    const person = await createOutsider(app)
    const { org, token } = await createInvitation(app, person.email)
    const sessions = [cookie(await app.session(person)), cookie(await app.session(person))]
    const results = await Promise.all(sessions.map((headers) => acceptInvite(app, { token }, headers)))
    expect(sortedStatuses(results)).toEqual([201, 404])
    expect((await listMemberIds(app, org)).filter((id) => id === person.id)).toHaveLength(1)
  })

  test('refuses an API key, which must not become a session', async () => {
    const person = await createOutsider(app, { password: PASSWORD })
    const { org, token } = await createInvitation(app, person.email)
    const answer = await acceptInvite(app, { token, password: PASSWORD }, bearer(await app.key(person)))
    expect([answer.status, answer.body.error.message, answer.headers.get('set-cookie')]).toEqual([
      403,
      'Accepting an invitation requires a browser session',
      null,
    ])
    expect(await listMemberIds(app, org)).not.toContain(person.id)
  })

  test('treats an ended session as no session', async () => {
    const { token } = await createInvitation(app)
    expect((await acceptInvite(app, { token, ...NEW_USER }, { cookie: 'atrium_session=ended' })).status).toBe(
      201,
    )
  })
})

test('a cross-site request cannot accept an invitation', async () => {
  const person = await createOutsider(app)
  const { org, token } = await createInvitation(app, person.email)
  const headers = { ...cookie(await app.session(person)), 'sec-fetch-site': 'cross-site' }
  expect((await acceptInvite(app, { token }, headers)).body.error.details).toEqual({ reason: 'cross_site' })
  expect(await listMemberIds(app, org)).not.toContain(person.id)
})
