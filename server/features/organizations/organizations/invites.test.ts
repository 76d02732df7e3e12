import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomEmail } from '../../../testing/factories/invitations.ts'
import { waitForBlockedBackends, whileLocked } from '../../../testing/locks.ts'
import { buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true, env: { ATRIUM_PUBLIC_URL: 'http://atrium.example' } })
})
afterAll(() => app.close())

const DAY = 86_400

async function inviter() {
  const org = await app.organization('Engines')
  const admin = await app.person(org, { role: 'admin', name: 'Ada' })
  return { org, admin, browser: await app.withSession(admin) }
}

const mailsTo = (email: string) =>
  app.sql<{ id: string; subject: string; body: string }[]>`
    select id, subject, body from mails where recipient = ${email} order by created_at, id`

const tokensTo = async (email: string) =>
  (await mailsTo(email)).map(({ body }) => /http:\/\/atrium\.example\/invite#(\S+)/.exec(body)![1]!)

const readStatus = async (token: string) =>
  (await app.request('GET', `/api/v1/auth/invite?token=${encodeURIComponent(token)}`)).status

describe('POST /org/invites', () => {
  test('sends a link with the secret in the fragment and stores only its hash', async () => {
    const { org, admin, browser } = await inviter()
    const email = randomEmail()
    const invite = await browser.organization.invite({ email, role: 'admin' })
    expect(invite).toMatchObject({ email, role: 'admin', invitedBy: { id: admin.id, name: 'Ada' } })
    const [mail] = await mailsTo(email)
    expect(mail).toMatchObject({ id: `invite-${invite.id}`, subject: 'Ada invited you to join “Engines”' })
    const [token] = await tokensTo(email)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(invite)).not.toContain(token)
    const [stored] = await app.sql`select * from invites where id = ${invite.id}`
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(await app.sql`select action, target, details from audit where org_id = ${org.id}`).toEqual([
      { action: 'invite.sent', target: invite.id, details: { email, role: 'admin' } },
    ])
  })

  test('defaults to the member role and seven days', async () => {
    const { browser } = await inviter()
    const { role, createdAt, expiresAt } = await browser.organization.invite({ email: randomEmail() })
    expect(role).toBe('member')
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * DAY * 1000)
  })

  test("replaces an address's open invitation, ignoring case, and invalidates its link", async () => {
    const { browser } = await inviter()
    const email = randomEmail()
    await browser.organization.invite({ email, role: 'admin' })
    const second = await browser.organization.invite({ email: email.toUpperCase() })
    const [oldToken, newToken] = await tokensTo(email)
    expect([await readStatus(oldToken!), await readStatus(newToken!)]).toEqual([404, 200])
    expect((await browser.organization.invites({})).items).toEqual([second])
  })

  test("keeps another organization's invitation to the same address", async () => {
    const email = randomEmail()
    for (const { browser } of [await inviter(), await inviter()]) await browser.organization.invite({ email })
    expect(await Promise.all((await tokensTo(email)).map(readStatus))).toEqual([200, 200])
  })

  test("refuses a member's email address, ignoring case", async () => {
    const { org, browser } = await inviter()
    const { email } = await app.person(org, { verified: true })
    await expect(browser.organization.invite({ email: email.toUpperCase() })).rejects.toMatchObject({
      status: 409,
      message: `${email} is already a member`,
    })
    expect(await mailsTo(email)).toHaveLength(0)
  })

  test('returns the same response whether or not the address has an account', async () => {
    const { browser } = await inviter()
    const known = await app.person(await app.organization())
    const shape = async (email: string) => Object.keys(await browser.organization.invite({ email }))
    expect(await shape(known.email)).toEqual(await shape(randomEmail()))
  })

  test('refuses the owner role', async () => {
    const { admin } = await inviter()
    const headers = cookie(await app.session(admin))
    const body = { email: randomEmail(), role: 'owner' }
    const answer = await app.request('POST', '/api/v1/org/invites', { headers, body })
    expect([answer.status, answer.body.error.message]).toEqual([400, 'body.role must be admin or member'])
  })

  test('keeps line breaks in names out of the subject', async () => {
    const org = await app.organization('Engines\r\nBcc: everybody@example.com')
    const admin = await app.person(org, { role: 'admin', name: 'Ada\nX: y' })
    const email = randomEmail()
    await (await app.withSession(admin)).organization.invite({ email })
    expect((await mailsTo(email))[0]!.subject).toBe(
      'Ada X: y invited you to join “Engines Bcc: everybody@example.com”',
    )
  })

  test('sends one mail for a repeated Idempotency-Key', async () => {
    const { browser } = await inviter()
    const email = randomEmail()
    const send = () => browser.organization.invite({ email }, { idempotencyKey: email })
    expect(await send()).toEqual(await send())
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('is limited to thirty an hour per user', async () => {
    const { browser } = await inviter()
    for (let n = 0; n < 30; n++) await browser.organization.invite({ email: randomEmail() })
    await expect(browser.organization.invite({ email: randomEmail() })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
  })

  test('refuses members and API keys', async () => {
    const { org, admin } = await inviter()
    const email = randomEmail()
    const member = await app.withSession(await app.person(org))
    await expect(member.organization.invite({ email })).rejects.toMatchObject({
      details: { reason: 'role_required' },
    })
    await expect(member.organization.invites({})).rejects.toMatchObject({
      details: { reason: 'role_required' },
    })
    await expect((await app.withKey(admin)).organization.invite({ email })).rejects.toMatchObject({
      message: 'Managing members requires a browser session',
    })
    expect(await mailsTo(email)).toHaveLength(0)
  })
})

describe('GET /org/invites', () => {
  test('pages newest first without expired invitations', async () => {
    const { browser } = await inviter()
    const [first, second, third] = [
      await browser.organization.invite({ email: randomEmail() }),
      await browser.organization.invite({ email: randomEmail() }),
      await browser.organization.invite({ email: randomEmail() }),
    ]
    const page = await browser.organization.invites({ limit: 2 })
    expect(page.items).toEqual([third, second])
    const rest = await browser.organization.invites({ limit: 2, cursor: page.nextCursor! })
    expect(rest).toEqual({ items: [first], nextCursor: null })
    await app.sql`update invites set expires_at = now() where id = ${second!.id}`
    expect((await browser.organization.invites({})).items).toEqual([third, first])
  })

  test("returns only the active organization's invitations", async () => {
    await (await inviter()).browser.organization.invite({ email: randomEmail() })
    expect((await (await inviter()).browser.organization.invites({})).items).toEqual([])
  })
})

describe('DELETE /org/invites/:id', () => {
  test('invalidates the link', async () => {
    const { org, browser } = await inviter()
    const email = randomEmail()
    const { id } = await browser.organization.invite({ email })
    expect(await browser.organization.revokeInvite({ id })).toEqual({ revoked: true })
    const [token] = await tokensTo(email)
    expect(await readStatus(token!)).toBe(404)
    await expect(browser.organization.revokeInvite({ id })).rejects.toMatchObject({ status: 404 })
    const entries =
      await app.sql`select action from audit where org_id = ${org.id} and target = ${id} order by id`
    expect(entries).toEqual([{ action: 'invite.sent' }, { action: 'invite.revoked' }])
  })

  test("returns NOT_FOUND for another organization's invitation", async () => {
    const email = randomEmail()
    const { id } = await (await inviter()).browser.organization.invite({ email })
    const outsider = (await inviter()).browser
    await expect(outsider.organization.revokeInvite({ id })).rejects.toMatchObject({
      status: 404,
      message: 'Invitation not found',
    })
    const [token] = await tokensTo(email)
    expect(await readStatus(token!)).toBe(200)
  })
})

describe('former admin', () => {
  test.each(['removed', 'demoted', 'gone'])('has open invitations revoked once %s', async (cause) => {
    const { org, admin, browser } = await inviter()
    const owner = await app.withSession(await app.person(org, { role: 'owner' }))
    const email = randomEmail()
    await browser.organization.invite({ email })
    if (cause === 'removed') await owner.organization.removeMember({ userId: admin.id })
    if (cause === 'demoted') await owner.organization.changeRole({ userId: admin.id, role: 'member' })
    if (cause === 'gone') await browser.organization.leave()
    const [token] = await tokensTo(email)
    expect(await readStatus(token!)).toBe(404)
  })

  test('cannot complete an invitation started before the demotion', async () => {
    const { admin, browser } = await inviter()
    const email = randomEmail()
    const { pending } = await whileLocked(app.sql, 'organizations', async () => {
      const invitation = browser.organization.invite({ email }).catch((error: unknown) => error)
      await waitForBlockedBackends(app.sql)
      await app.sql`update memberships set role = 'member' where user_id = ${admin.id}`
      return { pending: invitation }
    })
    expect(await pending).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'role_required' } })
    expect(await mailsTo(email)).toHaveLength(0)
  })
})
