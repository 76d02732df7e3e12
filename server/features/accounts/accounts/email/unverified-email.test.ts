import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../../../testing/factories/factories.ts'
import { linkTo, mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { bearer, buildTestApp, cookie, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
/** A server with sign-up by invitation. */
let closedApp: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true, env: { ATRIUM_SIGNUP: 'open' } })
  closedApp = await buildTestApp({ mail: true })
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(async () => {
  await closedApp.close()
  await app.close()
})

/** An account that Eve created with the email address of another person, and everything it can sign in with. */
async function createUnverifiedAccount() {
  const eve = await app.person(await app.organization('Eve'), { password: PASSWORD })
  const session = cookie(await app.session(eve))
  const key = bearer(await app.key(eve))
  return { eve, session, key }
}

async function expectOwnAccount(body: SessionBody, eve: Person) {
  expect(body).toMatchObject({ user: { email: eve.email, emailVerified: true }, role: 'owner' })
  expect(body.user.id).not.toBe(eve.id)
  expect(body.organizations.map(({ id }) => id)).toEqual([body.organization.id])
  expect(body.organization.id).not.toBe(eve.orgId)
}

interface SessionBody {
  user: { id: string }
  organization: { id: string }
  organizations: { id: string }[]
}

const requestAndOpenLink = async (kind: 'magic-link' | 'password-reset', { email }: Person) => {
  await app.request('POST', `/api/v1/auth/${kind}`, { body: { email } })
  const { token } = await linkTo(app, email)
  return kind === 'magic-link'
    ? app.request('POST', '/api/v1/auth/sign-in/magic-link', { body: { token } })
    : app.request('POST', '/api/v1/auth/password-reset/confirm', {
        body: { token, password: 'a password of the owner' },
      })
}

describe('an unverified account never captures its email address', () => {
  beforeAll(() => app.app.startWorker())

  test.each(['magic-link', 'password-reset'] as const)(
    "a %s opens a separate account for the address's owner",
    async (kind) => {
      const { eve, session, key } = await createUnverifiedAccount()
      const { status, body } = await requestAndOpenLink(kind, eve)
      expect(status).toBe(200)
      await expectOwnAccount(body, eve)
      // The other account is unchanged, and the link gave no access to it.
      expect((await app.as(session).accounts.session()).user).toMatchObject({
        id: eve.id,
        emailVerified: false,
      })
      await app.as(key).feedback.list({})
      const signIn = (password: string) => app.as({}).accounts.signIn({ email: eve.email, password })
      expect((await signIn(PASSWORD)).user.id).toBe(eve.id)
      if (kind === 'password-reset') {
        expect((await signIn('a password of the owner')).user.id).toBe(body.user.id)
      }
      const again = await requestAndOpenLink(kind, eve)
      expect(again.body.user.id).toBe(body.user.id)
    },
  )

  test("a sign-up opens a separate account for the address's owner", async () => {
    const { eve } = await createUnverifiedAccount()
    const { email } = eve
    await app.as({}).signIn.signUp({ name: 'Ada', email, organizationName: 'Engines' })
    const { token } = await linkTo(app, email)
    await expectOwnAccount(
      await app.as({}).signIn.confirmSignUp({ token, password: PASSWORD.toUpperCase() }),
      eve,
    )
  })

  test("its session can't verify the address after the address's owner has", async () => {
    const { eve, session } = await createUnverifiedAccount()
    await app.as(session).security.sendVerification()
    const { token } = await linkTo(app, eve.email)
    await requestAndOpenLink('magic-link', eve)
    await expect(app.as(session).signIn.verifyEmail({ token })).rejects.toMatchObject({ code: 'CONFLICT' })
    await app.as(session).security.sendVerification()
    const subjects = (await mailsTo(app, eve.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.startsWith('Verify'))).toHaveLength(1)
  })

  test('an emailed invitation joins a new account, not the unverified one', async () => {
    const { eve } = await createUnverifiedAccount()
    const org = await app.organization('Engines')
    const admin = await app.withSession(await app.person(org, { role: 'admin' }))
    expect((await admin.organization.invite({ email: eve.email })).url).toBeNull()
    const { token } = await linkTo(app, eve.email)
    expect(await app.as({}).invites.read({ token })).toMatchObject({ hasAccount: false })
    const body = { token, name: 'Ada', password: 'a password of the owner' }
    const joined = await app.request('POST', '/api/v1/auth/invite/accept', { body })
    expect(joined.body).toMatchObject({ user: { emailVerified: true }, organizations: [{ id: org.id }] })
    expect(joined.body.user.id).not.toBe(eve.id)
  })
})

test('mail to an unverified address explains how to sign in and has no link if sign-up is closed', async () => {
  await closedApp.app.startWorker()
  const { email } = await closedApp.person(await closedApp.organization(), { password: PASSWORD })
  for (const kind of ['magic-link', 'password-reset']) {
    expect((await closedApp.request('POST', `/api/v1/auth/${kind}`, { body: { email } })).body).toEqual({
      sent: true,
    })
  }
  const mails = await mailsTo(closedApp, email)
  expect(mails).toHaveLength(2)
  for (const { text } of mails) {
    expect(text).toContain('sign in with its password')
    expect(text).not.toContain('http')
  }
  expect(await closedApp.sql`select from one_time_tokens`).toEqual([])
})
