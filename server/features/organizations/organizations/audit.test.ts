import { beforeAll, describe, expect, test } from 'vitest'
import type { Organization, Person } from '../../../testing/factories/factories.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let org: Organization
let admin: Person
let member: Person
beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  admin = await app.person(org, { role: 'admin', name: 'Ada' })
  member = await app.person(org, { name: 'Grace' })
  const browser = await app.withSession(admin)
  await browser.organization.update({ name: 'First' })
  await (await app.withSession(member)).apiKeys.create({ name: 'Bot' })
  await browser.organization.update({ name: 'Second' })
  await browser.organization.changeRole({ userId: member.id, role: 'admin' })
  await browser.organization.changeRole({ userId: member.id, role: 'member' })
})

type Query = Parameters<Awaited<ReturnType<TestApp['withSession']>>['organization']['audit']>[0]
const audit = async (query: Query = {}) => (await app.withSession(admin)).organization.audit(query)
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

  test('pages by a cursor bound to the filter', async () => {
    const first = await audit({ limit: 2 })
    const second = await audit({ limit: 2, cursor: first.nextCursor! })
    const third = await audit({ limit: 2, cursor: second.nextCursor! })
    expect([first, second, third].flatMap(({ items }) => items)).toEqual((await audit()).items)
    expect(third.nextCursor).toBeNull()
    await expect(audit({ cursor: first.nextCursor!, userId: admin.id })).rejects.toMatchObject({
      status: 400,
    })
  })

  test('is readable only by admins and owners, by session or key', async () => {
    await (await app.withKey(admin)).organization.audit({})
    for (const client of [await app.withSession(member), await app.withKey(member)]) {
      await expect(client.organization.audit({})).rejects.toMatchObject({
        status: 403,
        details: { reason: 'role_required', required: 'admin' },
      })
    }
  })

  test('returns no entry from another organization, even for a user in both', async () => {
    const adminOfOtherOrg = await app.join(admin, await app.organization(), 'owner')
    const client = await app.withSession(adminOfOtherOrg)
    expect(await client.organization.audit({ userId: admin.id })).toEqual({ items: [], nextCursor: null })
  })

  test('names actors who have left and returns null for the system', async () => {
    const formerMember = await app.person(org, { name: 'Gone' })
    await (await app.withSession(formerMember)).organization.leave()
    expect((await audit({ userId: formerMember.id })).items[0]).toMatchObject({
      action: 'member.left',
      actor: { name: 'Gone' },
    })
    await app.sql`update audit set user_id = null, via = 'system' where user_id = ${formerMember.id}`
    expect((await audit()).items[0]).toMatchObject({ actor: null, via: 'system' })
  })

  test("keeps the target's name at the time of a role change", async () => {
    const emmy = await app.person(org, { name: 'Emmy' })
    const browser = (await app.withSession(admin)).organization
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
    ['cursor=x', 'query.cursor is not a cursor for this list'],
    ['limit=101', 'query.limit must be at most 100'],
    [`cursor=${'x'.repeat(1001)}`, 'query.cursor must be at most 1000 characters'],
  ])('refuses ?%s and names the parameter', async (query, message) => {
    const { key } = await app.key(admin)
    const headers = { authorization: `Bearer ${key}` }
    const answer = await app.request('GET', `/api/v1/org/audit?${query}`, { headers })
    expect([answer.status, answer.body.error.message]).toEqual([400, message])
  })
})

describe('audit log search', () => {
  const actionsFor = async (search: string) => (await audit({ search })).items.map(({ action }) => action)

  test('matches word prefixes in actor, action and target, ignoring case', async () => {
    expect(await actionsFor('grace')).toContain('api-key.created')
    expect(await actionsFor('GRA bot')).toEqual(['api-key.created'])
    expect(await actionsFor('api key')).toEqual(['api-key.created'])
    expect(await actionsFor('renamed second')).toEqual(['organization.updated'])
    expect(await actionsFor(member.email)).toContain('member.role-changed')
    expect(await actionsFor(member.id.slice(0, 30))).toEqual(['member.role-changed', 'member.role-changed'])
    expect(await actionsFor('nothing of the kind')).toEqual([])
    expect(await actionsFor("' | !x:* \\")).toEqual([])
    expect(await actionsFor('&&')).toEqual([])
  })

  test('finds a rare word behind thousands of entries and pages through common ones', async () => {
    const largeOrg = await app.organization()
    const owner = await app.person(largeOrg, { role: 'owner' })
    const insert = (word: string, count: number, daysAgo: number) => app.sql`
      insert into audit (org_id, id, user_id, via, action, words, created_at)
      select ${largeOrg.id}, new_id(now() - make_interval(days => ${daysAgo}) + n * interval '1 ms'), ${owner.id}, 'session',
        'sign-in', array_to_tsvector(${[word, 'all']}::text[]), now() - make_interval(days => ${daysAgo})
      from generate_series(1, ${count}::int) n`
    await insert('needle', 3, 9)
    await insert('old', 5200, 5)
    await insert('common', 2500, 1)
    const { audit: read } = (await app.withSession(owner)).organization
    expect((await read({ search: 'needle' })).items).toHaveLength(3)
    expect((await read({ search: 'old', limit: 100 })).items).toHaveLength(100)
    const first = await read({ search: 'needle all', limit: 2 })
    const second = await read({ search: 'needle all', limit: 2, cursor: first.nextCursor! })
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null])
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    expect((await read({ from: day(9.5), to: day(8.5) })).items).toHaveLength(3)
    expect((await read({ search: 'needle', from: day(8.5) })).items).toEqual([])
    expect((await read({ to: day(9.5) })).items).toEqual([])
  })
})

