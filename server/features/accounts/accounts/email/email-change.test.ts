import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { randomHex } from '../../../../security/random.ts'
import { PASSWORD, type Person } from '../../../../testing/factories/factories.ts'
import { linkIn, linkTo, mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { waitForBlockedBackends } from '../../../../testing/locks.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

const HOUR_S = 3600
const randomEmail = () => `${randomHex(6)}@example.com`
const LINK_SPENT = [401, { reason: 'link_spent' }]

async function createSignedInUser() {
  const person = await app.person(await app.organization(), { password: PASSWORD, verified: true })
  const headers = cookie(await app.session(person))
  return { person, headers, client: app.as(headers) }
}
type SignedInUser = Awaited<ReturnType<typeof createSignedInUser>>

const confirm = (token: string, headers: Headers = {}) =>
  app.request('POST', '/api/v1/auth/email/change/confirm', { headers, body: { token } })
const outcomeOf = ({ status, body }: Awaited<ReturnType<typeof confirm>>) => [status, body.error.details]
const addressOf = async ({ id }: Person) =>
  (await app.sql`select email from users where id = ${id}`)[0]?.email
const signIn = async (email: string) =>
  (await app.request('POST', '/api/v1/auth/sign-in/email', { body: { email, password: PASSWORD } })).status

/** The token of the link that was sent to the new address. */
async function requestToken({ client }: SignedInUser, email: string) {
  expect(await client.security.requestEmailChange({ email })).toEqual({ sent: false })
  const mail = (await mailsTo(app, email)).findLast(({ text }) => text.includes('/change-email#'))
  return linkIn(mail!).token
}

describe('POST /auth/email/change', () => {
  test('sends a link to the new address, notifies the old one, and changes nothing yet', async () => {
    const ada = await createSignedInUser()
    const email = randomEmail()
    const token = await requestToken(ada, email)
    expect((await linkTo(app, email)).url).toBe(`${app.mailUrl}/change-email#${token}`)
    const notices = await mailsTo(app, ada.person.email)
    expect(notices.map(({ text }) => text)).toEqual([
      expect.stringContaining('A change to your account’s email address was requested'),
    ])
    expect(notices[0]!.text).not.toContain(token)
    expect(await addressOf(ada.person)).toBe(ada.person.email)
    const entries = await app.sql`select action, details from audit where user_id = ${ada.person.id}`
    expect(entries).toEqual([
      { action: 'email.change-requested', details: { from: ada.person.email, to: email } },
    ])
  })

  test('returns the same response for an address in use, but sends no mail or link', async () => {
    const [ada, eve] = [await createSignedInUser(), await createSignedInUser()]
    const taken = ada.person.email.toUpperCase()
    expect(await eve.client.security.requestEmailChange({ email: taken })).toEqual({ sent: false })
    expect(await mailsTo(app, ada.person.email)).toEqual([])
    expect(await mailsTo(app, eve.person.email)).toHaveLength(1)
    expect(await app.sql`select from tickets where user_id = ${eve.person.id}`).toEqual([])
  })

  test.each([
    ['an invalid address', { email: 'nowhere' }, 'must be an email address'],
    ['a missing address', {}, 'is required'],
  ])('refuses %s with BAD_REQUEST', async (_name, body, message) => {
    const { headers } = await createSignedInUser()
    const response = await app.request('POST', '/api/v1/auth/email/change', { headers, body })
    expect([response.status, response.body.error.details]).toEqual([400, [{ path: 'body.email', message }]])
  })

  test('refuses the current address with BAD_REQUEST', async () => {
    const { person, client } = await createSignedInUser()
    const email = person.email.toUpperCase()
    await expect(client.security.requestEmailChange({ email })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'body.email', message: 'is already your email address' }],
    })
  })

  test('requires step-up', async () => {
    const { person } = await createSignedInUser()
    const client = app.as(cookie(await app.session(person, { steppedUp: false })))
    await expect(client.security.requestEmailChange({ email: randomEmail() })).rejects.toMatchObject({
      details: { reason: 'step_up_required' },
    })
  })

  test('limits requests per user and mails per recipient', async () => {
    const email = randomEmail()
    const ada = await createSignedInUser()
    for (let n = 0; n < 5; n++) await ada.client.security.requestEmailChange({ email })
    const sixthRequest = ada.client.security.requestEmailChange({ email })
    await expect(sixthRequest).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await (await createSignedInUser()).client.security.requestEmailChange({ email })
    expect(await mailsTo(app, email)).toHaveLength(5)
  })
})

