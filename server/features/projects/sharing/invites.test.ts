import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestProject } from '../../../testing/clients/live.ts'
import {
  acceptProjectInvite,
  createProjectInvite,
  readProjectInvite,
} from '../../../testing/factories/project-invites.ts'
import { buildTestApp, cookie, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp({ mail: true })
})
beforeEach(async () => {
  await app.sql`delete from rate_limits`
})
afterAll(() => app.close())

const inAnHour = () => new Date(app.clock.now().getTime() + 3_600_000).toISOString()

describe('invite link', () => {
  test("grants access to the project's workspace, is returned once and stored as a hash", async () => {
    const { project, browser, invite, token } = await createProjectInvite(app, { role: 'viewer', maxUses: 3 })
    expect(invite).toMatchObject({ role: 'viewer', email: null, expiresAt: null, maxUses: 3, uses: 0 })
    expect(invite.url).toBe(`${app.url}/join#${token}`)
    const { invites } = await browser.sharing.read({ projectId: project.id })
    expect(invites).toEqual([{ ...invite, url: null }])
    const [row] = await app.sql`select i::text as all from project_invites i where project_id = ${project.id}`
    expect(row!.all).not.toContain(token)
    expect((await readProjectInvite(app, token)).body).toEqual({
      organization: { id: project.org.id, name: 'Engines' },
      workspace: { id: project.org.workspaceId, name: 'General' },
      project: { id: project.id, name: 'Launch', emoji: null },
      role: 'viewer',
      invitedBy: 'Ada',
      email: null,
      confirmsEmail: true,
    })
  })

  test('is replaced by a new one, but email invites stay', async () => {
    const { project, browser, token } = await createProjectInvite(app)
    const projectId = project.id
    await browser.sharing.invite({ projectId, role: 'viewer', email: 'Bob@Example.com' })
    const again = await browser.sharing.invite({ projectId, role: 'viewer' })
    const { invites } = await browser.sharing.read({ projectId })
    expect(invites.map(({ id, email }) => [id, email])).toEqual([
      [again.id, null],
      [expect.any(String), 'bob@example.com'],
    ])
    expect((await readProjectInvite(app, token)).status).toBe(404)
  })

  test('is sent by mail for an email address and valid once, for seven days', async () => {
    const { project, browser } = await createProjectInvite(app)
    const projectId = project.id
    const invite = await browser.sharing.invite({ projectId, role: 'editor', email: 'eve@example.com' })
    expect(invite.maxUses).toBe(1)
    const days = (Date.parse(invite.expiresAt!) - app.clock.now().getTime()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    const [mail] = await app.sql`
      select recipient, subject, body from mails where id = ${`project-invite-${invite.id}`}`
    expect([mail!.recipient, mail!.subject]).toEqual(['eve@example.com', 'Ada invited you to join “Launch”'])
    expect(mail!.body).toMatch(new RegExp(`${app.mailUrl}/join#[\\w-]{43}\n`))
    // Accepting it verifies the email address, so that the inviting user must not see the URL.
    expect(invite.url).toBeNull()
  })

  test('can be created and revoked only by organization and workspace admins', async () => {
    const project = await createTestProject(app)
    const projectId = project.id
    const editor = await app.person(project.org)
    const browser = await app.withSession(editor)
    const refusal = { status: 403, details: { reason: 'role_required' } }
    await expect(browser.sharing.invite({ projectId, role: 'viewer' })).rejects.toMatchObject(refusal)
    await app.sql`update workspace_members set role = 'admin' where user_id = ${editor.id}`
    const { id, url } = await browser.sharing.invite({ projectId, role: 'viewer' })
    const token = url!.split('#')[1]!
    expect((await readProjectInvite(app, token)).status).toBe(200)
    // An invite is valid only while its creator could create it.
    await app.sql`update workspace_members set role = 'editor' where user_id = ${editor.id}`
    expect((await readProjectInvite(app, token)).status).toBe(404)
    await expect(browser.sharing.revokeInvite({ projectId, inviteId: id })).rejects.toMatchObject(refusal)
    const admin = await app.withSession(await app.person(project.org, { role: 'admin' }))
    expect(await admin.sharing.revokeInvite({ projectId, inviteId: id })).toEqual({ revoked: true })
  })

  test('is CONFLICT for a private project, because invited users could not see it', async () => {
    const project = await createTestProject(app)
    const browser = await app.withSession(project.creator)
    await browser.projects.update({ id: project.id, visibility: 'private' })
    const refusal = { status: 409, message: expect.stringContaining('This project is private') }
    const request = browser.sharing.invite({ projectId: project.id, role: 'viewer' })
    await expect(request).rejects.toMatchObject(refusal)
  })

  test.each([
    ['revoked', (invite: Fixture) => revoke(invite)],
    ['expired', (invite: Fixture) => change(invite, app.sql`expires_at = ${app.clock.now()}`)],
    ['used up', (invite: Fixture) => change(invite, app.sql`uses = 5`)],
    ['of a deleted project', ({ browser, project }: Fixture) => browser.projects.remove({ id: project.id })],
    ['of a private project', ({ browser, project }: Fixture) => hide(browser, project.id)],
    ['created by a former member', ({ project }: Fixture) => leave(project.creator.id)],
  ])('gets the same response as an unknown one: %s', async (_case, end) => {
    const invite = await createProjectInvite(app, { role: 'editor', maxUses: 5 })
    const before = await readProjectInvite(app, invite.token)
    expect(before.status).toBe(200)
    await end(invite)
    const after = await readProjectInvite(app, invite.token)
    expect([after.status, after.body.error.message]).toEqual([404, 'Invitation not found'])
    const person = (await app.newUser()).person
    const session = cookie(await app.session(person))
    expect((await acceptProjectInvite(app, { token: invite.token }, session)).status).toBe(404)
    const unknown = await readProjectInvite(app, 'made-up')
    expect({ ...unknown.body.error, requestId: '' }).toEqual({ ...after.body.error, requestId: '' })
  })

  test.each([
    ['role', 'admin', 'must be viewer or editor'],
    ['maxUses', 0, 'must be at least 1'],
    ['email', 'nobody', 'must be an email address'],
    ['expiresAt', '2020-01-01T00:00:00Z', 'must be in the future'],
  ])('refuses %s %s', async (field, value, message) => {
    const project = await createTestProject(app)
    const headers = cookie(await app.session(project.creator))
    const path = `/api/v1/projects/${project.id}/share/invite`
    const body = { role: 'viewer', [field]: value }
    const response = await app.request('POST', path, { headers, body })
    expect([response.status, response.body.error.details]).toEqual([
      400,
      [{ path: `body.${field}`, message }],
    ])
  })

  test('cannot be revoked through another project', async () => {
    const { invite } = await createProjectInvite(app)
    const other = await createProjectInvite(app)
    const call = other.browser.sharing.revokeInvite({ projectId: other.project.id, inviteId: invite.id })
    await expect(call).rejects.toMatchObject({ status: 404 })
  })

  test('is recorded in the audit log when it is created and revoked', async () => {
    const { project, browser, invite } = await createProjectInvite(app)
    const projectId = project.id
    await browser.sharing.invite({ projectId, role: 'viewer', email: 'x@example.com', expiresAt: inAnHour() })
    await browser.sharing.revokeInvite({ projectId, inviteId: invite.id })
    const entries = await app.sql`select action, details from audit where target = ${projectId} order by id`
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['project.invited', { name: 'Launch', role: 'editor' }],
      ['project.invited', { name: 'Launch', role: 'viewer', email: 'x@example.com' }],
      ['project.uninvited', { name: 'Launch' }],
    ])
  })
})

type Fixture = Awaited<ReturnType<typeof createProjectInvite>>
type Browser = Fixture['browser']
const revoke = ({ browser, project, invite }: Fixture) =>
  browser.sharing.revokeInvite({ projectId: project.id, inviteId: invite.id })
const change = async ({ invite }: Fixture, to: ReturnType<TestApp['sql']>) => {
  await app.sql`update project_invites set ${to} where id = ${invite.id}`
}
const hide = (browser: Browser, id: string) => browser.projects.update({ id, visibility: 'private' })
const leave = async (userId: string) => {
  await app.sql`delete from memberships where user_id = ${userId}`
}
