import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../testing/factories/factories.ts'
import {
  accept,
  invited,
  membersOf,
  newcomer,
  someAddress,
  somebody,
  statusesOf,
} from '../../testing/factories/invitations.ts'
import { bearer, buildTestApp, cookie, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())
// All tests come from one address.
beforeEach(() => app.sql`delete from rate_limits`)

describe('somebody with an account, not signed in', () => {
  test('joins by its password, and lands in the new organization, stepped up', async () => {
    const person = await somebody(app, { password: PASSWORD })
    const { org, token } = await invited(app, person.email)
    const answer = await accept(app, { token, password: PASSWORD })
    expect([answer.status, answer.body.user.id]).toEqual([201, person.id])
    expect(answer.body).toMatchObject({
      user: { emailVerified: true },
      organization: { id: org.id },
      workspace: { id: org.workspaceId },
      stepUp: { active: true },
    })
    expect(answer.body.organizations).toHaveLength(2)
  })

  test('is told to bring the password', async () => {
    const person = await somebody(app, { password: PASSWORD })
    const { token } = await invited(app, person.email)
    expect((await accept(app, { token })).body.error.message).toBe(
      'body.password is required, or sign in first',
    )
  })

  test('cannot be joined, renamed or given a new password by whoever has the link alone', async () => {
    const person = await somebody(app, { password: PASSWORD })
    const { org, token } = await invited(app, person.email)
    const answer = await accept(app, { token, name: 'Mallory', password: 'a password of my own' })
    expect([answer.status, answer.body.error.message]).toEqual([
      401,
      'The email address or the password is wrong',
    ])
    expect(await membersOf(app, org)).not.toContain(person.id)
    const [user] = await app.sql`select name from users where id = ${person.id}`
    expect(user!.name).toBe(person.name)
    await app.as({}).accounts.signIn({ email: person.email, password: PASSWORD })
  })

  test('without a password cannot be entered by any', async () => {
    const person = await somebody(app)
    const { token } = await invited(app, person.email)
    expect((await accept(app, { token, password: PASSWORD })).status).toBe(401)
  })

  test('is not guessed at for long: five tries, then not even the right one', async () => {
    const person = await somebody(app, { password: PASSWORD })
    const { org, token } = await invited(app, person.email)
    for (let n = 0; n < 5; n++) expect((await accept(app, { token, password: 'wrong' })).status).toBe(401)
    const answer = await accept(app, { token, password: PASSWORD })
    expect([answer.status, answer.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await membersOf(app, org)).not.toContain(person.id)
    app.clock.advance(60)
    expect((await accept(app, { token, password: PASSWORD })).status).toBe(201)
  })

  test('accepting twice at once joins once', async () => {
    const person = await somebody(app, { password: PASSWORD })
    const { org, token } = await invited(app, person.email)
    const results = await Promise.all([1, 2].map(() => accept(app, { token, password: PASSWORD })))
    expect(statusesOf(results)).toEqual([201, 404])
    expect((await membersOf(app, org)).filter((id) => id === person.id)).toHaveLength(1)
  })

  test('with a second factor joins nothing by the password alone, and can accept once it is brought', async () => {
    const person = await somebody(app, { password: PASSWORD })
    await app.sql`update users set totp_secret = 'sealed', totp_enabled_at = now() where id = ${person.id}`
    const { org, token } = await invited(app, person.email)
    const answer = await accept(app, { token, password: PASSWORD })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    expect(answer.body.error.details).toMatchObject({
      reason: 'second_factor_required',
      ticket: expect.any(String),
    })
    expect(await membersOf(app, org)).not.toContain(person.id)
    const session = cookie(await app.session(person, { steppedUp: false }))
    expect((await accept(app, { token }, session)).status).toBe(201)
    expect(await membersOf(app, org)).toContain(person.id)
  })
})

describe('somebody signed in', () => {
  test('as that address joins at once; the session moves there, no more and no less proved', async () => {
    const person = await somebody(app)
    const { org, token } = await invited(app, person.email)
    const headers = cookie(await app.session(person, { steppedUp: false }))
    const answer = await accept(app, { token }, headers)
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
    expect((await accept(app, { token }, headers)).status).toBe(404)
  })

  test('as somebody else is told so, whether or not the address has an account', async () => {
    const other = cookie(await app.session(await somebody(app)))
    for (const email of [someAddress(), (await somebody(app, { password: PASSWORD })).email]) {
      const { org, token } = await invited(app, email)
      const answer = await accept(app, { token, ...newcomer }, other)
      expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
      expect(answer.body.error.message).toContain(`This invitation is for ${email}`)
      expect(await membersOf(app, org)).toHaveLength(1)
    }
  })

  test('in two browsers that accept at once joins once', async () => {
    const person = await somebody(app)
    const { org, token } = await invited(app, person.email)
    const sessions = [cookie(await app.session(person)), cookie(await app.session(person))]
    const results = await Promise.all(sessions.map((headers) => accept(app, { token }, headers)))
    expect(statusesOf(results)).toEqual([201, 404])
    expect((await membersOf(app, org)).filter((id) => id === person.id)).toHaveLength(1)
  })

  test('by a key is refused: a key never becomes a session', async () => {
    const person = await somebody(app, { password: PASSWORD })
    const { org, token } = await invited(app, person.email)
    const answer = await accept(app, { token, password: PASSWORD }, bearer(await app.key(person)))
    expect([answer.status, answer.body.error.message, answer.headers.get('set-cookie')]).toEqual([
      403,
      'Accepting an invitation requires a browser session',
      null,
    ])
    expect(await membersOf(app, org)).not.toContain(person.id)
  })

  test('with a session that has ended counts as not signed in', async () => {
    const { token } = await invited(app)
    expect((await accept(app, { token, ...newcomer }, { cookie: 'atrium_session=ended' })).status).toBe(201)
  })
})

test('another site cannot make a browser accept', async () => {
  const person = await somebody(app)
  const { org, token } = await invited(app, person.email)
  const headers = { ...cookie(await app.session(person)), 'sec-fetch-site': 'cross-site' }
  expect((await accept(app, { token }, headers)).body.error.details).toEqual({ reason: 'cross_site' })
  expect(await membersOf(app, org)).not.toContain(person.id)
})
