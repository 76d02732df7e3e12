import { beforeAll, describe, expect, test } from 'vitest'
import { concurrently } from '../../../testing/locks.ts'
import { bearer, cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const NOT_FOUND = { status: 404, code: 'NOT_FOUND', message: 'Workspace not found' }

/** An admin and a member of an organization whose first workspace is General. */
async function createTeam() {
  const org = await app.organization()
  const admin = await app.person(org, { role: 'admin' })
  const member = await app.person(org)
  return {
    org,
    admin,
    member,
    asAdmin: (await app.withSession(admin)).workspaces,
    asMember: (await app.withSession(member)).workspaces,
  }
}

type WorkspaceList = { items: { name: string; isDefault: boolean }[] }
const namesOf = ({ items }: WorkspaceList) => items.map(({ name }) => name)
const defaultOf = ({ items }: WorkspaceList) => items.find(({ isDefault }) => isDefault)?.name

describe('GET /workspaces', () => {
  test('returns all workspaces to admins and their own to members', async () => {
    const { asAdmin, asMember, member } = await createTeam()
    const second = await asAdmin.create({ name: 'Second' })
    await asAdmin.create({ name: 'Third' })
    expect(namesOf(await asAdmin.list())).toEqual(['General', 'Second', 'Third'])
    expect(namesOf(await asMember.list())).toEqual(['General'])
    await asAdmin.addMember({ id: second.id, userId: member.id })
    expect(namesOf(await asMember.list())).toEqual(['General', 'Second'])
    expect(namesOf(await (await app.withKey(member)).workspaces.list())).toEqual(['General', 'Second'])
  })

  test('returns the default flag and member counts', async () => {
    const { asAdmin, org } = await createTeam()
    await asAdmin.create({ name: 'Second' })
    expect((await asAdmin.list()).items).toMatchObject([
      { id: org.workspaceId, isDefault: true, memberCount: 2 },
      { isDefault: false, memberCount: 1 },
    ])
  })

  test('returns no workspace from another organization', async () => {
    const { asAdmin } = await createTeam()
    await (await createTeam()).asAdmin.create({ name: 'Foreign' })
    expect(namesOf(await asAdmin.list())).toEqual(['General'])
  })
})

describe('POST /workspaces', () => {
  test('creates a workspace with its creator as member and records an audit entry', async () => {
    const { org, admin, asAdmin } = await createTeam()
    const workspace = await asAdmin.create({ name: 'Лаборатория 🧪' })
    expect(workspace).toMatchObject({ name: 'Лаборатория 🧪', memberCount: 1, isDefault: false })
    const { items } = await asAdmin.members({ id: workspace.id })
    expect(items).toMatchObject([{ id: admin.id, role: 'admin' }])
    expect(await app.sql`select action, target, details from audit where org_id = ${org.id}`).toEqual([
      { action: 'workspace.created', target: workspace.id, details: { name: 'Лаборатория 🧪' } },
    ])
  })

  test('creates one workspace for a repeated Idempotency-Key', async () => {
    const { asAdmin } = await createTeam()
    const createOnce = () => asAdmin.create({ name: 'Once' }, { idempotencyKey: 'once' })
    expect(await createOnce()).toEqual(await createOnce())
    expect(namesOf(await asAdmin.list())).toEqual(['General', 'Once'])
  })
})

describe('PATCH /workspaces/:id', () => {
  test('renames the workspace and records an audit entry', async () => {
    const { org, asAdmin, asMember } = await createTeam()
    expect(await asAdmin.rename({ id: org.workspaceId, name: 'Main' })).toMatchObject({ name: 'Main' })
    expect(namesOf(await asMember.list())).toEqual(['Main'])
    expect(await app.sql`select action, details from audit where org_id = ${org.id}`).toEqual([
      { action: 'workspace.renamed', details: { from: 'General', to: 'Main' } },
    ])
  })
})

describe('DELETE /workspaces/:id', () => {
  test('hides the workspace from all members, and returns NOT_FOUND the second time', async () => {
    const { asAdmin, member } = await createTeam()
    const { id } = await asAdmin.create({ name: 'Second' })
    await asAdmin.addMember({ id, userId: member.id })
    expect(await asAdmin.remove({ id })).toEqual({ deleted: true })
    expect(namesOf(await asAdmin.list())).toEqual(['General'])
    await expect(asAdmin.remove({ id })).rejects.toMatchObject(NOT_FOUND)
    await expect(asAdmin.rename({ id, name: 'Back' })).rejects.toMatchObject(NOT_FOUND)
    await expect(asAdmin.members({ id })).rejects.toMatchObject(NOT_FOUND)
    await expect(asAdmin.addMember({ id, userId: member.id })).rejects.toMatchObject(NOT_FOUND)
  })

  test('reassigns its members to another visible workspace, or to none', async () => {
    const { org, admin, member, asAdmin, asMember } = await createTeam()
    const second = await asAdmin.create({ name: 'Second' })
    const lonely = await app.person(org)
    await asAdmin.addMember({ id: second.id, userId: member.id })
    await app.sql`update sessions set workspace_id = ${org.workspaceId} where org_id = ${org.id}`
    const lonelyBrowser = await app.withSession(lonely)
    await asAdmin.remove({ id: org.workspaceId })

    expect(defaultOf(await asAdmin.list())).toBe('Second')
    expect(defaultOf(await asMember.list())).toBe('Second')
    expect(await lonelyBrowser.workspaces.list()).toEqual({ items: [] })
    const rows = (await app.sql`select user_id, workspace_id from sessions where org_id = ${org.id}`).map(
      ({ user_id, workspace_id }) => [user_id, workspace_id],
    )
    expect(new Map(rows as [string, string | null][])).toEqual(
      new Map([
        [admin.id, second.id],
        [member.id, second.id],
        [lonely.id, null],
      ]),
    )
    expect((await lonelyBrowser.accounts.session()).workspace).toBeNull()
  })

  test('does not affect other organizations', async () => {
    const { org, asAdmin } = await createTeam()
    const bystander = await createTeam()
    await asAdmin.create({ name: 'Second' })
    await asAdmin.remove({ id: org.workspaceId })
    expect(defaultOf(await bystander.asMember.list())).toBe('General')
  })

  test('refuses to delete the last workspace', async () => {
    const { org, asAdmin } = await createTeam()
    await expect(asAdmin.remove({ id: org.workspaceId })).rejects.toMatchObject({
      status: 409,
      message: 'An organization’s last workspace cannot be deleted',
    })
  })

  test('keeps one workspace when the last two are deleted concurrently', async () => {
    const { org, asAdmin } = await createTeam()
    const { id } = await asAdmin.create({ name: 'Second' })
    const results = await concurrently(
      app.sql,
      'organizations',
      [id, org.workspaceId].map((workspaceId) => () => asAdmin.remove({ id: workspaceId })),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await asAdmin.list()).items).toHaveLength(1)
  })
})

