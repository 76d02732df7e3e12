import * as oauth from 'openid-client'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEVICE_GRANT } from '../../../../contract/accounts/device-login.ts'
import { sha256 } from '../../../security/digest.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`)

const PATH = '/api/v1/auth/device/token'
const start = (input = {}) => app.as({}).deviceLogin.start(input)
const exchange = (body: unknown) => app.request('POST', PATH, { body })

async function approver() {
  const org = await app.organization()
  const person = await app.person(org)
  return { org, person, client: await app.withSession(person) }
}

async function approvedLogin(input = {}) {
  const login = await start(input)
  const who = await approver()
  await who.client.deviceLogin.approve({ user_code: login.user_code })
  return { ...login, ...who }
}

const refused = (error: string) => [400, { error, error_description: expect.stringMatching(/^[A-Za-z].+/) }]

describe('POST /auth/device/token', () => {
  test('returns a key for the approving user, once', async () => {
    const { device_code, org, person } = await approvedLogin({ client_name: 'CLI', hostname: 'laptop' })
    const { status, body, headers } = await exchange({ device_code })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      access_token: expect.stringMatching(/^atrium_test_[0-9a-f]{48}$/),
      token_type: 'Bearer',
      scope: 'terminal',
      api_key: { id: expect.any(String), name: 'CLI on laptop', prefix: 'atrium_test_' },
    })
    const me = await app.as(bearer({ key: body.access_token })).deviceLogin.me()
    expect([me.user.id, me.organization.id, me.scopes]).toEqual([person.id, org.id, ['terminal']])
    const again = await exchange({ device_code })
    expect([again.status, again.body]).toEqual(refused('invalid_grant'))
  })

  test('refuses a scope the approver may no longer grant', async () => {
    const login = await start({ scope: 'billing:machine:charge' })
    const admin = await app.person(await app.organization(), { role: 'admin' })
    await (await app.withSession(admin)).deviceLogin.approve({ user_code: login.user_code })
    await app.sql`update memberships set role = 'member' where user_id = ${admin.id}`
    const { status, body } = await exchange({ device_code: login.device_code })
    expect([status, body]).toEqual(refused('access_denied'))
    expect(await app.sql`select from api_keys where user_id = ${admin.id}`).toEqual([])
  })

  test('refuses an approval whose session has ended', async () => {
    const { device_code, person } = await approvedLogin()
    await app.sql`delete from sessions where user_id = ${person.id}`
    const { status, body } = await exchange({ device_code })
    expect([status, body]).toEqual(refused('invalid_grant'))
    expect(await app.sql`select from api_keys where user_id = ${person.id}`).toEqual([])
  })

  test('returns one key to many concurrent requests and creates exactly one', async () => {
    const { device_code, person } = await approvedLogin()
    const responses = await Promise.all(Array.from({ length: 8 }, () => exchange({ device_code })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
    const late = responses.filter(({ status }) => status === 400).map(({ body }) => body.error)
    expect(new Set(late)).toEqual(new Set(['invalid_grant']))
    expect(await app.sql`select from api_keys where user_id = ${person.id}`).toHaveLength(1)
  })

  test('responds authorization_pending, and slow_down to a poll within five seconds', async () => {
    const { device_code } = await start()
    const poll = async () => {
      const { status, body } = await exchange({ device_code })
      return [status, body]
    }
    expect(await poll()).toEqual(refused('authorization_pending'))
    expect(await poll()).toEqual(refused('slow_down'))
    app.clock.advance(5)
    expect(await poll()).toEqual(refused('authorization_pending'))
    app.clock.advance(5)
    const both = await Promise.all([exchange({ device_code }), exchange({ device_code })])
    expect(both.map(({ body }) => body.error).sort()).toEqual(['authorization_pending', 'slow_down'])
  })

  test('returns the key right after approval, regardless of the last poll', async () => {
    const login = await start()
    expect((await exchange({ device_code: login.device_code })).body.error).toBe('authorization_pending')
    const { client } = await approver()
    await client.deviceLogin.approve({ user_code: login.user_code })
    expect((await exchange({ device_code: login.device_code })).status).toBe(200)
  })

  test('responds access_denied, expired_token (even for an approved login) and invalid_grant', async () => {
    const { client } = await approver()
    const denied = await start()
    await client.deviceLogin.approve({ user_code: denied.user_code, decision: 'deny' })
    const undecided = await start()
    const unfetched = await approvedLogin()
    const poll = async (device_code: string) => {
      const { status, body } = await exchange({ device_code })
      return [status, body]
    }
    expect(await poll(denied.device_code)).toEqual(refused('access_denied'))
    expect(await poll(undecided.user_code)).toEqual(refused('invalid_grant'))
    app.clock.advance(900)
    expect(await poll(undecided.device_code)).toEqual(refused('expired_token'))
    expect(await poll(unfetched.device_code)).toEqual(refused('expired_token'))
    expect(await app.sql`select from api_keys where user_id = ${unfetched.person.id}`).toHaveLength(0)
  })

  test('returns no key if the user has left the organization since approving', async () => {
    const { device_code, person } = await approvedLogin()
    await app.sql`delete from memberships where user_id = ${person.id}`
    expect((await exchange({ device_code })).body.error).toBe('invalid_grant')
  })

  test.each([
    ['no device code', {}, 'invalid_request'],
    ['another grant', { device_code: 'x', grant_type: 'password' }, 'unsupported_grant_type'],
    ['malformed JSON', '{', 'invalid_request'],
  ])('responds to %s with an OAuth error', async (_, body, error) => {
    const response = await exchange(body)
    expect([response.status, response.body]).toEqual(refused(error))
  })

  test('accepts a form with the grant and a client id', async () => {
    const { device_code } = await approvedLogin()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = new URLSearchParams({ device_code, grant_type: DEVICE_GRANT, client_id: 'tool', scope: '' })
    const { status, body } = await app.request('POST', PATH, { headers, body: String(form) })
    expect([status, body.token_type]).toEqual([200, 'Bearer'])
  })

  test('responds slow_down from the 31st request a minute from one IP address', async () => {
    app.clock.freeze()
    const responses = await Promise.all(Array.from({ length: 31 }, () => exchange({ device_code: 'x' })))
    expect(
      responses
        .map(({ body }) => body.error)
        .sort()
        .at(-1),
    ).toBe('slow_down')
    expect(responses.filter(({ body }) => body.error === 'slow_down')).toHaveLength(1)
  })

  test("limits the key's name to the maximum length and stores only its hash", async () => {
    const { device_code, person } = await approvedLogin({ hostname: '🌍'.repeat(200), scope: 'files:read' })
    const { body } = await exchange({ device_code })
    expect([...body.api_key.name]).toHaveLength(120)
    expect(body.api_key.name.startsWith('CLI on 🌍')).toBe(true)
    const [row] = await app.sql`select scopes, hash from api_keys where user_id = ${person.id}`
    expect(row).toEqual({ scopes: ['files:read'], hash: sha256(body.access_token) })
    const entries =
      await app.sql`select action, target from audit where user_id = ${person.id} order by id desc limit 1`
    expect(entries[0]).toEqual({ action: 'api-key.created', target: body.api_key.id })
  })
})

