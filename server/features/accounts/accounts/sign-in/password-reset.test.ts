import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../../security/ids.ts'
import { PASSWORD, type Person } from '../../../../testing/factories/factories.ts'
import { enrolTotp } from '../../../../testing/fakes/authenticator-app.ts'
import { linkIn, linkTo, mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

const NEW_PASSWORD = 'a new and long password'

const createUser = async (): Promise<Person> =>
  app.person(await app.organization(), { password: PASSWORD, verified: true })

const requestReset = (email: string) =>
  app.request('POST', '/api/v1/auth/password-reset', { body: { email } })
const confirm = (token: string, password = NEW_PASSWORD) =>
  app.request('POST', '/api/v1/auth/password-reset/confirm', { body: { token, password } })
const signIn = async (email: string, password: string) =>
  (await app.request('POST', '/api/v1/auth/sign-in/email', { body: { email, password } })).status

async function linkFor({ email }: Person) {
  await requestReset(email)
  return linkTo(app, email)
}

describe('a password reset link', () => {
  test('sets a new password, signs in without step-up, and ends every other session', async () => {
    const person = await createUser()
    const otherSession = await app.withSession(person)
    const key = bearer(await app.key(person))
    const { url, token } = await linkFor(person)
    expect(url).toBe(`${app.mailUrl}/reset-password#${token}`)
    const { status, body } = await confirm(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ user: { id: person.id }, stepUp: { active: false } })
    await expect(otherSession.accounts.session()).rejects.toMatchObject({ status: 401 })
    expect(await signIn(person.email, PASSWORD)).toBe(401)
    expect(await signIn(person.email, NEW_PASSWORD)).toBe(200)
    expect((await app.request('GET', '/api/v1/feedback', { headers: key })).status).toBe(200)
    const entries = await app.sql`select action, via from audit where user_id = ${person.id} order by id`
    expect(entries[0]).toEqual({ action: 'password.changed', via: 'system' })
  })

  test('works once, even with concurrent requests', async () => {
    const person = await createUser()
    const { token } = await linkFor(person)
    const answers = await Promise.all([1, 2, 3].map((n) => confirm(token, `${NEW_PASSWORD} ${n}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect((await confirm(token)).body.error.details).toEqual({ reason: 'link_spent' })
    const winner = answers.findIndex(({ status }) => status === 200) + 1
    expect(await signIn(person.email, `${NEW_PASSWORD} ${winner}`)).toBe(200)
  })

  test('sets one password when two links are used concurrently', async () => {
    const person = await createUser()
    const links = [await linkFor(person), await linkFor(person)]
    const answers = await Promise.all(links.map(({ token }) => confirm(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('expires after one hour', async () => {
    const person = await createUser()
    const { token } = await linkFor(person)
    app.clock.advance(3601)
    expect((await confirm(token)).status).toBe(401)
    expect(await signIn(person.email, PASSWORD)).toBe(200)
  })

  test("revokes the account's other reset links and magic links", async () => {
    const person = await createUser()
    const { token: first } = await linkFor(person)
    const { token: second } = await linkFor(person)
    await app.request('POST', '/api/v1/auth/magic-link', { body: { email: person.email } })
    const mails = await mailsTo(app, person.email)
    const magicLink = linkIn(mails.find(({ subject }) => subject.includes('sign-in link'))!)
    expect((await confirm(first)).status).toBe(200)
    expect((await confirm(second)).status).toBe(401)
    const body = { token: magicLink.token }
    expect((await app.request('POST', '/api/v1/auth/sign-in/magic-link', { body })).status).toBe(401)
  })

  test("revokes the account's pending sign-ins", async () => {
    const person = await createUser()
    const { nextCode } = await enrolTotp(app, person)
    const begun = await app.request('POST', '/api/v1/auth/sign-in/email', {
      body: { email: person.email, password: PASSWORD },
    })
    const { ticket } = begun.body.error.details
    const finish = (code: string) =>
      app.request('POST', '/api/v1/auth/sign-in/second-factor', { body: { ticket, method: 'totp', code } })
    expect((await finish('000000')).body.error.details).toEqual({ reason: 'wrong_code' })
    await confirm((await linkFor(person)).token)
    expect((await finish(nextCode())).body.error.details).toEqual({ reason: 'ticket_spent' })
  })

  test('stays valid if the new password is too short', async () => {
    const { token } = await linkFor(await createUser())
    const { status, body } = await confirm(token, 'short')
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: 'body.password', message: 'must be 12 to 200 characters' }],
    ])
    expect((await confirm(token)).status).toBe(200)
  })

  test('requires the second factor', async () => {
    const person = await createUser()
    const { nextCode } = await enrolTotp(app, person)
    const { token } = await linkFor(person)
    const { status, body } = await confirm(token)
    expect([status, body.error.details.reason]).toEqual([401, 'second_factor_required'])
    const finished = await app.request('POST', '/api/v1/auth/sign-in/second-factor', {
      body: { ticket: body.error.details.ticket, method: 'totp', code: nextCode() },
    })
    expect(finished.body.stepUp.active).toBe(false)
  })

  test('sets the first password for an account without one', async () => {
    const person = await app.person(await app.organization(), { verified: true })
    const { token } = await linkFor(person)
    await confirm(token)
    expect(await signIn(person.email, NEW_PASSWORD)).toBe(200)
  })
})

test('a reset request returns the same response for known and unknown addresses', async () => {
  const { email } = await createUser()
  const unknown = `nobody-${newId()}@example.com`
  for (const address of [email, unknown]) {
    const { status, body } = await requestReset(address)
    expect([status, body]).toEqual([200, { sent: false }])
  }
  expect(await mailsTo(app, email)).toHaveLength(1)
  expect(await mailsTo(app, unknown)).toEqual([])
})
