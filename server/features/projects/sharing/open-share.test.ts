import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createSharedProject,
  guestHeaders,
  openShare,
  readCanvas,
} from '../../../testing/factories/sharing.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const PASSWORD = 'open sesame please'

let app: TestApp
beforeAll(async () => {
  // Lets a test send requests from different IP addresses.
  app = await buildTestApp({ env: { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' } })
})
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})
afterAll(() => app.close())

const from = (ip: string) => ({ 'x-forwarded-for': ip })

describe('POST /shares/open', () => {
  test("returns the project, the access and the guest token's expiry", async () => {
    const { project, token } = await createSharedProject(app, { access: 'comment' })
    const { status, body } = await openShare(app, { token })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      access: 'comment',
      project: { id: project.id, name: 'Launch', emoji: null, description: null },
    })
    const hours = (Date.parse(body.expiresAt) - app.clock.now().getTime()) / 3_600_000
    expect(hours).toBeGreaterThan(11.9)
    expect(hours).toBeLessThanOrEqual(12)
  })

  test('returns a guest token that expires no later than the link', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const { project, token } = await createSharedProject(app, { expiresAt })
    const { body } = await openShare(app, { token })
    expect(body.expiresAt).toBe(expiresAt)
    const guest = { 'x-guest-token': body.guestToken }
    expect((await readCanvas(app, project, guest)).status).toBe(200)
    await app.sql`update project_shares set expires_at = ${app.clock.now()} where project_id = ${project.id}`
    expect((await readCanvas(app, project, guest)).status).toBe(401)
  })

  test('returns the same error for unknown, revoked and expired links', async () => {
    const revoked = await createSharedProject(app)
    await revoked.browser.sharing.unshare({ projectId: revoked.project.id })
    const expired = await createSharedProject(app)
    await app.sql`
      update project_shares set expires_at = ${app.clock.now()} where project_id = ${expired.project.id}`
    const tokens = ['made-up', revoked.token, expired.token]
    const responses = await Promise.all(tokens.map((token) => openShare(app, { token, password: 'p' })))
    const errors = responses.map(({ status, body }) => ({ status, ...body.error, requestId: '' }))
    expect(errors[0]).toMatchObject({ status: 404, message: 'Share link not found' })
    expect(errors).toEqual([errors[0], errors[0], errors[0]])
  })

  test('is UNAUTHORIZED with a reason for a missing or wrong password', async () => {
    const { project, token } = await createSharedProject(app, { password: PASSWORD })
    const without = await openShare(app, { token })
    expect([without.status, without.body.error.details.reason]).toEqual([401, 'password_required'])
    const wrong = await openShare(app, { token, password: 'open barley' })
    expect([wrong.status, wrong.body.error.details.reason]).toEqual([401, 'wrong_password'])
    expect((await readCanvas(app, project, await guestHeaders(app, token, PASSWORD))).status).toBe(200)
  })

  test('finds the password stored as an Argon2id hash', async () => {
    const { project } = await createSharedProject(app, { password: PASSWORD })
    const [row] = await app.sql`select password_hash from project_shares where project_id = ${project.id}`
    expect(row!.password_hash).toMatch(/^\$argon2id\$/)
  })
})

describe('share link rate limit', () => {
  const guess = (token: string, ip: string, password = 'a wrong one') =>
    openShare(app, { token, password }, from(ip))

  test('refuses even the right password from an IP address after five wrong ones, until it refills', async () => {
    const { token } = await createSharedProject(app, { password: PASSWORD })
    for (let attempt = 0; attempt < 5; attempt++) expect((await guess(token, '203.0.113.1')).status).toBe(401)
    const refused = await guess(token, '203.0.113.1', PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Other guests of the same link, with another IP address, are not affected.
    expect((await guess(token, '203.0.113.2', PASSWORD)).status).toBe(200)
    app.clock.advance(300)
    expect((await guess(token, '203.0.113.1', PASSWORD)).status).toBe(200)
  })

  test('counts concurrent wrong passwords', async () => {
    const { token } = await createSharedProject(app, { password: PASSWORD })
    const responses = await Promise.all(Array.from({ length: 15 }, () => guess(token, '203.0.113.3')))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  test('does not count right passwords', async () => {
    const { token } = await createSharedProject(app, { password: PASSWORD })
    for (let times = 0; times < 7; times++) {
      expect((await guess(token, '203.0.113.6', PASSWORD)).status).toBe(200)
    }
  })

  test('allows thirty unknown tokens a minute from an IP address', async () => {
    const guesses = Array.from({ length: 31 }, (_, n) => guess(`guess-${n}`, '203.0.113.7'))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(30).fill(404), 429])
  })
})