test('a standard OAuth library completes the device flow', async () => {
  const config = new oauth.Configuration(
    {
      issuer: app.url,
      device_authorization_endpoint: `${app.url}/api/v1/auth/device`,
      token_endpoint: `${app.url}/api/v1/auth/device/token`,
    },
    'a-tool',
    undefined,
    oauth.None(),
  )
  oauth.allowInsecureRequests(config)
  const login = await oauth.initiateDeviceAuthorization(config, { scope: 'terminal' })
  const { person, client } = await approver()
  // A shorter interval than announced, to keep the test short; the first poll comes after approval.
  const polled = oauth.pollDeviceAuthorizationGrant(config, { ...login, interval: 1 })
  await client.deviceLogin.approve({ user_code: login.user_code })
  const tokens = await polled
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'terminal' })
  const me = await app.as(bearer({ key: tokens.access_token })).deviceLogin.me()
  expect([me.user.id, me.key?.name]).toEqual([person.id, 'a-tool'])
})

describe('GET /me', () => {
  test('returns user, organization and credential for a key and a session', async () => {
    const { org, person } = await approver()
    const key = await app.key(person, ['models:read'])
    const who = {
      user: { id: person.id, name: person.name, email: person.email },
      organization: { id: org.id, name: org.name },
      role: 'member',
    }
    expect(await app.as(bearer(key)).deviceLogin.me()).toEqual({
      ...who,
      workspace: { id: org.workspaceId, name: 'General' },
      via: 'key',
      scopes: ['models:read'],
      key: {
        id: key.id,
        name: 'test key',
        expiresAt: null,
        prefix: 'atrium_test_',
        lastFour: key.key.slice(-4),
        readOnly: false,
      },
    })
    expect(await app.as(cookie(await app.session(person))).deviceLogin.me()).toEqual({
      ...who,
      workspace: { id: org.workspaceId, name: 'General' },
      via: 'session',
      scopes: null,
      key: null,
    })
  })
})
