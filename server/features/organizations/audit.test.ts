import { beforeAll, describe, expect, test } from 'vitest'
import type { Organization, Person } from '../../testing/factories/factories.ts'
import { shareTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let org: Organization
let admin: Person
let member: Person
beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  admin = await app.person(org, { role: 'admin', name: 'Ada' })
  member = await app.person(org, { name: 'Grace' })
  const browser = await app.inBrowser(admin)
  await browser.organization.update({ name: 'First' })
  await (await app.inBrowser(member)).apiKeys.create({ name: 'Bot' })
  await browser.organization.update({ name: 'Second' })
  await browser.organization.changeRole({ userId: member.id, role: 'admin' })
  await browser.organization.changeRole({ userId: member.id, role: 'member' })
})

const audit = async (query: { action?: string; userId?: string; limit?: number; cursor?: string } = {}) =>
  (await app.inBrowser(admin)).organization.audit(query)
const actionsOf = ({ items }: Awaited<ReturnType<typeof audit>>) => items.map(({ action }) => action)

describe('GET /org/audit', () => {
  test('returns actor, action, credential and IP address, newest first', async () => {
    const page = await audit()
    expect(actionsOf(page)).toEqual([
      'member.role-changed',
      'member.role-changed',
      'organization.updated',
      'api-key.created',
      'organization.updated',
    ])
    expect(page.items[2]).toMatchObject({
      actor: { id: admin.id, name: 'Ada' },
      via: 'session',
      target: null,
      address: '127.0.0.1',
      details: { name: 'Second' },
      createdAt: expect.any(String),
    })
  })

  test('filters by action, by user and by both', async () => {
    expect(actionsOf(await audit({ action: 'organization.updated' }))).toHaveLength(2)
    expect(actionsOf(await audit({ userId: member.id }))).toEqual(['api-key.created'])
    expect(actionsOf(await audit({ userId: admin.id, action: 'api-key.created' }))).toEqual([])
    expect(actionsOf(await audit({ action: 'nothing of the kind' }))).toEqual([])
  })

  test('pages by a cursor that is bound to the filter', async () => {
    const first = await audit({ limit: 2 })
    const second = await audit({ limit: 2, cursor: first.nextCursor! })
    const third = await audit({ limit: 2, cursor: second.nextCursor! })
    expect([first, second, third].flatMap(({ items }) => items)).toEqual((await audit()).items)
    expect(third.nextCursor).toBeNull()
    await expect(audit({ cursor: first.nextCursor!, userId: admin.id })).rejects.toMatchObject({
      status: 400,
    })
  })

  test('is readable by admins and owners only, by session or key', async () => {
    await (await app.withKey(admin)).organization.audit({})
    for (const client of [await app.inBrowser(member), await app.withKey(member)]) {
      await expect(client.organization.audit({})).rejects.toMatchObject({
        status: 403,
        details: { reason: 'role_required', required: 'admin' },
      })
    }
  })

  test('returns no entry of another organization, even for a user in both', async () => {
    const adminOfOtherOrg = await app.join(admin, await app.organization(), 'owner')
    const client = await app.inBrowser(adminOfOtherOrg)
    expect(await client.organization.audit({ userId: admin.id })).toEqual({ items: [], nextCursor: null })
  })

  test('names actors who have left, and returns null for the system', async () => {
    const left = await app.person(org, { name: 'Gone' })
    await (await app.inBrowser(left)).organization.leave()
    expect((await audit({ userId: left.id })).items[0]).toMatchObject({
      action: 'member.left',
      actor: { name: 'Gone' },
    })
    await app.sql`update audit set user_id = null, via = 'system' where user_id = ${left.id}`
    expect((await audit()).items[0]).toMatchObject({ actor: null, via: 'system' })
  })

  test('names the target of a role change as of then, also after they have left', async () => {
    const emmy = await app.person(org, { name: 'Emmy' })
    const browser = (await app.inBrowser(admin)).organization
    await browser.changeRole({ userId: emmy.id, role: 'admin' })
    await app.sql`update users set name = 'Another', email = 'another@example.com' where id = ${emmy.id}`
    await browser.removeMember({ userId: emmy.id })
    expect((await audit({ limit: 2 })).items.map(({ details }) => details)).toEqual([
      { name: 'Another', email: 'another@example.com', role: 'admin' },
      { name: 'Emmy', email: emmy.email, from: 'member', to: 'admin' },
    ])
  })

  test.each([
    ['action=', 'query.action must be 1 to 60 characters'],
    ['action=%00', 'query.action must not contain NUL or broken Unicode characters'],
    ['userId=x', 'query.userId must be a UUID'],
    ['cursor=x', 'query.cursor is not a cursor of this list'],
    ['limit=101', 'query.limit must be at most 100'],
  ])('refuses ?%s by name', async (query, message) => {
    const { key } = await app.key(admin)
    const headers = { authorization: `Bearer ${key}` }
    const answer = await app.request('GET', `/api/v1/org/audit?${query}`, { headers })
    expect([answer.status, answer.body.error.message]).toEqual([400, message])
  })
})