test("another organization's workspace is NOT_FOUND for every operation", async () => {
  const { asAdmin, admin } = await createTeam()
  const id = (await createTeam()).org.workspaceId
  await expect(asAdmin.rename({ id, name: 'Mine' })).rejects.toMatchObject(NOT_FOUND)
  await expect(asAdmin.remove({ id })).rejects.toMatchObject(NOT_FOUND)
  await expect(asAdmin.members({ id })).rejects.toMatchObject(NOT_FOUND)
  await expect(asAdmin.addMember({ id, userId: admin.id })).rejects.toMatchObject(NOT_FOUND)
  await expect(asAdmin.removeMember({ id, userId: admin.id })).rejects.toMatchObject(NOT_FOUND)
})

test('managing workspaces refuses members, API keys and sessions without step-up', async () => {
  const { org, admin, member } = await createTeam()
  const path = `/api/v1/workspaces/${org.workspaceId}`
  const calls = [
    ['POST', '/api/v1/workspaces', { name: 'X' }],
    ['PATCH', path, { name: 'X' }],
    ['DELETE', path, undefined],
    ['POST', `${path}/members`, { userId: admin.id }],
    ['DELETE', `${path}/members/${admin.id}`, undefined],
  ] as const
  const callers = [
    ['role_required', 'This requires the admin role', cookie(await app.session(member))],
    [
      'browser_session_required',
      'Managing workspaces requires a browser session',
      bearer(await app.key(admin)),
    ],
    [
      'step_up_required',
      'Step-up authentication required',
      cookie(await app.session(admin, { steppedUp: false })),
    ],
  ] as const
  for (const [reason, message, headers] of callers) {
    for (const [method, url, body] of calls) {
      const answer = await app.request(method, url, { headers, body })
      expect([answer.status, answer.body.error.message, answer.body.error.details.reason]).toEqual([
        403,
        message,
        reason,
      ])
    }
  }
})
