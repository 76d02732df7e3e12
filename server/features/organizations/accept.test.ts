import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '../../../contract/accounts.ts'
import { randomHex } from '../../security/random.ts'
import { PASSWORD } from '../../testing/factories.ts'
import { atOnce, waitingBackends } from '../../testing/locks.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())
// All tests come from one address.
beforeEach(() => app.sql`truncate rate_limits`)

const DAY = 86_400
const someAddress = () => `${randomHex(6)}@example.com`

/** An invitation of this address, and the secret of the mailed link. */
async function invited(email = someAddress(), role: 'admin' | 'member' = 'member') {
  const org = await app.organization('Engines')
  const admin = await app.person(org, { role: 'admin', name: 'Ada' })
  const browser = await app.inBrowser(admin)
  const { id } = await browser.organization.invite({ email, role })
  const [mail] = await app.sql`select body from mails where id = ${`invite-${id}`}`
  return { org, admin, browser, id, email, token: /invite#(\S+)/.exec(mail!.body)![1]! }
}

const somebody = async (options: { password?: string; role?: Role } = {}) =>
  app.person(await app.organization('Home'), options)

const accept = (body: object, headers: Headers = {}) =>
  app.request('POST', '/api/v1/auth/invite/accept', { headers, body })
const read = (token: string) => app.request('GET', `/api/v1/auth/invite?token=${token}`)
const cookieOf = (answer: { headers: globalThis.Headers }): Headers => ({
  cookie: answer.headers.get('set-cookie')!.split(';')[0]!,
})
const membersOf = async ({ id }: { id: string }) =>
  (await app.sql`select user_id from memberships where org_id = ${id} order by created_at`).map(
    ({ user_id }) => user_id,
  )
const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).sort((left, right) => left - right)
const newcomer = { name: 'Grace', password: PASSWORD }

describe('GET /auth/invite', () => {
  test('tells the holder of the link who invites whom to what', async () => {
    const { org, email, token } = await invited()
    expect((await read(token)).body).toEqual({
      organization: { id: org.id, name: 'Engines' },
      email,
      role: 'member',
      invitedBy: 'Ada',
      hasAccount: false,
    })
    const known = await invited((await somebody()).email)
    expect((await read(known.token)).body.hasAccount).toBe(true)
  })

  test('answers alike for a link that is unknown, used, withdrawn or too old', async () => {
    const [used, withdrawn, old] = [await invited(), await invited(), await invited()]
    await accept({ token: used.token, ...newcomer })
    await withdrawn.browser.organization.revokeInvite({ id: withdrawn.id })
    await app.sql`update invites set expires_at = ${app.clock.now()} where id = ${old.id}`
    for (const token of ['nonsense', used.id, used.token, withdrawn.token, old.token]) {
      for (const answer of [await read(token), await accept({ token, ...newcomer })]) {
        const { code, message } = answer.body.error
        expect([answer.status, code, message]).toEqual([404, 'NOT_FOUND', 'Invitation not found'])
      }
    }
  })

  test('is limited by address', async () => {
    for (let n = 0; n < 30; n++) await read('guess')
    expect((await read('guess')).status).toBe(429)
  })
})

