import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bearer, buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(() => app.close())

const PATH = '/api/v1/auth/device'
const start = (body: unknown = {}) => app.request('POST', PATH, { body })
const approve = (headers: Record<string, string>, body: unknown) =>
  app.request('POST', `${PATH}/approve`, { headers, body })

async function approver(options: { role?: 'owner' | 'admin' | 'member' } = {}) {
  const org = await app.organization()
  const person = await app.person(org, options)
  return { org, person, headers: cookie(await app.session(person)) }
}

describe('POST /auth/device', () => {
  test('responds as RFC 8628 specifies', async () => {
    const { status, body, headers } = await start()
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${app.url}/device`,
      verification_uri_complete: `${app.url}/device?user_code=${body.user_code}`,
      expires_in: 900,
      interval: 5,
    })
  })

  test('links to the public URL if one is configured', async () => {
    const publicApp = await buildTestApp({ env: { ATRIUM_PUBLIC_URL: 'https://atrium.example.com' } })
    const { body } = await publicApp.request('POST', PATH, { body: {} })
    expect(body.verification_uri).toBe('https://atrium.example.com/device')
    await publicApp.close()
  })

  test('accepts JSON and forms, and ignores additional OAuth parameters in a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'client_id=tool&scope=files%3Aread+models%3Aread&audience=x&hostname='
    const form = await app.request('POST', PATH, { headers, body })
    expect(form.status).toBe(200)
    const shown = await app.request('GET', `${PATH}?device_code=${form.body.device_code}`)
    expect(shown.body).toMatchObject({
      client_name: 'tool',
      hostname: null,
      scope: 'files:read models:read',
    })
    const twice = await app.request('POST', PATH, { headers, body: 'scope=terminal&scope=files:read' })
    expect([twice.status, twice.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'body.scope must not be sent twice' },
    ])
  })

  test('stores both codes hashed', async () => {
    const { body } = await start()
    const [row] =
      await app.sql`select to_jsonb(device_logins) as all from device_logins order by id desc limit 1`
    const text = JSON.stringify(row)
    const bytes = (code: string) => Buffer.from(code).toString('hex')
    for (const code of [body.device_code, body.user_code, body.user_code.replace('-', '')]) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(bytes(code))
    }
  })

  test.each([
    [
      'an unknown scope',
      { scope: 'terminal root' },
      'invalid_scope',
      /^body.scope must be scopes separated by spaces/,
    ],
    ['an unknown field', { host: 'x' }, 'invalid_request', /^body.host is not a known field/],
    [
      'a host that rewrites the terminal',
      { hostname: 'a\u001b[2Jb' },
      'invalid_request',
      /^body.hostname .*control characters/,
    ],
    [
      'a client that reverses text',
      { client_name: 'a\u202eb' },
      'invalid_request',
      /^body.client_name .*control characters/,
    ],
    [
      'a host too long',
      { hostname: 'h'.repeat(201) },
      'invalid_request',
      /^body.hostname .*1 to 200 characters/,
    ],
    [
      'an unknown scope and an unknown field',
      { scope: 'root', host: 'x' },
      'invalid_request',
      /body.scope .*body.host/s,
    ],
  ])('rejects %s in the error format of RFC 6749', async (_, input, error, description) => {
    const { status, body } = await start(input)
    expect([status, body]).toEqual([400, { error, error_description: expect.stringMatching(description) }])
  })

  test('rejects with slow_down after thirty calls a minute from one IP address', async () => {
    app.clock.freeze()
    const responses = await Promise.all(Array.from({ length: 31 }, () => start()))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(30)
    const refused = responses.find(({ status }) => status !== 200)!
    expect([refused.status, refused.body.error]).toEqual([400, 'slow_down'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('GET /auth/device', () => {
  const readLogin = async (query: string, headers = {}) => app.request('GET', `${PATH}?${query}`, { headers })

  test('returns the status to the terminal by device code', async () => {
    const { body } = await start({ client_name: 'CLI', hostname: 'laptop', scope: 'terminal terminal' })
    app.clock.advance(10)
    const { status, body: login } = await readLogin(`device_code=${body.device_code}`)
    expect([status, login]).toEqual([
      200,
      {
        status: 'pending',
        client_name: 'CLI',
        hostname: 'laptop',
        scope: 'terminal',
        read_only: false,
        ip: '127.0.0.1',
        created_at: expect.any(String),
        expires_in: expect.closeTo(890, -1),
      },
    ])
  })

  test('returns the status to a signed-in user by user code, in any notation', async () => {
    const { body } = await start()
    const { headers } = await approver()
    const bare = body.user_code.replace('-', '')
    for (const code of [body.user_code, bare, bare.toLowerCase(), ` ${body.user_code} `]) {
      const response = await readLogin(`user_code=${encodeURIComponent(code)}`, headers)
      expect([response.status, response.body.status]).toEqual([200, 'pending'])
    }
  })

  test('refuses a user code without a session, even with an API key', async () => {
    const { body } = await start()
    const { person } = await approver({ role: 'owner' })
    for (const headers of [{}, bearer(await app.key(person, ['terminal']))]) {
      const response = await readLogin(`user_code=${body.user_code}`, headers)
      expect([response.status, response.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  test('is BAD_REQUEST with neither code or with both', async () => {
    const { body } = await start()
    for (const query of ['', `device_code=${body.device_code}&user_code=${body.user_code}`]) {
      const response = await readLogin(query)
      expect([response.status, response.body.error.details]).toEqual([
        400,
        [{ path: 'query', message: 'must have either device_code or user_code' }],
      ])
    }
  })

  test('is NOT_FOUND for an unknown code, or one code in place of the other', async () => {
    const { body } = await start()
    const { headers } = await approver()
    const queries = [
      'device_code=nonsense',
      `device_code=${body.user_code}`,
      'user_code=BCDF-GHJK',
      'user_code=12345678',
    ]
    for (const query of queries) {
      const response = await readLogin(query, headers)
      expect([response.status, response.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('returns approved, denied, consumed and expired', async () => {
    const { headers } = await approver()
    const [approved, denied, undecided] = [(await start()).body, (await start()).body, (await start()).body]
    const status = async ({ device_code }: { device_code: string }) =>
      (await readLogin(`device_code=${device_code}`)).body.status
    await approve(headers, { user_code: approved.user_code })
    await approve(headers, { user_code: denied.user_code, decision: 'deny' })
    expect([await status(approved), await status(denied)]).toEqual(['approved', 'denied'])
    await app.as({}).deviceLogin.token({ device_code: approved.device_code })
    expect(await status(approved)).toBe('consumed')
    app.clock.advance(901)
    expect(await Promise.all([approved, denied, undecided].map(status))).toEqual([
      'consumed',
      'denied',
      'expired',
    ])
    const { body } = await readLogin(`device_code=${undecided.device_code}`)
    expect(body.expires_in).toBe(0)
  })
})

describe('POST /auth/device/approve', () => {
  test('approves by default, denies on request, and records the user and host in the audit log', async () => {
    const { person, headers } = await approver()
    const [first, second] = [(await start({ hostname: 'laptop' })).body, (await start()).body]
    expect((await approve(headers, { user_code: first.user_code })).body).toEqual({ status: 'approved' })
    const denial = await approve(headers, {
      user_code: second.user_code.toLowerCase().replace('-', ''),
      decision: 'deny',
    })
    expect([denial.status, denial.body]).toEqual([200, { status: 'denied' }])
    const entries = await app.sql`
      select action, via, details from audit where user_id = ${person.id} order by id`
    expect(entries).toEqual([
      {
        action: 'device.approved',
        via: 'session',
        details: { scope: 'terminal', hostname: 'laptop', from: '127.0.0.1' },
      },
      {
        action: 'device.denied',
        via: 'session',
        details: { scope: 'terminal', hostname: '', from: '127.0.0.1' },
      },
    ])
  })

  test('is CONFLICT once decided, and one of two concurrent decisions succeeds', async () => {
    const { headers } = await approver()
    const other = await approver()
    const { user_code } = (await start()).body
    const responses = await Promise.all([
      approve(headers, { user_code }),
      approve(other.headers, { user_code, decision: 'deny' }),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    const late = await approve(headers, { user_code })
    expect([late.status, late.body.error.code]).toEqual([409, 'CONFLICT'])
  })

  test('is NOT_FOUND for an unknown or expired code', async () => {
    const person = await approver()
    const { user_code } = (await start()).body
    app.clock.advance(900)
    const headers = cookie(await app.session(person.person))
    for (const code of [user_code, 'BCDF-GHJK']) {
      const { status, body } = await approve(headers, { user_code: code })
      expect([status, body.error.message]).toEqual([404, 'Device login not found'])
    }
  })

  test('is FORBIDDEN without step-up, and to API keys', async () => {
    const { person } = await approver({ role: 'owner' })
    const { user_code } = (await start()).body
    const withoutStepUp = await approve(cookie(await app.session(person, { steppedUp: false })), {
      user_code,
    })
    expect([withoutStepUp.status, withoutStepUp.body.error.details.reason]).toEqual([403, 'step_up_required'])
    const byKey = await approve(bearer(await app.key(person, ['terminal'])), { user_code })
    expect([byKey.status, byKey.body.error.message]).toEqual([
      403,
      'Approving a device login requires a browser session',
    ])
  })

  test('lets owners and admins, but not members, approve a terminal that can charge; any member may deny it', async () => {
    const scope = 'terminal billing:machine:charge'
    for (const role of ['owner', 'admin'] as const) {
      const { user_code } = (await start({ scope })).body
      expect((await approve((await approver({ role })).headers, { user_code })).status).toBe(200)
    }
    const { headers } = await approver()
    const { user_code } = (await start({ scope })).body
    const refused = await approve(headers, { user_code })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await approve(headers, { user_code, decision: 'deny' })).body).toEqual({ status: 'denied' })
  })

  test('is RATE_LIMITED for a user guessing codes, even with valid ones in between', async () => {
    const { headers } = await approver()
    const ownCode = (await start()).body.user_code
    const tries = Array.from({ length: 32 }, (_, index) => (index % 4 ? 'BCDF-GHJK' : ownCode))
    const responses = await Promise.all(tries.map((user_code) => approve(headers, { user_code })))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(2)
    const lookup = await app.request('GET', `${PATH}?user_code=${ownCode}`, { headers })
    expect([lookup.status, lookup.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect((await approve((await approver()).headers, { user_code: 'BCDF-GHJK' })).status).toBe(404)
  })
})
