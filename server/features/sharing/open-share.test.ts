import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSharedProject, guestHeaders, openShare, readCanvas } from '../../testing/factories/sharing.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'

const PASSWORD = 'open sesame please'

let app: TestApp
beforeAll(async () => {
  // So that a test can be many addresses.
  app = await buildTestApp({ env: { ATRIUM_TRUSTED_PROXIES: '127.0.0.1' } })
})
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})
afterAll(() => app.close())

const from = (address: string) => ({ 'x-forwarded-for': address })

describe('coming in by a share link', () => {
  test('shows what it is a link to, and for how long', async () => {
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

  test('lasts no longer than the link', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const { project, token } = await createSharedProject(app, { expiresAt })
    const { body } = await openShare(app, { token })
    expect(body.expiresAt).toBe(expiresAt)
    const guest = { 'x-share-ticket': body.ticket }
    expect((await readCanvas(app, project, guest)).status).toBe(200)
    await app.sql`update project_shares set expires_at = ${app.clock.now()} where project_id = ${project.id}`
    expect((await readCanvas(app, project, guest)).status).toBe(401)
  })

  test('tells nobody apart why a link does not open', async () => {
    const revoked = await createSharedProject(app)
    await revoked.browser.sharing.unshare({ projectId: revoked.project.id })
    const expired = await createSharedProject(app)
    await app.sql`
      update project_shares set expires_at = ${app.clock.now()} where project_id = ${expired.project.id}`
    const tokens = ['made-up', revoked.token, expired.token]
    const answers = await Promise.all(tokens.map((token) => openShare(app, { token, password: 'p' })))
    const said = answers.map(({ status, body }) => ({ status, ...body.error, requestId: '' }))
    expect(said[0]).toMatchObject({ status: 404, message: 'Share link not found' })
    expect(said).toEqual([said[0], said[0], said[0]])
  })

  test('asks for the password, and says when it is wrong', async () => {
    const { project, token } = await createSharedProject(app, { password: PASSWORD })
    const without = await openShare(app, { token })
    expect([without.status, without.body.error.details.reason]).toEqual([401, 'password_required'])
    const wrong = await openShare(app, { token, password: 'open barley' })
    expect([wrong.status, wrong.body.error.details.reason]).toEqual([401, 'wrong_password'])
    expect((await readCanvas(app, project, await guestHeaders(app, token, PASSWORD))).status).toBe(200)
  })

  test('the password is kept as a slow hash', async () => {
    const { project } = await createSharedProject(app, { password: PASSWORD })
    const [row] = await app.sql`select password_hash from project_shares where project_id = ${project.id}`
    expect(row!.password_hash).toMatch(/^\$argon2id\$/)
  })
})

describe('guessing', () => {
  const guess = (token: string, address: string, password = 'a wrong one') =>
    openShare(app, { token, password }, from(address))

  test('at a password ends after five tries, even with the right one, and goes on later', async () => {
    const { token } = await createSharedProject(app, { password: PASSWORD })
    for (let tries = 0; tries < 5; tries++) expect((await guess(token, '203.0.113.1')).status).toBe(401)
    const refused = await guess(token, '203.0.113.1', PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Whoever shares the link with the guesser comes in from elsewhere, and can.
    expect((await guess(token, '203.0.113.2', PASSWORD)).status).toBe(200)
    app.clock.advance(300)
    expect((await guess(token, '203.0.113.1', PASSWORD)).status).toBe(200)
  })

  test('at a password in parallel is counted as well', async () => {
    const { token } = await createSharedProject(app, { password: PASSWORD })
    const answers = await Promise.all(Array.from({ length: 15 }, () => guess(token, '203.0.113.3')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  test('at a password from many addresses is limited all together', async () => {
    const { share, token } = await createSharedProject(app, { password: PASSWORD })
    await app.sql`
      insert into rate_limits (key, tokens, allowed, updated_at)
      values (${`share-password-all:${share.id}`}, 1, true, ${app.clock.now()})`
    expect((await guess(token, '203.0.113.4')).status).toBe(401)
    expect((await guess(token, '203.0.113.5')).status).toBe(429)
  })

  test('the right password in between does not use up tries', async () => {
    const { token } = await createSharedProject(app, { password: PASSWORD })
    for (let times = 0; times < 7; times++) {
      expect((await guess(token, '203.0.113.6', PASSWORD)).status).toBe(200)
    }
  })

  test('at links is limited to thirty a minute for each address', async () => {
    const answers = []
    for (let tries = 0; tries < 31; tries++) answers.push(await guess(`guess-${tries}`, '203.0.113.7'))
    expect(answers.slice(0, 30).every(({ status }) => status === 404)).toBe(true)
    expect(answers[30]!.status).toBe(429)
  })
})