describe('somebody new', () => {
  test('gets a verified account and a session in the organization, in its oldest workspace', async () => {
    const { org, admin, browser, email, token } = await invited(someAddress(), 'admin')
    await browser.workspaces.create({ name: 'Later' })
    const answer = await accept({ token, ...newcomer })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      user: { name: 'Grace', email, emailVerified: true, operator: false },
      organization: { id: org.id },
      workspace: { id: org.workspaceId, name: 'General' },
      role: 'admin',
      stepUp: { active: false, methods: ['password'] },
    })
    const { id } = answer.body.user
    expect((await app.as(cookieOf(answer)).accounts.session()).user.id).toBe(id)
    const key = await app.key({ id, email, name: '', orgId: org.id })
    expect((await app.as(bearer(key)).workspaces.list()).items[0]).toMatchObject({ isDefault: true })
    expect(await app.sql`select workspace_id, role from workspace_members where user_id = ${id}`).toEqual([
      { workspace_id: org.workspaceId, role: 'editor' },
    ])
    expect(
      await app.sql`select action, details from audit where org_id = ${org.id} and user_id = ${id} order by id`,
    ).toEqual([
      { action: 'member.joined', details: { role: 'admin', invitedBy: admin.id } },
      { action: 'sign-in', details: { factor: 'invite' } },
    ])
    expect((await app.as({}).accounts.signIn({ email, password: PASSWORD })).user.id).toBe(id)
  })

  test.each([
    [{}, ['body.name', 'body.password']],
    [{ name: 'Grace' }, ['body.password']],
    [{ password: PASSWORD }, ['body.name']],
    [{ name: 'Grace', password: 'x'.repeat(11) }, ['body.password']],
  ])('is told what is missing of %j, and can try again', async (given, paths) => {
    const { org, token } = await invited()
    const answer = await accept({ token, ...given })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(answer.body.error.details.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect(await membersOf(org)).toHaveLength(1)
    expect((await accept({ token, ...newcomer })).status).toBe(201)
  })

  test('is told the rule of passwords', async () => {
    const { token } = await invited()
    const answer = await accept({ token, name: 'Grace', password: 'too short' })
    expect(answer.body.error.message).toBe('body.password must be 12 to 200 characters')
  })

  test('accepting twice at once joins once', async () => {
    const { org, email, token } = await invited()
    const results = await atOnce(
      app.sql,
      'memberships',
      [1, 2, 3].map(() => () => accept({ token, ...newcomer })),
    )
    const answers = results.map((result) => (result.status === 'fulfilled' ? result.value : { status: 0 }))
    expect(statusesOf(answers)).toEqual([201, 404, 404])
    expect(await membersOf(org)).toHaveLength(2)
    expect(await app.sql`select from users where email = ${email}`).toHaveLength(1)
  })

  test('whose address gets an account in the middle proves that one instead', async () => {
    const { org, email, token } = await invited()
    const blocker = await app.sql.reserve()
    await blocker`begin`
    await blocker`select from organizations where id = ${org.id} for update`
    const begun = accept({ token, ...newcomer })
    await waitingBackends(app.sql, 1)
    const person = await somebody({ password: PASSWORD })
    await app.sql`update users set email = ${email} where id = ${person.id}`
    await blocker`rollback`
    blocker.release()
    const answer = await begun
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await accept({ token, password: PASSWORD })).body.user.id).toBe(person.id)
  })

  test('cannot choose another address or role than the invitation has', async () => {
    const { token } = await invited()
    for (const extra of [{ email: 'other@example.com' }, { role: 'owner' }, { organizationId: 'x' }]) {
      expect((await accept({ token, ...newcomer, ...extra })).status).toBe(400)
    }
  })
})

