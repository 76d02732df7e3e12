import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../../../contract/accounts/accounts.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const NOT_FOUND = { status: 404, code: 'NOT_FOUND', message: 'Member not found' }
const OWNERS_ONLY = { code: 'FORBIDDEN', details: { reason: 'role_required', required: 'owner' } }
const LAST_OWNER = {
  status: 409,
  code: 'CONFLICT',
  message: 'The last owner cannot leave: make another member an owner first',
}

/** An owner, an admin and a member of one organization, each in a browser. */
async function team() {
  const org = await app.organization()
  const person = (role: Role) => app.person(org, { role })
  const [owner, admin, member] = [await person('owner'), await person('admin'), await person('member')]
  return {
    org,
    owner,
    admin,
    member,
    asOwner: (await app.withSession(owner)).organization,
    asAdmin: (await app.withSession(admin)).organization,
    asMember: (await app.withSession(member)).organization,
  }
}

const roleOf = async ({ id, orgId }: Person) =>
  (await app.sql`select role from memberships where org_id = ${orgId} and user_id = ${id}`)[0]?.role

describe('GET /org/members', () => {
  test('lists all members to every member, ordered by user id', async () => {
    const { owner, admin, member, asMember } = await team()
    const { items, nextCursor } = await asMember.members({})
    expect(items.map(({ id, email, role }) => ({ id, email, role }))).toEqual([
      { id: owner.id, email: owner.email, role: 'owner' },
      { id: admin.id, email: admin.email, role: 'admin' },
      { id: member.id, email: member.email, role: 'member' },
    ])
    expect(nextCursor).toBeNull()
  })

  test('pages by cursor', async () => {
    const { asMember } = await team()
    const first = await asMember.members({ limit: 2 })
    const second = await asMember.members({ limit: 2, cursor: first.nextCursor! })
    expect(second.nextCursor).toBeNull()
    expect([...first.items, ...second.items]).toEqual((await asMember.members({})).items)
  })

  test('refuses a cursor from another organization', async () => {
    const { nextCursor } = await (await team()).asMember.members({ limit: 1 })
    const fromOtherOrg = (await team()).asMember.members({ cursor: nextCursor! })
    await expect(fromOtherOrg).rejects.toMatchObject({
      message: 'query.cursor is not a cursor for this list',
    })
  })

  test('returns the last activity in this organization only', async () => {
    const { org, member, asOwner } = await team()
    const newMember = await app.join(await app.person(await app.organization()), org)
    await app.sql`delete from sessions where user_id = ${member.id}`
    await app.session(await app.join(newMember, await app.organization()))
    const { items } = await asOwner.members({})
    expect(items.map(({ lastSeenAt }) => lastSeenAt)).toEqual([
      expect.any(String),
      expect.any(String),
      null,
      null,
    ])
  })
})

describe('PATCH /org/members/:userId', () => {
  test('allows an admin to promote and demote a member, with audit entries', async () => {
    const { org, admin, member, asAdmin } = await team()
    expect(await asAdmin.changeRole({ userId: member.id, role: 'admin' })).toMatchObject({ role: 'admin' })
    expect(await asAdmin.changeRole({ userId: member.id, role: 'member' })).toMatchObject({ role: 'member' })
    const entries =
      await app.sql`select user_id, target, details from audit where org_id = ${org.id} order by id`
    const by = { user_id: admin.id, target: member.id }
    const { name, email } = member
    expect(entries).toEqual([
      { ...by, details: { from: 'member', to: 'admin', name, email } },
      { ...by, details: { from: 'admin', to: 'member', name, email } },
    ])
  })

  test('takes effect on the next request', async () => {
    const { member, asAdmin, asMember } = await team()
    await asAdmin.changeRole({ userId: member.id, role: 'admin' })
    await asMember.invites({})
    await asAdmin.changeRole({ userId: member.id, role: 'member' })
    await expect(asMember.invites({})).rejects.toMatchObject({ details: { reason: 'role_required' } })
  })

  test('allows only owners to grant and revoke ownership', async () => {
    const { owner, admin, member, asOwner, asAdmin } = await team()
    for (const userId of [member.id, admin.id]) {
      await expect(asAdmin.changeRole({ userId, role: 'owner' })).rejects.toMatchObject(OWNERS_ONLY)
    }
    await expect(asAdmin.changeRole({ userId: owner.id, role: 'member' })).rejects.toMatchObject(OWNERS_ONLY)
    await asOwner.changeRole({ userId: admin.id, role: 'owner' })
    await asOwner.changeRole({ userId: admin.id, role: 'member' })
    expect(await Promise.all([owner, admin, member].map(roleOf))).toEqual(['owner', 'member', 'member'])
  })

  test('refuses to demote the last owner', async () => {
    const { owner, asOwner } = await team()
    await expect(asOwner.changeRole({ userId: owner.id, role: 'admin' })).rejects.toMatchObject(LAST_OWNER)
    expect(await roleOf(owner)).toBe('owner')
  })

  test('changes nothing if the role is unchanged', async () => {
    const { org, owner, asOwner } = await team()
    await asOwner.changeRole({ userId: owner.id, role: 'owner' })
    expect(await app.sql`select from audit where org_id = ${org.id}`).toHaveLength(0)
  })

  test('moves a demoted admin to a workspace they belong to', async () => {
    const { org, admin, asOwner } = await team()
    const hidden = await (await app.withSession(admin)).workspaces.create({ name: 'Hidden' })
    await app.sql`delete from workspace_members where workspace_id = ${hidden.id}`
    await app.sql`update memberships set default_workspace_id = ${hidden.id} where user_id = ${admin.id}`
    await app.sql`update sessions set workspace_id = ${hidden.id} where user_id = ${admin.id}`
    await asOwner.changeRole({ userId: admin.id, role: 'member' })
    const workspaces = await app.sql`
      select default_workspace_id as id from memberships where user_id = ${admin.id}
      union all select workspace_id from sessions where user_id = ${admin.id}`
    expect(new Set(workspaces.map(({ id }) => id))).toEqual(new Set([org.workspaceId]))
  })
})

