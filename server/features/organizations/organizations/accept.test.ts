import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../testing/factories/factories.ts'
import {
  acceptInvite,
  createInvitation,
  createOutsider,
  listMemberIds,
  NEW_USER,
  randomEmail,
  readInvite,
  sortedStatuses,
} from '../../../testing/factories/invitations.ts'
import { concurrently, waitForBlockedBackends } from '../../../testing/locks.ts'
import { bearer, buildTestApp, type Headers, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
})
afterAll(() => app.close())
// All tests use one IP address.
beforeEach(() => app.sql`delete from rate_limits`)

const DAY = 86_400
const cookieOf = (answer: { headers: globalThis.Headers }): Headers => ({
  cookie: answer.headers.get('set-cookie')!.split(';')[0]!,
})

describe('GET /auth/invite', () => {
  test('returns inviter, organization, role and email address', async () => {
    const { org, email, token } = await createInvitation(app)
    expect((await readInvite(app, token)).body).toEqual({
      organization: { id: org.id, name: 'Engines' },
      email,
      role: 'member',
      invitedBy: 'Ada',
      hasAccount: false,
    })
    const known = await createInvitation(app, (await createOutsider(app)).email)
    expect((await readInvite(app, known.token)).body.hasAccount).toBe(true)
  })

  test('returns the same error for an unknown, used, revoked or expired link', async () => {
    const [used, withdrawn, old] = [
      await createInvitation(app),
      await createInvitation(app),
      await createInvitation(app),
    ]
    await acceptInvite(app, { token: used.token, ...NEW_USER })
    await withdrawn.browser.organization.revokeInvite({ id: withdrawn.id })
    await app.sql`update invites set expires_at = ${app.clock.now()} where id = ${old.id}`
    for (const token of ['nonsense', used.id, used.token, withdrawn.token, old.token]) {
      for (const answer of [await readInvite(app, token), await acceptInvite(app, { token, ...NEW_USER })]) {
        const { code, message } = answer.body.error
        expect([answer.status, code, message]).toEqual([404, 'NOT_FOUND', 'Invitation not found'])
      }
    }
  })

  test('is limited per IP address', async () => {
    app.clock.freeze()
    for (let n = 0; n < 30; n++) await readInvite(app, 'guess')
    expect((await readInvite(app, 'guess')).status).toBe(429)
  })
})

describe('accepting without an account', () => {
  test('creates a verified account with a session in the oldest workspace', async () => {
    const { org, admin, browser, email, token } = await createInvitation(app, randomEmail(), 'admin')
    await browser.workspaces.create({ name: 'Later' })
    const answer = await acceptInvite(app, { token, ...NEW_USER })
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
  ])('names the missing or invalid fields in %j and keeps the invitation open', async (given, paths) => {
    const { org, token } = await createInvitation(app)
    const answer = await acceptInvite(app, { token, ...given })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(answer.body.error.details.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect(await listMemberIds(app, org)).toHaveLength(1)
    expect((await acceptInvite(app, { token, ...NEW_USER })).status).toBe(201)
  })

  test('names the password rule', async () => {
    const { token } = await createInvitation(app)
    const answer = await acceptInvite(app, { token, name: 'Grace', password: 'too short' })
    expect(answer.body.error.message).toBe('body.password must be 12 to 200 characters')
  })

  test('joins once with concurrent requests', async () => {
    const { org, email, token } = await createInvitation(app)
    const results = await concurrently(
      app.sql,
      'memberships',
      [1, 2, 3].map(() => () => acceptInvite(app, { token, ...NEW_USER })),
    )
    const answers = results.map((result) => (result.status === 'fulfilled' ? result.value : { status: 0 }))
    expect(sortedStatuses(answers)).toEqual([201, 404, 404])
    expect(await listMemberIds(app, org)).toHaveLength(2)
    expect(await app.sql`select from users where email = ${email}`).toHaveLength(1)
  })

  test('requires the password if an account was created during the request', async () => {
    const { org, email, token } = await createInvitation(app)
    const blocker = await app.sql.reserve()
    await blocker`begin`
    await blocker`select from organizations where id = ${org.id} for update`
    const pending = acceptInvite(app, { token, ...NEW_USER })
    await waitForBlockedBackends(app.sql, 1)
    const person = await createOutsider(app, { password: PASSWORD })
    await app.sql`update users set email = ${email} where id = ${person.id}`
    await blocker`rollback`
    blocker.release()
    const answer = await pending
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await acceptInvite(app, { token, password: PASSWORD })).body.user.id).toBe(person.id)
  })

  test('refuses an email address, role or organization in the request', async () => {
    const { token } = await createInvitation(app)
    for (const extra of [{ email: 'other@example.com' }, { role: 'owner' }, { organizationId: 'x' }]) {
      expect((await acceptInvite(app, { token, ...NEW_USER, ...extra })).status).toBe(400)
    }
  })
})

test('an invitation expires after seven days', async () => {
  const { token } = await createInvitation(app)
  app.clock.advance(7 * DAY - 60)
  expect((await readInvite(app, token)).status).toBe(200)
  app.clock.advance(61)
  expect((await readInvite(app, token)).status).toBe(404)
})
