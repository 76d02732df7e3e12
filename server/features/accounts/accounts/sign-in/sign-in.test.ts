import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../../testing/factories/factories.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => app.close())

const createUser = async () => app.person(await app.organization(), { password: PASSWORD })

const addresses = Array.from({ length: 200 }, (_, n) => `203.0.113.${n}`).values()
/** An address that no other test calls from, so that limits by address stay apart. */
const newAddress = () => addresses.next().value!

const signIn = (email: string, password: string, from = newAddress()) =>
  app.request('POST', '/api/v1/auth/sign-in/email', {
    headers: { 'x-forwarded-for': from },
    body: { email, password },
  })

const statusesOf = async (answers: Promise<{ status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort((a, b) => a - b)

describe('POST /auth/sign-in/email', () => {
  test('returns the session, sets its cookie and opens the step-up window', async () => {
    const person = await createUser()
    const { status, body, headers } = await signIn(person.email, PASSWORD)
    expect(status).toBe(200)
    expect(body).toMatchObject({ user: { id: person.id, email: person.email }, stepUp: { active: true } })
    const [pair, ...attributes] = headers.getSetCookie()[0]!.split('; ')
    expect(pair).toMatch(/^atrium_session=[\w-]{43}$/)
    const [expires, ...others] = attributes.sort()
    expect(others).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
    const days = (Date.parse(expires!.slice('Expires='.length)) - app.clock.now().getTime()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    expect(await app.as({ cookie: pair! }).apiKeys.create({ name: 'At once' })).toHaveProperty('key')
  })

  test('sets a Secure cookie if the public URL is https', async () => {
    const secure = await buildTestApp({ env: { ATRIUM_PUBLIC_URL: 'https://atrium.example' } })
    const { email } = await secure.person(await secure.organization(), { password: PASSWORD })
    const body = { email, password: PASSWORD }
    const { headers } = await secure.request('POST', '/api/v1/auth/sign-in/email', { body })
    const [pair, ...attributes] = headers.getSetCookie()[0]!.split('; ')
    expect(pair).toMatch(/^__Host-atrium_session=/)
    expect(attributes).toEqual(expect.arrayContaining(['Secure', 'HttpOnly', 'Path=/', 'SameSite=Lax']))
    expect(await secure.as({ cookie: pair! }).accounts.session()).toMatchObject({ user: { email } })
    const unprefixed = pair!.replace('__Host-', '')
    await expect(secure.as({ cookie: unprefixed }).accounts.session()).rejects.toMatchObject({ status: 401 })
    await secure.close()
  })

  test('issues a new token each time and stores its hash', async () => {
    const { email, id } = await createUser()
    const tokens = await Promise.all(
      [1, 2].map(
        async () => /session=([^;]+)/.exec((await signIn(email, PASSWORD)).headers.get('set-cookie')!)![1]!,
      ),
    )
    expect(new Set(tokens).size).toBe(2)
    const stored = await app.sql`select to_jsonb(sessions)::text as row from sessions where user_id = ${id}`
    expect(stored).toHaveLength(2)
    for (const token of tokens) expect(JSON.stringify(stored)).not.toContain(token)
  })

  test("ignores the email address's case", async () => {
    const { email } = await createUser()
    expect((await signIn(` ${email.toUpperCase()} `, PASSWORD)).status).toBe(200)
  })

  test('activates the organization that the user joined first', async () => {
    const person = await createUser()
    app.clock.advance(1)
    const second = await app.join(person, await app.organization('A second one'), 'admin')
    const { body } = await signIn(person.email, PASSWORD)
    expect(body.organization.id).toBe(person.orgId)
    expect(body.organizations.map(({ id }: { id: string }) => id).sort()).toEqual(
      [person.orgId, second.orgId].sort(),
    )
  })

  test('records an audit entry with the IP address', async () => {
    const { email, id } = await createUser()
    await signIn(email, PASSWORD, '198.51.100.7')
    expect(await app.sql`select action, via, address from audit where user_id = ${id}`).toEqual([
      { action: 'sign-in', via: 'session', address: '198.51.100.7' },
    ])
  })

  test('returns the same error for a wrong password and an unknown email address', async () => {
    const { email } = await createUser()
    const withoutPassword = await app.person(await app.organization())
    const answers = await Promise.all([
      signIn(email, 'a wrong password'),
      signIn('nobody@example.com', 'a wrong password'),
      signIn(withoutPassword.email, 'a wrong password'),
    ])
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401)
      expect(body.error).toEqual({
        code: 'UNAUTHORIZED',
        message: 'The email address or password is wrong',
        requestId: expect.any(String),
      })
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  test.each([
    ['no password', { email: 'a@example.com' }, 'body.password', 'is required'],
    ['no email address', { email: 'a', password: 'p' }, 'body.email', 'must be an email address'],
  ])('returns BAD_REQUEST for %s', async (_, body, path, message) => {
    const headers = { 'x-forwarded-for': newAddress() }
    const answer = await app.request('POST', '/api/v1/auth/sign-in/email', { headers, body })
    expect([answer.status, answer.body.error.details]).toEqual([400, [{ path, message }]])
  })
})

describe('the sign-in attempt limit', () => {
  test('refuses the sixth attempt with RATE_LIMITED, however the email address is spelled', async () => {
    const { email } = await createUser()
    const from = newAddress()
    const spellings = [email, email.toUpperCase(), ` ${email}`, email, email]
    expect(await statusesOf(spellings.map((given) => signIn(given, 'wrong', from)))).toEqual(
      Array(5).fill(401),
    )
    const refused = await signIn(email, PASSWORD, from)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    app.clock.advance(60)
    expect((await signIn(email, PASSWORD, from)).status).toBe(200)
  })

  test("doesn't affect other accounts, or the same account from another IP address", async () => {
    const [{ email }, other] = [await createUser(), await createUser()]
    const from = newAddress()
    await statusesOf(Array.from({ length: 6 }, () => signIn(email, 'wrong', from)))
    expect((await signIn(other.email, PASSWORD, from)).status).toBe(200)
    expect((await signIn(email, PASSWORD)).status).toBe(200)
  })

  test('resets after a success', async () => {
    const { email } = await createUser()
    const from = newAddress()
    await statusesOf(Array.from({ length: 4 }, () => signIn(email, 'wrong', from)))
    expect((await signIn(email, PASSWORD, from)).status).toBe(200)
    const again = Array.from({ length: 5 }, () => signIn(email, 'wrong', from))
    expect(await statusesOf(again)).toEqual(Array(5).fill(401))
  })

  test('refuses one account after fifty attempts from all IP addresses', async () => {
    const { email } = await createUser()
    await statusesOf(Array.from({ length: 50 }, () => signIn(email, 'wrong')))
    expect((await signIn(email, PASSWORD)).status).toBe(429)
  })

  test('delays one IP address after ten wrong passwords across accounts', async () => {
    app.clock.freeze()
    const from = newAddress()
    const tries = Array.from({ length: 31 }, (_, n) => signIn(`guess${n}@example.com`, 'wrong', from))
    expect((await statusesOf(tries)).filter((status) => status === 429)).toHaveLength(21)
  })
})
