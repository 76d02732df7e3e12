import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { security } from '../../../../../contract/accounts/security.ts'
import { newId } from '../../../../security/ids.ts'
import { PASSWORD } from '../../../../testing/factories/factories.ts'
import { waitForBlockedBackends } from '../../../../testing/locks.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`)

const NOT_FOUND = { status: 404, code: 'NOT_FOUND' }
const UNAUTHORIZED = { status: 401, code: 'UNAUTHORIZED' }

async function createBrowserUser(options: { password?: string } = {}) {
  const person = await app.person(await app.organization(), options)
  const session = await app.session(person)
  return { person, session, headers: cookie(session), client: app.as(cookie(session)) }
}

const signIn = (email: string, password: string) =>
  app.request('POST', '/api/v1/auth/sign-in/email', { body: { email, password } })

test.each(Object.values(security))(
  '$method $path is FORBIDDEN to an API key, even beside a session',
  async (item) => {
    const { person, headers } = await createBrowserUser()
    const answer = await app.request(item.method, item.path.replace(':id', newId()), {
      headers: { ...headers, ...bearer(await app.key(person)) },
    })
    expect([answer.status, answer.body.error.details]).toEqual([403, { reason: 'browser_session_required' }])
  },
)

describe('GET /auth/security', () => {
  test('lists all sign-in methods and sessions', async () => {
    const { person, session, client } = await createBrowserUser({ password: PASSWORD })
    const other = await app.session(person)
    const [passkeyId, identityId] = [newId(), newId()]
    await app.sql`
      insert into passkeys (user_id, id, credential_id, public_key, counter, transports, synced, name, created_at)
      values (${person.id}, ${passkeyId}, ${newId()}, ''::bytea, 0, '{}', true, 'Laptop', now())`
    await app.sql`
      insert into identities (provider, subject, id, user_id, email, created_at)
      values ('github', ${newId()}, ${identityId}, ${person.id}, 'ada@example.com', now())`
    const found = await client.security.overview()
    expect(found).toEqual({
      email: person.email,
      emailVerified: false,
      hasPassword: true,
      totp: false,
      recoveryCodesLeft: 0,
      passkeys: [
        { id: passkeyId, name: 'Laptop', synced: true, lastUsedAt: null, createdAt: expect.any(String) },
      ],
      identities: [
        { id: identityId, provider: 'github', email: 'ada@example.com', createdAt: expect.any(String) },
      ],
      sessions: expect.any(Array),
    })
    const sessions = found.sessions.map(({ id, current }) => ({ id, current }))
    expect(sessions).toHaveLength(2)
    expect(sessions).toEqual(
      expect.arrayContaining([
        { id: session.id, current: true },
        { id: other.id, current: false },
      ]),
    )
  })

  test("omits expired sessions and other users' sessions", async () => {
    const { person, session, client } = await createBrowserUser()
    await createBrowserUser()
    const expired = await app.session(person)
    await app.sql`update sessions set expires_at = now() - interval '1 second' where id = ${expired.id}`
    expect((await client.security.overview()).sessions.map(({ id }) => id)).toEqual([session.id])
  })
})

describe('PUT /auth/password', () => {
  test('ends every other session and keeps the current one', async () => {
    const { person, client } = await createBrowserUser({ password: PASSWORD })
    const otherSession = await app.withSession(person)
    const other = await createBrowserUser()
    expect(await client.security.changePassword({ password: 'something else entirely' })).toEqual({
      changed: true,
    })
    await expect(otherSession.accounts.session()).rejects.toMatchObject(UNAUTHORIZED)
    expect(await client.accounts.session()).toMatchObject({ user: { id: person.id } })
    expect(await other.client.accounts.session()).toHaveProperty('user')
    expect((await signIn(person.email, PASSWORD)).status).toBe(401)
    expect((await signIn(person.email, 'something else entirely')).status).toBe(200)
  })

  test('refuses a concurrent sign-in with the old password', async () => {
    const { person } = await createBrowserUser({ password: PASSWORD })
    const change = await app.sql.reserve()
    await change`begin`
    await change`update users set password_hash = 'another' where id = ${person.id}`
    const signingIn = signIn(person.email, PASSWORD)
    await waitForBlockedBackends(app.sql)
    await change`delete from sessions where user_id = ${person.id}`
    await change`commit`
    change.release()
    expect((await signingIn).status).toBe(401)
    expect(await app.sql`select from sessions where user_id = ${person.id}`).toEqual([])
  })

  test('requires step-up, even for the first password', async () => {
    const { person } = await createBrowserUser()
    const client = app.as(cookie(await app.session(person, { steppedUp: false })))
    await expect(client.security.changePassword({ password: PASSWORD })).rejects.toMatchObject({
      details: { reason: 'step_up_required', methods: [] },
    })
    await (await app.withSession(person)).security.changePassword({ password: PASSWORD })
    expect((await signIn(person.email, PASSWORD)).status).toBe(200)
  })
})

describe('DELETE /auth/sessions', () => {
  test("ends one of the caller's sessions", async () => {
    const { person, client } = await createBrowserUser()
    const other = await app.session(person)
    expect(await client.security.endSession({ id: other.id })).toEqual({ ended: true })
    await expect(app.as(cookie(other)).accounts.session()).rejects.toMatchObject(UNAUTHORIZED)
    await expect(client.security.endSession({ id: other.id })).rejects.toMatchObject(NOT_FOUND)
    const entries = await app.sql`select action, target from audit where user_id = ${person.id}`
    expect(entries).toEqual([{ action: 'session.ended', target: other.id }])
  })

  test("returns NOT_FOUND for another user's session and keeps it", async () => {
    const [ada, eve] = [await createBrowserUser(), await createBrowserUser()]
    await expect(eve.client.security.endSession({ id: ada.session.id })).rejects.toMatchObject(NOT_FOUND)
    await expect(eve.client.security.endSession({ id: newId() })).rejects.toMatchObject(NOT_FOUND)
    expect(await ada.client.accounts.session()).toHaveProperty('user')
  })

  test('clears the cookie when the current session ends', async () => {
    const { session, headers } = await createBrowserUser()
    const answer = await app.request('DELETE', `/api/v1/auth/sessions/${session.id}`, { headers })
    expect(answer.headers.get('set-cookie')).toMatch(/^atrium_session=;/)
  })

  test('ends all other sessions', async () => {
    const { person, client } = await createBrowserUser()
    const others = [await app.withSession(person), await app.withSession(person)]
    const eve = await createBrowserUser()
    expect(await client.security.endOtherSessions()).toEqual({ ended: 2 })
    for (const other of others) await expect(other.accounts.session()).rejects.toMatchObject(UNAUTHORIZED)
    expect(await client.security.endOtherSessions()).toEqual({ ended: 0 })
    expect(await eve.client.accounts.session()).toHaveProperty('user')
  })
})
