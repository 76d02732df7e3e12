import { beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../../testing/factories/factories.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const DAY_S = 86_400
const UNAUTHORIZED = { status: 401, code: 'UNAUTHORIZED' }

async function createBrowserUser(options: { steppedUp?: boolean } = {}) {
  const org = await app.organization()
  const person = await app.person(org, { password: PASSWORD, role: 'admin' })
  const session = await app.session(person, options)
  return { org, person, session, headers: cookie(session), client: app.as(cookie(session)) }
}

describe('GET /auth/session', () => {
  test('returns the user, the active workspace and the step-up state', async () => {
    const { org, person, headers, client } = await createBrowserUser()
    await app.sql`update sessions set workspace_id = ${org.workspaceId} where user_id = ${person.id}`
    expect(await client.accounts.session()).toEqual({
      user: {
        id: person.id,
        name: person.name,
        email: person.email,
        emailVerified: false,
        operator: false,
        language: null,
        settings: { defaultProjectVisibility: 'team' },
      },
      organization: { id: org.id, name: org.name },
      workspace: { id: org.workspaceId, name: 'General' },
      role: 'admin',
      organizations: [{ id: org.id, name: org.name, role: 'admin' }],
      suspension: null,
      stepUp: { active: true, until: expect.any(String), methods: ['password'] },
    })
    const answer = await app.request('GET', '/api/v1/auth/session', { headers })
    expect(answer.headers.get('set-cookie')).toMatch(`${headers.cookie}; `)
  })

  test('returns FORBIDDEN to an API key', async () => {
    const { person } = await createBrowserUser()
    const headers = bearer(await app.key(person))
    const { status, body } = await app.request('GET', '/api/v1/auth/session', { headers })
    expect([status, body.error.message, body.error.details]).toEqual([
      403,
      'Reading the session requires a browser session',
      { reason: 'browser_session_required' },
    ])
  })

  test('returns UNAUTHORIZED without a session', async () => {
    await expect(app.as({}).accounts.session()).rejects.toMatchObject(UNAUTHORIZED)
  })
})

describe('a session', () => {
  test('expires seven days after the last request', async () => {
    const { client, session } = await createBrowserUser()
    const expiry = async () =>
      (await app.sql<{ at: string }[]>`select expires_at as at from sessions where id = ${session.id}`)[0]!.at
    const before = await expiry()
    app.clock.advance(6 * DAY_S)
    await client.accounts.session()
    await expect.poll(expiry).not.toBe(before)
    app.clock.advance(6 * DAY_S)
    await client.accounts.session()
    app.clock.advance(7 * DAY_S + 10)
    await expect(client.accounts.session()).rejects.toMatchObject(UNAUTHORIZED)
  })

  test('ends on sign-out, which clears the cookie', async () => {
    const { person, headers, client } = await createBrowserUser()
    const otherSession = await app.withSession(person)
    const {
      status,
      body,
      headers: responseHeaders,
    } = await app.request('POST', '/api/v1/auth/sign-out', { headers })
    expect([status, body]).toEqual([200, { signedOut: true }])
    expect(responseHeaders.get('set-cookie')).toMatch(/^atrium_session=; .*Expires=Thu, 01 Jan 1970/)
    await expect(client.accounts.session()).rejects.toMatchObject(UNAUTHORIZED)
    expect(await otherSession.accounts.session()).toMatchObject({ user: { id: person.id } })
    expect(await app.sql`select action from audit where user_id = ${person.id}`).toEqual([
      { action: 'sign-out' },
    ])
  })

  test("ends when the user's membership in its organization ends", async () => {
    const { person, client } = await createBrowserUser()
    await app.sql`delete from memberships where user_id = ${person.id}`
    await expect(client.accounts.session()).rejects.toMatchObject(UNAUTHORIZED)
  })

  test('is ignored if the request has an API key', async () => {
    const { headers } = await createBrowserUser()
    const keyHolder = await app.newUser()
    const { id } = await keyHolder.client.feedback.submit({ message: 'Mine' })
    const both = { ...headers, ...keyHolder.headers }
    expect((await app.as(both).feedback.list({})).items).toMatchObject([{ id }])
    await expect(app.as(both).accounts.session()).rejects.toMatchObject({
      code: 'FORBIDDEN',
      reason: 'browser_session_required',
    })
    const broken = { ...headers, authorization: 'Bearer nonsense' }
    await expect(app.as(broken).accounts.session()).rejects.toMatchObject(UNAUTHORIZED)
  })
})

describe('the step-up window', () => {
  const stepUp = { method: 'password', password: PASSWORD } as const

  test('stays open for 600 seconds, regardless of activity', async () => {
    const { client } = await createBrowserUser()
    app.clock.advance(590)
    await client.apiKeys.create({ name: 'Just in time' })
    expect((await client.accounts.session()).stepUp.active).toBe(true)
    app.clock.advance(11)
    expect((await client.accounts.session()).stepUp).toEqual({
      active: false,
      until: null,
      methods: ['password'],
    })
    await expect(client.apiKeys.create({ name: 'Too late' })).rejects.toMatchObject({
      reason: 'step_up_required',
    })
  })

  test('opens again for 600 seconds with the password, for this session only', async () => {
    const { person, client } = await createBrowserUser({ steppedUp: false })
    const other = app.as(cookie(await app.session(person, { steppedUp: false })))
    const { until } = await client.accounts.stepUp(stepUp)
    expect(Math.round((Date.parse(until) - app.clock.now().getTime()) / 1000)).toBe(600)
    expect((await client.accounts.session()).stepUp).toMatchObject({ active: true, until })
    expect(await client.apiKeys.create({ name: 'Now' })).toHaveProperty('key')
    await expect(other.apiKeys.create({ name: 'Not here' })).rejects.toMatchObject({ status: 403 })
    expect(
      await app.sql`select action from audit where user_id = ${person.id} and action = 'step-up'`,
    ).toHaveLength(1)
  })

  test('stays closed after a wrong password', async () => {
    const { client } = await createBrowserUser({ steppedUp: false })
    await expect(client.accounts.stepUp({ ...stepUp, password: 'wrong' })).rejects.toMatchObject({
      status: 403,
      reason: 'wrong_proof',
    })
    expect((await client.accounts.session()).stepUp.active).toBe(false)
  })

  test('is RATE_LIMITED after five wrong attempts in five minutes, across sessions', async () => {
    const { person, client } = await createBrowserUser({ steppedUp: false })
    const other = await app.withSession(person)
    const wrong = { ...stepUp, password: 'wrong' }
    for (const browser of [client, other, client, other, client]) {
      await expect(browser.accounts.stepUp(wrong)).rejects.toMatchObject({ status: 403 })
    }
    const refused = await other.accounts.stepUp(stepUp).catch((failure) => failure)
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    expect(refused.retryAfterSeconds).toBeGreaterThan(50)
    app.clock.advance(60)
    expect(await client.accounts.stepUp(stepUp)).toHaveProperty('until')
  })

  test('is RATE_LIMITED after fifty attempts in a day, even after five minutes', async () => {
    const { person, client } = await createBrowserUser({ steppedUp: false })
    const wrong = { ...stepUp, password: 'wrong' }
    await expect(client.accounts.stepUp(wrong)).rejects.toMatchObject({ status: 403 })
    const key = `step-up-day:${person.id}`
    const [bucket] = await app.sql`select tokens from rate_limits where key = ${key}`
    expect(bucket!.tokens).toBe(49)
    await app.sql`update rate_limits set tokens = 0 where key = ${key}`
    app.clock.advance(300)
    const refused = await client.accounts.stepUp(stepUp).catch((failure) => failure)
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    expect(refused.retryAfterSeconds).toBeGreaterThan(300)
    // The bucket gains one attempt in about half an hour. A correct password fills it again.
    app.clock.advance(refused.retryAfterSeconds)
    expect(await client.accounts.stepUp(stepUp)).toHaveProperty('until')
    expect(await app.sql`select from rate_limits where key = ${key}`).toHaveLength(0)
  })

  test("doesn't open for an API key or an unsupported method", async () => {
    const { person, headers } = await createBrowserUser({ steppedUp: false })
    const byKey = await app.withKey(person)
    await expect(byKey.accounts.stepUp(stepUp)).rejects.toMatchObject({ reason: 'browser_session_required' })
    const body = { method: 'recovery', password: PASSWORD }
    const answer = await app.request('POST', '/api/v1/auth/step-up', { headers, body })
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'body.method'])
  })
})
