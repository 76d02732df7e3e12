import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestProject } from '../testing/clients/live.ts'
import { randomEmail } from '../testing/factories/invitations.ts'
import { buildTestApp, cookie, type TestApp } from '../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
})
beforeEach(() => app.sql`delete from rate_limits`)
afterAll(() => app.close())

const countQueued = async (email: string) =>
  (await app.sql`select from mails where recipient = ${email}`).length

test('invitations are limited per recipient across all organizations and kinds', async () => {
  const email = randomEmail()
  for (let n = 0; n < 5; n++) {
    const { id, creator } = await createTestProject(app)
    const browser = await app.withSession(creator)
    if (n % 2) await browser.organization.invite({ email })
    else await browser.sharing.invite({ projectId: id, role: 'viewer', email: email.toUpperCase() })
  }
  const browser = await app.withSession((await createTestProject(app)).creator)
  await expect(browser.organization.invite({ email })).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('This email address has received 5 invitations within an hour'),
    details: { reason: 'mail_limit', limit: 'recipient', allowed: 5, perSeconds: 3600 },
  })
  expect(await countQueued(email)).toBe(5)
})

test('invitations are limited per member and organization, and a refused one sends nothing', async () => {
  const { id: projectId, org, creator } = await createTestProject(app)
  const browser = await app.withSession(creator)
  const invite = (email = randomEmail()) => browser.sharing.invite({ projectId, role: 'viewer', email })
  for (let n = 0; n < 50; n++) await invite()
  const refused = randomEmail()
  await expect(invite(refused)).rejects.toMatchObject({ details: { limit: 'person', allowed: 50 } })
  expect(await countQueued(refused)).toBe(0)

  await app.sql`update rate_limits set tokens = 0 where key = ${`invite-mails-organization:${org.id}`}`
  const other = await app.withSession(await app.person(org, { role: 'admin' }))
  await expect(other.organization.invite({ email: refused })).rejects.toMatchObject({
    details: { limit: 'organization', allowed: 200 },
  })
  // Another organization is not affected.
  const otherOrgClient = await app.withSession((await createTestProject(app)).creator)
  await otherOrgClient.organization.invite({ email: refused })
  expect(await countQueued(refused)).toBe(1)
})

test("invitation links lead to this server without a public URL, not to the request's Host", async () => {
  const { id, creator } = await createTestProject(app)
  const session = cookie(await app.session(creator))
  for (const [path, body] of [
    ['/api/v1/org/invites', { email: randomEmail() }],
    [`/api/v1/projects/${id}/share/invite`, { email: randomEmail(), role: 'viewer' }],
  ] as const) {
    const headers = { ...session, host: 'evil.example', 'content-type': 'application/json' }
    const call = request(app.url + path, { method: 'POST', headers }).end(JSON.stringify(body))
    const [{ statusCode }] = await once(call, 'response')
    expect(statusCode).toBeLessThan(300)
    const [mail] = await app.sql`select body from mails where recipient = ${body.email}`
    expect(mail!.body).toContain(`${app.mailUrl}/`)
    expect(mail!.body).not.toContain('evil.example')
  }
})