describe('somebody with an account, not signed in', () => {
  test('joins by its password, and lands in the new organization, stepped up', async () => {
    const person = await somebody({ password: PASSWORD })
    const { org, token } = await invited(person.email)
    const answer = await accept({ token, password: PASSWORD })
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
    const person = await somebody({ password: PASSWORD })
    const { token } = await invited(person.email)
    expect((await accept({ token })).body.error.message).toBe('body.password is required, or sign in first')
  })

  test('cannot be joined, renamed or given a new password by whoever has the link alone', async () => {
    const person = await somebody({ password: PASSWORD })
    const { org, token } = await invited(person.email)
    const answer = await accept({ token, name: 'Mallory', password: 'a password of my own' })
    expect([answer.status, answer.body.error.message]).toEqual([
      401,
      'The email address or the password is wrong',
    ])
    expect(await membersOf(org)).not.toContain(person.id)
    const [user] = await app.sql`select name from users where id = ${person.id}`
    expect(user!.name).toBe(person.name)
    await app.as({}).accounts.signIn({ email: person.email, password: PASSWORD })
  })

  test('without a password cannot be entered by any', async () => {
    const person = await somebody()
    const { token } = await invited(person.email)
    expect((await accept({ token, password: PASSWORD })).status).toBe(401)
  })

  test('is not guessed at for long: five tries, then not even the right one', async () => {
    const person = await somebody({ password: PASSWORD })
    const { org, token } = await invited(person.email)
    for (let n = 0; n < 5; n++) expect((await accept({ token, password: 'wrong' })).status).toBe(401)
    const answer = await accept({ token, password: PASSWORD })
    expect([answer.status, answer.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await membersOf(org)).not.toContain(person.id)
    app.clock.advance(60)
    expect((await accept({ token, password: PASSWORD })).status).toBe(201)
  })

  test('accepting twice at once joins once', async () => {
    const person = await somebody({ password: PASSWORD })
    const { org, token } = await invited(person.email)
    const results = await Promise.all([1, 2].map(() => accept({ token, password: PASSWORD })))
    expect(statusesOf(results)).toEqual([201, 404])
    expect((await membersOf(org)).filter((id) => id === person.id)).toHaveLength(1)
  })

  test('with a second factor joins nothing by the password alone, and can accept once it is brought', async () => {
    const person = await somebody({ password: PASSWORD })
    await app.sql`update users set totp_secret = 'sealed', totp_enabled_at = now() where id = ${person.id}`
    const { org, token } = await invited(person.email)
    const answer = await accept({ token, password: PASSWORD })
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
    expect(answer.body.error.details).toMatchObject({
      reason: 'second_factor_required',
      ticket: expect.any(String),
    })
    expect(await membersOf(org)).not.toContain(person.id)
    const session = cookie(await app.session(person, { steppedUp: false }))
    expect((await accept({ token }, session)).status).toBe(201)
    expect(await membersOf(org)).toContain(person.id)
  })
})

describe('somebody signed in', () => {
  test('as that address joins at once; the session moves there, no more and no less proved', async () => {
    const person = await somebody()
    const { org, token } = await invited(person.email)
    const headers = cookie(await app.session(person, { steppedUp: false }))
    const answer = await accept({ token }, headers)
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
    expect((await accept({ token }, headers)).status).toBe(404)
  })

  test('as somebody else is told so, whether or not the address has an account', async () => {
    const other = cookie(await app.session(await somebody()))
    for (const email of [someAddress(), (await somebody({ password: PASSWORD })).email]) {
      const { org, token } = await invited(email)
      const answer = await accept({ token, ...newcomer }, other)
      expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
      expect(answer.body.error.message).toContain(`This invitation is for ${email}`)
      expect(await membersOf(org)).toHaveLength(1)
    }
  })

  test('in two browsers that accept at once joins once', async () => {
    const person = await somebody()
    const { org, token } = await invited(person.email)
    const sessions = [cookie(await app.session(person)), cookie(await app.session(person))]
    const results = await Promise.all(sessions.map((headers) => accept({ token }, headers)))
    expect(statusesOf(results)).toEqual([201, 404])
    expect((await membersOf(org)).filter((id) => id === person.id)).toHaveLength(1)
  })

  test('by a key is refused: a key never becomes a session', async () => {
    const person = await somebody({ password: PASSWORD })
    const { org, token } = await invited(person.email)
    const answer = await accept({ token, password: PASSWORD }, bearer(await app.key(person)))
    expect([answer.status, answer.body.error.message, answer.headers.get('set-cookie')]).toEqual([
      403,
      'Accepting an invitation requires a browser session',
      null,
    ])
    expect(await membersOf(org)).not.toContain(person.id)
  })

  test('with a session that has ended counts as not signed in', async () => {
    const { token } = await invited()
    expect((await accept({ token, ...newcomer }, { cookie: 'atrium_session=ended' })).status).toBe(201)
  })
})

test('a link works for seven days and no longer', async () => {
  const { token } = await invited()
  app.clock.advance(7 * DAY - 60)
  expect((await read(token)).status).toBe(200)
  app.clock.advance(61)
  expect((await read(token)).status).toBe(404)
})

test('another site cannot make a browser accept', async () => {
  const person = await somebody()
  const { org, token } = await invited(person.email)
  const headers = { ...cookie(await app.session(person)), 'sec-fetch-site': 'cross-site' }
  expect((await accept({ token }, headers)).body.error.details).toEqual({ reason: 'cross_site' })
  expect(await membersOf(org)).not.toContain(person.id)
})