describe('the email change link', () => {
  test('changes and verifies the address, ends other sessions and notifies the old address', async () => {
    const ada = await createSignedInUser()
    const otherSession = await app.withSession(ada.person)
    const key = bearer(await app.key(ada.person))
    const email = randomEmail()
    const token = await requestToken(ada, email)
    expect((await confirm(token, ada.headers)).body).toEqual({ changed: true, email })

    expect((await ada.client.accounts.session()).user).toMatchObject({ email, emailVerified: true })
    await expect(otherSession.accounts.session()).rejects.toMatchObject({ status: 401 })
    expect((await app.request('GET', '/api/v1/feedback', { headers: key })).status).toBe(200)
    expect([await signIn(ada.person.email), await signIn(email)]).toEqual([401, 200])
    const notices = (await mailsTo(app, ada.person.email)).at(-1)!
    expect(notices.text).toContain('You can no longer sign in with this address')
    expect(notices.text).toContain('contact an organization owner')
    const [entry] = await app.sql`
      select via, details from audit where user_id = ${ada.person.id} and action = 'email.changed'`
    expect(entry).toEqual({ via: 'session', details: { from: ada.person.email, to: email } })
  })

  test('revokes links that were sent to the old address', async () => {
    const ada = await createSignedInUser()
    await app.request('POST', '/api/v1/auth/password-reset', { body: { email: ada.person.email } })
    await app.request('POST', '/api/v1/auth/magic-link', { body: { email: ada.person.email } })
    const oldTokens = (await mailsTo(app, ada.person.email)).map((mail) => linkIn(mail).token)
    expect(oldTokens).toHaveLength(2)
    await confirm(await requestToken(ada, randomEmail()), ada.headers)
    for (const token of oldTokens) {
      const password = 'a password set by an attacker'
      const reset = await app.request('POST', '/api/v1/auth/password-reset/confirm', {
        body: { token, password },
      })
      const magic = await app.request('POST', '/api/v1/auth/sign-in/magic-link', { body: { token } })
      expect([reset.status, magic.status]).toEqual([401, 401])
    }
  })

  test('revokes a magic link to the old address that a job issues concurrently', async () => {
    const { person } = await createSignedInUser()
    const change = await app.sql.reserve()
    await change`begin`
    await change`update users set email = ${randomEmail()} where id = ${person.id}`
    await app.request('POST', '/api/v1/auth/magic-link', { body: { email: person.email } })
    await waitForBlockedBackends(app.sql)
    await change`commit`
    change.release()
    expect(await mailsTo(app, person.email)).toEqual([])
    expect(await app.sql`select from tickets where user_id = ${person.id}`).toEqual([])
  })

  test('works once, even with concurrent requests', async () => {
    const ada = await createSignedInUser()
    const token = await requestToken(ada, randomEmail())
    const responses = await Promise.all([1, 2, 3].map(() => confirm(token, ada.headers)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect(outcomeOf(await confirm(token, ada.headers))).toEqual(LINK_SPENT)
  })

  test('expires after one hour', async () => {
    const ada = await createSignedInUser()
    const token = await requestToken(ada, randomEmail())
    app.clock.advance(HOUR_S + 1)
    expect(outcomeOf(await confirm(token, ada.headers))).toEqual(LINK_SPENT)
    expect(await addressOf(ada.person)).toBe(ada.person.email)
  })

  test('is revoked by a newer request and by a password change', async () => {
    const ada = await createSignedInUser()
    const first = await requestToken(ada, randomEmail())
    const second = await requestToken(ada, randomEmail())
    expect(outcomeOf(await confirm(first, ada.headers))).toEqual(LINK_SPENT)
    await ada.client.security.changePassword({ password: 'a new and long password' })
    expect(outcomeOf(await confirm(second, ada.headers))).toEqual(LINK_SPENT)
  })

  test('stays valid when a caller without a session for the account opens it', async () => {
    const [ada, eve] = [await createSignedInUser(), await createSignedInUser()]
    const email = randomEmail()
    const token = await requestToken(ada, email)
    const key = bearer(await app.key(ada.person))
    for (const headers of [{}, eve.headers, key]) {
      expect(outcomeOf(await confirm(token, headers))).toEqual([403, { reason: 'sign_in_first' }])
    }
    expect([await addressOf(ada.person), await addressOf(eve.person)]).toEqual([
      ada.person.email,
      eve.person.email,
    ])
    expect((await confirm(token, ada.headers)).status).toBe(200)
  })

  test('is not interchangeable with other kinds of links', async () => {
    const ada = await createSignedInUser()
    const body = { token: await requestToken(ada, randomEmail()) }
    const { headers } = ada
    const response = await app.request('POST', '/api/v1/auth/email/verify', { headers, body })
    expect(outcomeOf(response)).toEqual(LINK_SPENT)
    await app.sql`update users set email_verified_at = null where id = ${ada.person.id}`
    await ada.client.security.sendVerification()
    const verification = await linkTo(app, ada.person.email)
    expect(outcomeOf(await confirm(verification.token, headers))).toEqual(LINK_SPENT)
  })

  test('gives a contested address to the first user and refuses the second', async () => {
    const people = [await createSignedInUser(), await createSignedInUser()]
    const email = randomEmail()
    const tokens = [await requestToken(people[0]!, email), await requestToken(people[1]!, email)]
    const responses = await Promise.all(people.map(({ headers }, n) => confirm(tokens[n]!, headers)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const addresses = await Promise.all(people.map(({ person }) => addressOf(person)))
    expect(addresses.filter((address) => address === email)).toHaveLength(1)
  })

  test('returns CONFLICT and changes nothing if the address has been taken', async () => {
    const ada = await createSignedInUser()
    const email = randomEmail()
    const token = await requestToken(ada, email)
    const { person } = await createSignedInUser()
    await app.sql`update users set email = ${email.toUpperCase()} where id = ${person.id}`
    const otherSession = await app.withSession(ada.person)
    expect((await confirm(token, ada.headers)).body.error).toMatchObject({
      code: 'CONFLICT',
      message: 'This email address is already in use',
    })
    expect(await addressOf(ada.person)).toBe(ada.person.email)
    expect(await otherSession.accounts.session()).toHaveProperty('user')
  })
})

describe('an invitation after an email change', () => {
  async function invite(email: string, person?: Person) {
    const org = await app.organization()
    if (person) await app.join(person, org)
    const owner = await app.withSession(await app.person(org, { role: 'owner' }))
    await owner.organization.invite({ email, role: 'admin' })
    const mail = (await mailsTo(app, email)).findLast(({ text }) => text.includes('/invite#'))!
    return { org, token: linkIn(mail).token }
  }
  const accept = (token: string, headers: Headers, fields: object = {}) =>
    app.request('POST', '/api/v1/auth/invite/accept', { headers, body: { token, ...fields } })

  test('applies to the account if sent to the new address', async () => {
    const ada = await createSignedInUser()
    const email = randomEmail()
    const { org, token } = await invite(email)
    await confirm(await requestToken(ada, email), ada.headers)
    const { status, body } = await accept(token, ada.headers)
    expect([status, body.organization?.id, body.role]).toEqual([201, org.id, 'admin'])
  })

  test('stays with the old address if sent there', async () => {
    const ada = await createSignedInUser()
    const { org, token } = await invite(ada.person.email)
    await confirm(await requestToken(ada, randomEmail()), ada.headers)
    expect((await accept(token, ada.headers)).status).toBe(409)
    const newUser = { name: 'Grace', password: PASSWORD }
    const { status, body } = await accept(token, {}, newUser)
    expect([status, body.organization?.id]).toEqual([201, org.id])
    expect(body.user.id).not.toBe(ada.person.id)
  })

  test("leaves an existing member's role unchanged", async () => {
    const ada = await createSignedInUser()
    const email = randomEmail()
    const { org, token } = await invite(email, ada.person)
    await confirm(await requestToken(ada, email), ada.headers)
    const { status, body } = await accept(token, ada.headers)
    expect([status, body.organization?.id, body.role]).toEqual([201, org.id, 'member'])
    expect((await accept(token, ada.headers)).status).toBe(404)
  })
})
