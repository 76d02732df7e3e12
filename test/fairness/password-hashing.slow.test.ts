import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyPassword } from '../../server/security/passwords.ts'
import { PASSWORD } from '../../server/testing/factories/factories.ts'
import { createSharedProject, openShare } from '../../server/testing/factories/sharing.ts'
import { buildTestApp, cookie, type Headers, type TestApp } from '../../server/testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => app.close())

/**
 * Keeps the queue of anonymous password checks full while `work` runs: each of 200 clients, which have four or 200
 * networks, sends its next password as soon as the last one is checked or refused.
 */
async function duringFlood(networks: number, work: () => Promise<void>): Promise<Set<string>> {
  let isDone = false
  const codes = new Set<string>()
  const send = async (key: string) => {
    while (!isDone) {
      await verifyPassword(null, PASSWORD, { lane: 'anonymous', key }).catch(({ code }) => codes.add(code))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const flood = Array.from({ length: 200 }, (_, n) => send(`client ${n % networks}`))
  try {
    await work()
  } finally {
    isDone = true
    await Promise.all(flood)
  }
  return codes
}

const createUser = async () => app.person(await app.organization(), { password: PASSWORD })
const signIn = (email: string, headers: Headers = {}) =>
  app.request('POST', '/api/v1/auth/sign-in/email', { headers, body: { email, password: PASSWORD } })

test('a client signs in while a few networks fill the password check queue', async () => {
  const { email } = await createUser()
  const codes = await duringFlood(4, async () => expect((await signIn(email)).status).toBe(200))
  expect(codes).toContain('UNAVAILABLE')
})

test('a member steps up while many networks fill the password check queue', async () => {
  const person = await createUser()
  const headers = cookie(await app.session(person))
  const codes = await duringFlood(200, async () => {
    const body = { method: 'password', password: PASSWORD }
    const { status } = await app.request('POST', '/api/v1/auth/step-up', { headers, body })
    expect(status).toBe(200)
  })
  expect(codes).toContain('UNAVAILABLE')
})

test('a known device signs in while many networks fill the password check queue', async () => {
  const { email } = await createUser()
  const device = (await signIn(email)).headers
    .getSetCookie()
    .find((line) => line.startsWith('atrium_device='))!
    .split(';')[0]!
  await duringFlood(200, async () => expect((await signIn(email, { cookie: device })).status).toBe(200))
})

test('a network that knows a link opens it while many networks guess its password', async () => {
  const { token } = await createSharedProject(app, { password: PASSWORD })
  expect((await openShare(app, { token, password: PASSWORD })).status).toBe(200)
  await duringFlood(200, async () =>
    expect((await openShare(app, { token, password: PASSWORD })).status).toBe(200),
  )
})

test('105 wrong passwords from many networks do not lock a link', async () => {
  const { token } = await createSharedProject(app, { password: PASSWORD })
  const guess = (n: number, password: string) =>
    openShare(app, { token, password }, { 'x-forwarded-for': `198.51.${Math.floor(n / 100)}.${n % 100}` })
  for (let n = 0; n < 105; n++) expect((await guess(n, 'a wrong password')).status).toBe(401)
  expect((await guess(200, PASSWORD)).status).toBe(200)
})

test('a network waits longer after each wrong password, whatever account it tries', async () => {
  const attempt = (email: string, from = '203.0.113.7') =>
    app.request('POST', '/api/v1/auth/sign-in/email', {
      headers: { 'x-forwarded-for': from },
      body: { email, password: 'a wrong password' },
    })
  app.clock.freeze()
  for (let n = 0; n < 10; n++) expect((await attempt(`user${n}@example.com`)).status).toBe(401)
  const delays: number[] = []
  for (let n = 0; n < 4; n++) {
    const { status, headers } = await attempt('other@example.com')
    expect(status).toBe(429)
    delays.push(Number(headers.get('retry-after')))
    app.clock.advance(delays.at(-1)!)
    expect((await attempt(`later${n}@example.com`)).status).toBe(401)
  }
  expect(delays).toEqual(delays.toSorted((one, other) => one - other))
  expect(delays.at(-1)).toBeGreaterThanOrEqual(4)
  expect((await attempt('other@example.com', '203.0.113.8')).status).toBe(401)
})
