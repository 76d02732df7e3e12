import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { linkTo, mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { bearer, buildTestApp, cookie, type Headers, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

async function createSignedInUser() {
  const person = await app.person(await app.organization())
  const headers = cookie(await app.session(person, { steppedUp: false }))
  return { person, headers, client: app.as(headers) }
}

const verify = (token: string, headers: Headers = {}) =>
  app.request('POST', '/api/v1/auth/email/verify', { headers, body: { token } })

describe('email verification', () => {
  test('requires the emailed link and a session for the account', async () => {
    const { person, headers, client } = await createSignedInUser()
    expect(await client.security.sendVerification()).toEqual({ sent: false })
    const { url, token } = await linkTo(app, person.email)
    expect(url).toBe(`${app.mailUrl}/verify-email#${token}`)
    expect((await verify(token, headers)).body).toEqual({ verified: true, email: person.email })
    expect((await client.accounts.session()).user.emailVerified).toBe(true)
    expect(await app.sql`select action from audit where user_id = ${person.id}`).toEqual([
      { action: 'email.verified' },
    ])
    await expect(client.security.sendVerification()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await mailsTo(app, person.email)).toHaveLength(1)
  })

  test("refuses the address's owner without a session for the account", async () => {
    const { person, headers, client } = await createSignedInUser()
    await client.security.sendVerification()
    const { token } = await linkTo(app, person.email)
    const other = await createSignedInUser()
    for (const wrongHeaders of [{}, other.headers, bearer(await app.key(person))]) {
      const { status, body } = await verify(token, wrongHeaders)
      expect([status, body.error.details]).toEqual([403, { reason: 'sign_in_first' }])
    }
    expect((await client.accounts.session()).user.emailVerified).toBe(false)
    expect((await verify(token, headers)).status).toBe(200)
  })

  test('works once and expires after a day', async () => {
    const { person, headers, client } = await createSignedInUser()
    await client.security.sendVerification()
    const { token } = await linkTo(app, person.email)
    const responses = await Promise.all([verify(token, headers), verify(token, headers)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
    const lateUser = await createSignedInUser()
    await lateUser.client.security.sendVerification()
    const link = await linkTo(app, lateUser.person.email)
    app.clock.advance(86_401)
    expect((await verify(link.token, lateUser.headers)).body.error.details).toEqual({ reason: 'link_spent' })
  })

  test('sends at most three mails in ten minutes', async () => {
    const { client } = await createSignedInUser()
    for (let n = 0; n < 3; n++) await client.security.sendVerification()
    await expect(client.security.sendVerification()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})