describe('DELETE /org/members/:userId', () => {
  test('ends sessions, keys and workspaces in this organization only', async () => {
    const { org, member, asAdmin } = await team()
    const inOtherOrg = await app.join(member, await app.organization())
    const credentials = [cookie(await app.session(member)), bearer(await app.key(member))]
    const otherOrgCredentials = [cookie(await app.session(inOtherOrg)), bearer(await app.key(inOtherOrg))]
    const statusWith = async (headers: Record<string, string>) =>
      (await app.request('GET', '/api/v1/org', { headers })).status

    expect(await asAdmin.removeMember({ userId: member.id })).toEqual({ removed: true })
    expect(await Promise.all(credentials.map(statusWith))).toEqual([401, 401])
    expect(await Promise.all(otherOrgCredentials.map(statusWith))).toEqual([200, 200])
    for (const table of ['memberships', 'workspace_members', 'sessions', 'api_keys']) {
      expect(await app.sql`select org_id from ${app.sql(table)} where user_id = ${member.id}`, table).toEqual(
        [{ org_id: inOtherOrg.orgId }],
      )
    }
    const { id: target, name, email } = member
    expect(await app.sql`select action, target, details from audit where org_id = ${org.id}`).toEqual([
      { action: 'member.removed', target, details: { name, email, role: 'member' } },
    ])
  })

  test('does not restore keys when a member joins again', async () => {
    const { org, member, asAdmin } = await team()
    const key = await app.key(member)
    await asAdmin.removeMember({ userId: member.id })
    await app.join(member, org)
    expect((await app.request('GET', '/api/v1/org', { headers: bearer(key) })).status).toBe(401)
  })

  test('allows only owners to remove owners, and never the last', async () => {
    const { org, owner, asOwner, asAdmin } = await team()
    await expect(asAdmin.removeMember({ userId: owner.id })).rejects.toMatchObject(OWNERS_ONLY)
    await expect(asOwner.removeMember({ userId: owner.id })).rejects.toMatchObject(LAST_OWNER)
    const second = await app.person(org, { role: 'owner' })
    await asOwner.removeMember({ userId: second.id })
    expect(await roleOf(second)).toBeUndefined()
  })

  test('ends the session when members remove themselves', async () => {
    const { admin } = await team()
    const headers = cookie(await app.session(admin))
    const answer = await app.request('DELETE', `/api/v1/org/members/${admin.id.toUpperCase()}`, { headers })
    expect(answer.headers.get('set-cookie')).toMatch(/^atrium_session=;/)
    expect((await app.request('GET', '/api/v1/auth/session', { headers })).status).toBe(401)
  })
})

describe('member access', () => {
  test('returns NOT_FOUND for foreign, unknown and malformed ids', async () => {
    const { asOwner } = await team()
    const outsider = (await team()).member
    for (const userId of [outsider.id, '01890000-0000-7000-8000-000000000000', 'nonsense']) {
      await expect(asOwner.changeRole({ userId, role: 'admin' })).rejects.toMatchObject({ status: 404 })
      await expect(asOwner.removeMember({ userId })).rejects.toMatchObject({ status: 404 })
    }
    await expect(asOwner.removeMember({ userId: outsider.id })).rejects.toMatchObject(NOT_FOUND)
    expect(await roleOf(outsider)).toBe('member')
  })

  test('refuses members and API keys', async () => {
    const { owner, admin, asMember } = await team()
    await expect(asMember.removeMember({ userId: admin.id })).rejects.toMatchObject({
      details: { reason: 'role_required' },
    })
    await expect(asMember.changeRole({ userId: admin.id, role: 'member' })).rejects.toMatchObject({
      details: { reason: 'role_required' },
    })
    const key = await app.withKey(owner)
    await expect(key.organization.removeMember({ userId: admin.id })).rejects.toMatchObject({
      status: 403,
      message: 'Managing members requires a browser session',
      details: { reason: 'browser_session_required' },
    })
  })
})

describe('member search', () => {
  test('finds members by parts of names and addresses, without wildcards, even in a large organization', async () => {
    const org = await app.organization()
    const owner = await app.person(org, { role: 'owner', name: 'Ada Lovelace', email: 'ada@search.example' })
    await app.person(await app.organization(), { name: 'Ada of others' })
    await app.sql`
      with people as (
        insert into users (id, email, name, created_at, updated_at)
        select new_id(now()), 'crowd' || n || '@search.example', case n when 2300 then '100%_Grace' else 'Crowd' end, now(), now()
        from generate_series(1, 2300) n returning id
      )
      insert into memberships (org_id, user_id, role, default_workspace_id, created_at)
      select ${org.id}, id, 'member', ${org.workspaceId}, now() from people`
    const { members } = (await app.withSession(owner)).organization
    const findAll = async (search: string) => {
      const names: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await members({ search, limit: 100, cursor })
        names.push(...page.items.map(({ name }) => name))
        if (page.nextCursor === null) return names
        cursor = page.nextCursor
      }
    }
    expect(await findAll('LOVE')).toEqual(['Ada Lovelace'])
    expect(await findAll('ada@')).toEqual(['Ada Lovelace'])
    expect(await findAll('%_gra')).toEqual(['100%_Grace'])
    expect(await findAll('unknown')).toEqual([])
    expect(await findAll('crowd')).toHaveLength(2300)
  })
})
