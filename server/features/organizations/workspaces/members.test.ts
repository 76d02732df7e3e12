import { beforeAll, describe, expect, test } from 'vitest'
import { cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

/** A second workspace with its creator as the only member, and a colleague outside of it. */
async function createLaboratory() {
  const org = await app.organization()
  const admin = await app.person(org, { role: 'admin' })
  const member = await app.person(org)
  const asAdmin = (await app.withSession(admin)).workspaces
  const { id } = await asAdmin.create({ name: 'Laboratory' })
  return { org, id, admin, member, asAdmin, asMember: (await app.withSession(member)).workspaces }
}

describe('GET /workspaces/:id/members', () => {
  test('is visible to its members and to admins, and NOT_FOUND to others', async () => {
    const { org, id, member, asAdmin, asMember } = await createLaboratory()
    await expect(asMember.members({ id })).rejects.toMatchObject({
      status: 404,
      message: 'Workspace not found',
    })
    await asAdmin.addMember({ id, userId: member.id, role: 'viewer' })
    expect(await asMember.members({ id })).toEqual(await asAdmin.members({ id }))
    expect((await (await app.withKey(member)).workspaces.members({ id })).items).toHaveLength(2)
    const owner = await app.withSession(await app.person(org, { role: 'owner' }))
    expect((await owner.workspaces.members({ id })).items).toHaveLength(2)
  })

  test('pages by a cursor bound to the workspace', async () => {
    const { org, id, member, asAdmin } = await createLaboratory()
    await asAdmin.addMember({ id, userId: member.id })
    const first = await asAdmin.members({ id, limit: 1 })
    const second = await asAdmin.members({ id, limit: 1, cursor: first.nextCursor! })
    expect([...first.items, ...second.items]).toEqual((await asAdmin.members({ id })).items)
    expect(second.nextCursor).toBeNull()
    await expect(asAdmin.members({ id: org.workspaceId, cursor: first.nextCursor! })).rejects.toMatchObject({
      status: 400,
    })
  })
})

describe('POST /workspaces/:id/members', () => {
  test("defaults to editor and changes an existing member's role", async () => {
    const { org, id, member, asAdmin } = await createLaboratory()
    const added = await asAdmin.addMember({ id, userId: member.id })
    expect(added).toMatchObject({ id: member.id, email: member.email, role: 'editor' })
    const changed = await asAdmin.addMember({ id, userId: member.id, role: 'viewer' })
    expect(changed).toEqual({ ...added, role: 'viewer' })
    expect((await asAdmin.members({ id })).items).toHaveLength(2)
    const entries = await app.sql`
      select target, details from audit where org_id = ${org.id} and action = 'workspace.member-added' order by id`
    const memberDetails = { userId: member.id, name: member.name, email: member.email }
    expect(entries).toEqual([
      { target: id, details: { ...memberDetails, role: 'editor' } },
      { target: id, details: { ...memberDetails, role: 'viewer' } },
    ])
  })

  test("returns the same error for unknown users and other organizations' users", async () => {
    const { id, admin } = await createLaboratory()
    const headers = cookie(await app.session(admin))
    const outsider = (await createLaboratory()).member
    for (const userId of [outsider.id, '01890000-0000-7000-8000-000000000000']) {
      const answer = await app.request('POST', `/api/v1/workspaces/${id}/members`, {
        headers,
        body: { userId },
      })
      expect([answer.status, answer.body.error.details]).toEqual([
        400,
        [{ path: 'body.userId', message: 'must be an organization member' }],
      ])
    }
    expect(await app.sql`select from workspace_members where workspace_id = ${id}`).toHaveLength(1)
  })

  test('makes the workspace the default for a member without one', async () => {
    const { org, id, member, asAdmin, asMember } = await createLaboratory()
    await asAdmin.removeMember({ id: org.workspaceId, userId: member.id })
    expect((await asMember.list()).items).toEqual([])
    await asAdmin.addMember({ id, userId: member.id })
    expect((await asMember.list()).items).toMatchObject([{ id, isDefault: true }])
  })
})

describe('DELETE /workspaces/:id/members/:userId', () => {
  test('hides the workspace immediately and reassigns active and default workspaces', async () => {
    const { org, id, member, asAdmin, asMember } = await createLaboratory()
    await asAdmin.addMember({ id, userId: member.id })
    await app.sql`update memberships set default_workspace_id = ${id} where user_id = ${member.id}`
    await app.sql`update sessions set workspace_id = ${id} where user_id = ${member.id}`
    expect(await asAdmin.removeMember({ id, userId: member.id })).toEqual({ removed: true })
    await expect(asMember.members({ id })).rejects.toMatchObject({ status: 404 })
    expect((await asMember.list()).items).toMatchObject([{ id: org.workspaceId, isDefault: true }])
    expect(await app.sql`select workspace_id from sessions where user_id = ${member.id}`).toEqual([
      { workspace_id: org.workspaceId },
    ])
    const entries = await app.sql`
      select details from audit where org_id = ${org.id} and action = 'workspace.member-removed'`
    const { name, email } = member
    expect(entries).toEqual([{ details: { userId: member.id, name, email } }])
  })

  test("keeps an admin's active workspace, as admins see every workspace", async () => {
    const { id, admin, asAdmin } = await createLaboratory()
    await app.sql`update memberships set default_workspace_id = ${id} where user_id = ${admin.id}`
    await asAdmin.removeMember({ id, userId: admin.id })
    expect((await asAdmin.list()).items[1]).toMatchObject({ id, isDefault: true, memberCount: 0 })
  })

  test('returns NOT_FOUND for a user outside the workspace', async () => {
    const { id, member, asAdmin } = await createLaboratory()
    const outsider = (await createLaboratory()).member
    for (const userId of [member.id, outsider.id]) {
      await expect(asAdmin.removeMember({ id, userId })).rejects.toMatchObject({
        status: 404,
        message: 'Member not found',
      })
    }
  })
})
