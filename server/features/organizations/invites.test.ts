import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { someAddress } from '../../testing/factories/invitations.ts'
import { waitingBackends, whileLocked } from '../../testing/locks.ts'
import { buildTestApp, cookie, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_PUBLIC_URL: 'http://atrium.example' } })
})
afterAll(() => app.close())

const DAY = 86_400

async function inviter() {
  const org = await app.organization('Engines')
  const admin = await app.person(org, { role: 'admin', name: 'Ada' })
  return { org, admin, browser: await app.inBrowser(admin) }
}

const mailsTo = (email: string) =>
  app.sql<{ id: string; subject: string; body: string }[]>`
    select id, subject, body from mails where recipient = ${email} order by created_at, id`

const tokensTo = async (email: string) =>
  (await mailsTo(email)).map(({ body }) => /http:\/\/atrium\.example\/invite#(\S+)/.exec(body)![1]!)

const readable = async (token: string) =>
  (await app.request('GET', `/api/v1/auth/invite?token=${encodeURIComponent(token)}`)).status

describe('POST /org/invites', () => {
  test('mails a link with the secret in the fragment, and keeps only its hash', async () => {
    const { org, admin, browser } = await inviter()
    const email = someAddress()
    const invite = await browser.organization.invite({ email, role: 'admin' })
    expect(invite).toMatchObject({ email, role: 'admin', invitedBy: { id: admin.id, name: 'Ada' } })
    const [mail] = await mailsTo(email)
    expect(mail).toMatchObject({ id: `invite-${invite.id}`, subject: 'Ada invites you to Engines' })
    const [token] = await tokensTo(email)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(invite)).not.toContain(token)
    const [stored] = await app.sql`select * from invites where id = ${invite.id}`
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(await app.sql`select action, target, details from audit where org_id = ${org.id}`).toEqual([
      { action: 'invite.sent', target: invite.id, details: { email, role: 'admin' } },
    ])
  })

  test('invites members unless told otherwise, for seven days', async () => {
    const { browser } = await inviter()
    const { role, createdAt, expiresAt } = await browser.organization.invite({ email: someAddress() })
    expect(role).toBe('member')
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * DAY * 1000)
  })

  test('replaces the open invitation of an address, however it is spelt: the old link is dead', async () => {
    const { browser } = await inviter()
    const email = someAddress()
    await browser.organization.invite({ email, role: 'admin' })
    const second = await browser.organization.invite({ email: email.toUpperCase() })
    const [oldToken, newToken] = await tokensTo(email)
    expect([await readable(oldToken!), await readable(newToken!)]).toEqual([404, 200])
    expect((await browser.organization.invites({})).items).toEqual([second])
  })

  test('leaves the invitation of another organization to the same address alone', async () => {
    const email = someAddress()
    for (const { browser } of [await inviter(), await inviter()]) await browser.organization.invite({ email })
    expect(await Promise.all((await tokensTo(email)).map(readable))).toEqual([200, 200])
  })

  test('of a member is refused, in any spelling', async () => {
    const { org, browser } = await inviter()
    const { email } = await app.person(org)
    await expect(browser.organization.invite({ email: email.toUpperCase() })).rejects.toMatchObject({
      status: 409,
      message: `${email} is a member already`,
    })
    expect(await mailsTo(email)).toHaveLength(0)
  })

  test('answers alike whether or not the address has an account somewhere', async () => {
    const { browser } = await inviter()
    const known = await app.person(await app.organization())
    const shape = async (email: string) => Object.keys(await browser.organization.invite({ email }))
    expect(await shape(known.email)).toEqual(await shape(someAddress()))
  })

  test('cannot invite an owner', async () => {
    const { admin } = await inviter()
    const headers = cookie(await app.session(admin))
    const body = { email: someAddress(), role: 'owner' }
    const answer = await app.request('POST', '/api/v1/org/invites', { headers, body })
    expect([answer.status, answer.body.error.message]).toEqual([400, 'body.role must be admin or member'])
  })

  test('puts no second line into the subject, whatever people call themselves', async () => {
    const org = await app.organization('Engines\r\nBcc: everybody@example.com')
    const admin = await app.person(org, { role: 'admin', name: 'Ada\nX: y' })
    const email = someAddress()
    await (await app.inBrowser(admin)).organization.invite({ email })
    expect((await mailsTo(email))[0]!.subject).toBe(
      'Ada X: y invites you to Engines Bcc: everybody@example.com',
    )
  })

  test('repeated with its Idempotency-Key sends one mail', async () => {
    const { browser } = await inviter()
    const email = someAddress()
    const send = () => browser.organization.invite({ email }, { idempotencyKey: email })
    expect(await send()).toEqual(await send())
    expect(await mailsTo(email)).toHaveLength(1)
  })

  test('is limited to thirty an hour for each person', async () => {
    const { browser } = await inviter()
    const email = someAddress()
    for (let n = 0; n < 30; n++) await browser.organization.invite({ email })
    await expect(browser.organization.invite({ email })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  test('is not for members and keys', async () => {
    const { org, admin } = await inviter()
    const email = someAddress()
    const member = await app.inBrowser(await app.person(org))
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

describe('the list of open invitations', () => {
  test('has the newest first, page by page, and none that has expired', async () => {
    const { browser } = await inviter()
    const [first, second, third] = [
      await browser.organization.invite({ email: someAddress() }),
      await browser.organization.invite({ email: someAddress() }),
      await browser.organization.invite({ email: someAddress() }),
    ]
    const page = await browser.organization.invites({ limit: 2 })
    expect(page.items).toEqual([third, second])
    const rest = await browser.organization.invites({ limit: 2, cursor: page.nextCursor! })
    expect(rest).toEqual({ items: [first], nextCursor: null })
    await app.sql`update invites set expires_at = now() where id = ${second!.id}`
    expect((await browser.organization.invites({})).items).toEqual([third, first])
  })

  test('is of one’s own organization only', async () => {
    await (await inviter()).browser.organization.invite({ email: someAddress() })
    expect((await (await inviter()).browser.organization.invites({})).items).toEqual([])
  })
})

describe('DELETE /org/invites/:id', () => {
  test('kills the link', async () => {
    const { org, browser } = await inviter()
    const email = someAddress()
    const { id } = await browser.organization.invite({ email })
    expect(await browser.organization.revokeInvite({ id })).toEqual({ revoked: true })
    const [token] = await tokensTo(email)
    expect(await readable(token!)).toBe(404)
    await expect(browser.organization.revokeInvite({ id })).rejects.toMatchObject({ status: 404 })
    const acts =
      await app.sql`select action from audit where org_id = ${org.id} and target = ${id} order by id`
    expect(acts).toEqual([{ action: 'invite.sent' }, { action: 'invite.revoked' }])
  })

  test('does not reach into another organization', async () => {
    const email = someAddress()
    const { id } = await (await inviter()).browser.organization.invite({ email })
    const stranger = (await inviter()).browser
    await expect(stranger.organization.revokeInvite({ id })).rejects.toMatchObject({
      status: 404,
      message: 'Invitation not found',
    })
    const [token] = await tokensTo(email)
    expect(await readable(token!)).toBe(200)
  })
})

describe('somebody who is no admin any more', () => {
  test.each(['removed', 'demoted', 'gone'])('and %s lets nobody in by invitations of before', async (how) => {
    const { org, admin, browser } = await inviter()
    const owner = await app.inBrowser(await app.person(org, { role: 'owner' }))
    const email = someAddress()
    await browser.organization.invite({ email })
    if (how === 'removed') await owner.organization.removeMember({ userId: admin.id })
    if (how === 'demoted') await owner.organization.changeRole({ userId: admin.id, role: 'member' })
    if (how === 'gone') await browser.organization.leave()
    const [token] = await tokensTo(email)
    expect(await readable(token!)).toBe(404)
  })

  test('sends none that they began before', async () => {
    const { admin, browser } = await inviter()
    const email = someAddress()
    const { begun } = await whileLocked(app.sql, 'organizations', async () => {
      const invitation = browser.organization.invite({ email }).catch((error: unknown) => error)
      await waitingBackends(app.sql)
      await app.sql`update memberships set role = 'member' where user_id = ${admin.id}`
      return { begun: invitation }
    })
    expect(await begun).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'role_required' } })
    expect(await mailsTo(email)).toHaveLength(0)
  })
})
