import { beforeAll, beforeEach, expect, test } from 'vitest'
import { PASSWORD, type Person } from '../../../testing/factories/factories.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(() => app.sql`delete from rate_limits`)

const NEW_PASSWORD = 'a new and long password'

const createLink = async (by: Person, member: Person) =>
  (await app.withSession(by)).organization.resetPassword({ userId: member.id })
const confirm = (url: string, password = NEW_PASSWORD) =>
  app.request('POST', '/api/v1/auth/password-reset/confirm', { body: { token: url.split('#')[1], password } })
const signIn = async ({ email }: Person, password: string) =>
  (await app.request('POST', '/api/v1/auth/sign-in/email', { body: { email, password } })).status

test('admins on a server without email create a one-time link that sets a new password', async () => {
  const org = await app.organization()
  const admin = await app.person(org, { role: 'admin' })
  const member = await app.person(org, { password: PASSWORD })
  const otherSession = await app.withSession(member)
  const replaced = await createLink(admin, member)
  const { url, expiresAt } = await createLink(admin, member)
  expect(url.startsWith(`${app.url}/reset-password#`)).toBe(true)
  const hours = (Date.parse(expiresAt) - app.clock.now().getTime()) / 3_600_000
  expect(Math.round(hours)).toBe(24)
  expect((await confirm(replaced.url)).status).toBe(401)
  expect(await signIn(member, PASSWORD)).toBe(200)
  expect((await confirm(url)).body).toMatchObject({ user: { id: member.id }, stepUp: { active: false } })
  await expect(otherSession.accounts.session()).rejects.toMatchObject({ status: 401 })
  expect([await signIn(member, PASSWORD), await signIn(member, NEW_PASSWORD)]).toEqual([401, 200])
  expect((await confirm(url)).status).toBe(401)
  const [row] = await app.sql`select email_verified_at from users where id = ${member.id}`
  expect(row).toEqual({ email_verified_at: null })
  const entries = await app.sql`
    select user_id, action, target, details from audit
    where org_id = ${org.id} and action in ('member.password-reset', 'password.changed') order by id`
  expect(entries.slice(-2)).toEqual([
    expect.objectContaining({ user_id: admin.id, action: 'member.password-reset', target: member.id }),
    expect.objectContaining({
      user_id: member.id,
      details: { proof: 'link from an admin', issuedBy: admin.id },
    }),
  ])
})

test("admins cannot create a link for a higher role or another organization's account", async () => {
  const org = await app.organization()
  const [owner, second] = [await app.person(org, { role: 'owner' }), await app.person(org, { role: 'owner' })]
  const admin = await app.person(org, { role: 'admin' })
  const operator = await app.person(org, { operator: true })
  const shared = await app.person(org)
  const other = await app.organization()
  await app.sql`
    insert into memberships (org_id, user_id, role, created_at) values (${other.id}, ${shared.id}, 'member', now())`
  const refused = (reason: string) => ({ code: 'FORBIDDEN', details: { reason } })
  await expect(createLink(admin, owner)).rejects.toMatchObject(refused('role_required'))
  await expect(createLink(owner, operator)).rejects.toMatchObject(refused('operator'))
  await expect(createLink(owner, shared)).rejects.toMatchObject(refused('other_organization'))
  await expect(createLink(await app.person(org), admin)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(createLink(admin, admin)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(createLink(owner, await app.person(other))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await createLink(owner, second)).toMatchObject({ url: expect.any(String) })
  const operatorAdmin = await app.person(org, { operator: true, role: 'admin' })
  expect(await createLink(operatorAdmin, shared)).toMatchObject({ url: expect.any(String) })
  const statuses = await Promise.all(
    Array.from({ length: 12 }, () => createLink(admin, shared).catch(({ code }) => code)),
  )
  expect(statuses).toContain('RATE_LIMITED')
})
