import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { PASSWORD, type Person } from '../../../testing/factories/factories.ts'
import { enrolTotp } from '../../../testing/fakes/authenticator-app.ts'
import { linkIn, linkTo, mailsTo } from '../../../testing/fakes/mailbox.ts'
import { bearer, buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

async function magicLinkOf({ email }: Person): Promise<string> {
  await app.as({}).signIn.sendMagicLink({ email })
  const mails = await mailsTo(app, email)
  return linkIn(mails.find(({ subject }) => subject.includes('sign-in link'))!).token
}

const follow = (token: string) => app.request('POST', '/api/v1/auth/sign-in/magic-link', { body: { token } })

describe('claiming an account by its verified email address', () => {
  /** Everything that an attacker could have left behind to come back with. */
  async function prepared() {
    const person = await app.person(await app.organization(), { password: PASSWORD })
    await enrolTotp(app, person)
    const { id } = person
    const session = cookie(await app.session(person))
    const key = bearer(await app.key(person))
    await app.sql`
      insert into passkeys (user_id, id, credential_id, public_key, counter, transports, synced, name, created_at)
      values (${id}, ${newId()}, ${newId()}, ''::bytea, 0, '{}', false, 'Eve', now())`
    await app.sql`
      insert into identities (provider, subject, id, user_id, created_at)
      values ('github', ${newId()}, ${newId()}, ${id}, now())`
    await app.sql`
      insert into device_logins (id, device_code_hash, user_code_hash, status, scopes, address, org_id, user_id,
        created_at, expires_at)
      values (${newId()}, ${newId()}, ${newId()}, 'approved', '{terminal}', '127.0.0.1', ${person.orgId}, ${id},
        now(), now() + interval '1 hour')`
    await app.request('POST', '/api/v1/auth/password-reset', { body: { email: person.email } })
    const reset = await linkTo(app, person.email)
    return { person, session, key, reset }
  }

  test('invalidates every credential that was set before the first link is opened', async () => {
    const { person, session, key, reset } = await prepared()
    const token = await magicLinkOf(person)
    const { status, body, headers } = await follow(token)
    expect([status, body.user]).toEqual([
      200,
      expect.objectContaining({ id: person.id, emailVerified: true }),
    ])

    const password = { email: person.email, password: PASSWORD }
    const byPassword = await app.request('POST', '/api/v1/auth/sign-in/email', { body: password })
    const byReset = await app.request('POST', '/api/v1/auth/password-reset/confirm', {
      body: { token: reset.token, password: 'a password of Eve' },
    })
    const bySession = await app.request('GET', '/api/v1/auth/session', { headers: session })
    const byKey = await app.request('GET', '/api/v1/feedback', { headers: key })
    expect([byPassword, byReset, bySession, byKey].map((answer) => answer.status)).toEqual([
      401, 401, 401, 401,
    ])
    expect(await app.sql`select from device_logins where user_id = ${person.id}`).toEqual([])

    const [pair] = headers.get('set-cookie')!.split(';')
    const owner = app.as({ cookie: pair! })
    expect((await owner.webhooks.events({ type: 'key.revoked' })).items).toHaveLength(1)
    expect(await owner.security.overview()).toMatchObject({
      emailVerified: true,
      hasPassword: false,
      totp: false,
      recoveryCodesLeft: 0,
      passkeys: [],
      identities: [],
      sessions: [{ current: true }],
    })
    const entries = await app.sql`select action from audit where user_id = ${person.id} order by id`
    expect(entries.map(({ action }) => action)).toEqual(['totp.enabled', 'account.reclaimed', 'sign-in'])
  })

  test('keeps all credentials if the email address was verified before', async () => {
    const { person, session, key } = await prepared()
    await app.sql`update users set email_verified_at = now() where id = ${person.id}`
    const token = await magicLinkOf(person)
    expect((await follow(token)).body.error.details.reason).toBe('second_factor_required')
    expect((await app.request('GET', '/api/v1/auth/session', { headers: session })).status).toBe(200)
    expect((await app.request('GET', '/api/v1/feedback', { headers: key })).status).toBe(200)
  })
})