describe('audit entry links', () => {
  test('lead only to existing records the caller may see', async () => {
    const { id: ownId } = await app.project(admin, { visibility: 'private' })
    const { id: hiddenId } = await app.project(member, { visibility: 'private' })
    const foreignProject = await app.project(await app.person(await app.organization()))
    const key = await app.key(member)
    for (const [action, target] of [
      ['project.shared', ownId],
      ['project.shared', hiddenId],
      ['project.shared', foreignProject.id],
      ['api-key.created', key.id],
      ['webhook.created', '00000000-0000-7000-8000-000000000000'],
      ['mcp.tool-called', 'create_project'],
    ] as const)
      await app.sql`
        insert into audit (org_id, id, user_id, via, action, target, created_at)
        values (${org.id}, new_id(now()), ${admin.id}, 'session', ${action}, ${target}, now())`
    const links = (await audit({ limit: 6 })).items.map(({ target, link }) => [target, link])
    expect(Object.fromEntries(links)).toEqual({
      [ownId]: `/projects/${ownId}`,
      [hiddenId]: null,
      [foreignProject.id]: null,
      [key.id]: null,
      '00000000-0000-7000-8000-000000000000': null,
      create_project: null,
    })
    const roles = (await audit({ action: 'member.role-changed' })).items
    expect(roles.find(({ target }) => target === member.id)!.link).toBe('/settings/organization/members')
  })
})

describe('GET /org/audit/export', () => {
  const PATH = '/api/v1/org/audit/export'

  test('streams the filtered entries as spreadsheet-safe CSV and JSON, and is recorded', async () => {
    const headers = bearer(await app.key(admin))
    await (await app.withSession(admin)).organization.update({ name: '=HYPERLINK("x"), really' })
    const csv = await app.request('GET', `${PATH}?action=organization.updated`, { headers })
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-.*\.csv"$/)
    const [head, first, ...rest] = csv.text.trim().split('\r\n')
    expect(head).toBe('time,actor,actor_email,actor_id,via,action,target,address,details,id')
    expect(first).toContain(',Ada,')
    expect(first).toContain('"{""name"":""=HYPERLINK')
    expect(rest).toHaveLength(2)
    const json = await app.request('GET', `${PATH}?format=json&search=grace%20bot`, { headers })
    expect(json.body.items).toMatchObject([{ action: 'api-key.created', actor: { name: 'Grace' } }])
    expect((await app.request('GET', `${PATH}?format=json&search=unmatched`, { headers })).body).toEqual({
      items: [],
    })
    expect((await audit({ action: 'audit.exported' })).items.map(({ details }) => details)).toEqual([
      { format: 'json', search: 'unmatched' },
      { format: 'json', search: 'grace bot' },
      { format: 'csv', action: 'organization.updated' },
    ])
  })

  test('is refused to members and contains nothing from another organization', async () => {
    for (const headers of [bearer(await app.key(member)), cookie(await app.session(member))])
      expect((await app.request('GET', PATH, { headers })).status).toBe(403)
    const outsider = await app.person(await app.organization(), { role: 'owner' })
    const { text } = await app.request('GET', `${PATH}?userId=${admin.id}`, {
      headers: bearer(await app.key(outsider)),
    })
    expect(text.trim().split('\r\n')).toHaveLength(1)
  })

  test('has every entry once across several pages', async () => {
    const largeOrg = await app.organization()
    const owner = await app.person(largeOrg, { role: 'owner' })
    await app.sql`
      insert into audit (org_id, id, user_id, via, action, created_at)
      select ${largeOrg.id}, new_id(now() - n * interval '1 ms'), ${owner.id}, 'session', 'sign-in', now()
      from generate_series(1, 2500) n`
    const { text } = await app.request('GET', PATH, { headers: bearer(await app.key(owner)) })
    const lines = text.trim().split('\r\n')
    expect([lines.length, new Set(lines).size]).toEqual([2501, 2501])
  })
})
