import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../../../testing/factories/factories.ts'
import { buildTestApp, type Headers, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => app.close())

const createUser = async () => app.person(await app.organization(), { password: PASSWORD })

const addresses = Array.from({ length: 200 }, (_, n) => `198.51.100.${n}`).values()
const signIn = (
  { email }: Person,
  { password = PASSWORD, from = addresses.next().value!, cookie = '' } = {},
) =>
  app.request('POST', '/api/v1/auth/sign-in/email', {
    headers: { 'x-forwarded-for': from, ...(cookie && { cookie }) },
    body: { email, password },
  })

/** The device cookie of a browser after a sign-in, without its session. */
async function createDeviceCookie(person: Person, cookie?: string): Promise<string> {
  const { headers } = await signIn(person, { cookie })
  return headers
    .getSetCookie()
    .find((line) => line.startsWith('atrium_device='))!
    .split(';')[0]!
}

/** Consumes all attempts of a limit, as many wrong attempts do. */
const exhaust = (limit: string) =>
  app.sql`update rate_limits set tokens = 0 where key like ${`${limit}:%`} returning key`

describe('a device that has signed in before', () => {
  test('signs in although all other devices have used up the attempts', async () => {
    const person = await createUser()
    const device = await createDeviceCookie(person)
    await signIn(person, { password: 'wrong' })
    expect(await exhaust('sign-in-anywhere')).not.toEqual([])
    expect((await signIn(person)).status).toBe(429)
    expect((await signIn(person, { cookie: device })).status).toBe(200)
  })

  test('signs in although another client on its network has used up the attempts', async () => {
    const person = await createUser()
    const from = '203.0.113.9'
    const device = await createDeviceCookie(person)
    await signIn(person, { password: 'wrong', from })
    await exhaust('sign-in-account')
    expect((await signIn(person, { from })).status).toBe(429)
    expect((await signIn(person, { from, cookie: device })).status).toBe(200)
  })

  test("has ten attempts in ten minutes, separate from other devices' attempts", async () => {
    const person = await createUser()
    const device = await createDeviceCookie(person)
    const guess = async () => (await signIn(person, { password: 'wrong', cookie: device })).status
    for (let attempt = 1; attempt <= 10; attempt++) expect(await guess(), `attempt ${attempt}`).toBe(401)
    expect(await guess()).toBe(429)
    expect((await signIn(person)).status).toBe(200)
    app.clock.advance(60)
    expect([await guess(), await guess()]).toEqual([401, 429])
  })

  test('is recognized for each of its accounts, and for no other', async () => {
    const [first, second, stranger] = [await createUser(), await createUser(), await createUser()]
    const device = await createDeviceCookie(second, await createDeviceCookie(first))
    for (const person of [first, second, stranger]) await signIn(person, { password: 'wrong' })
    await exhaust('sign-in-anywhere')
    const statuses = await Promise.all(
      [first, second, stranger].map(async (person) => (await signIn(person, { cookie: device })).status),
    )
    expect(statuses).toEqual([200, 200, 429])
  })

  test('is no longer recognized after 180 days', async () => {
    const person = await createUser()
    const device = await createDeviceCookie(person)
    app.clock.advance(180 * 86_400 + 1)
    await signIn(person, { password: 'wrong' })
    await exhaust('sign-in-anywhere')
    expect((await signIn(person, { cookie: device })).status).toBe(429)
  })

  test.each([
    ['forged', (value: string) => value.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['malformed', () => 'atrium_device=nonsense'],
  ])('is not recognized by a cookie that is %s', async (_, change) => {
    const person = await createUser()
    const device = await createDeviceCookie(person)
    await signIn(person, { password: 'wrong' })
    await exhaust('sign-in-anywhere')
    expect((await signIn(person, { cookie: change(device) })).status).toBe(429)
  })

  test('is not signed in by its cookie', async () => {
    const headers: Headers = { cookie: await createDeviceCookie(await createUser()) }
    expect((await app.request('GET', '/api/v1/auth/session', { headers })).status).toBe(401)
  })
})

test('attempts from one IPv6 /64 network count together, separate from other networks', async () => {
  const person = await createUser()
  await signIn(person, { password: 'wrong', from: '2001:db8:1:2::1' })
  await exhaust('sign-in-account')
  expect((await signIn(person, { from: '2001:db8:1:2:ffff::9' })).status).toBe(429)
  expect((await signIn(person, { from: '2001:db8:1:3::1' })).status).toBe(200)
})
