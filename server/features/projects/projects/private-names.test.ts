import { beforeAll, expect, test } from 'vitest'
import { seedProjectMembers } from '../../../testing/factories/project-members.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let members: Awaited<ReturnType<typeof seedProjectMembers>>
beforeAll(async () => {
  app = await shareTestApp()
  members = await seedProjectMembers(app)
})

const NAME = 'Acquisition of Initech'
const clientOf = (role: 'creator' | 'admin' | 'editor') => app.as(members.headers[role])

test("no audit entry contains a private project's name", async () => {
  const creator = clientOf('creator')
  const { id } = await members.project('private', NAME)
  const other = await app.workspace(members.org)
  await app.setWorkspaceRole(members.people.creator, other, 'editor')
  await creator.sharing.share({ projectId: id })
  await creator.projects.shareWithWorkspace({ id, workspaceId: other })
  await creator.projects.unshareFromWorkspace({ id, workspaceId: other })
  await creator.projects.shareWithWorkspace({ id, workspaceId: other, primary: true })
  await creator.sharing.unshare({ projectId: id })
  await creator.projects.remove({ id })
  await creator.projects.undelete({ id })
  const { items } = await clientOf('admin').organization.audit({})
  const actions = items.filter(({ target }) => target === id).map(({ action }) => action)
  expect(new Set(actions)).toEqual(
    new Set([
      'project.shared',
      'project.workspace-added',
      'project.workspace-removed',
      'project.moved',
      'project.unshared',
      'project.deleted',
      'project.undeleted',
    ]),
  )
  expect(JSON.stringify(items)).not.toContain(NAME)
})

test('an invite revoked after its project became private leaves the name out of the audit log', async () => {
  const { id } = await members.project('team', NAME)
  const { people, workspaceId, org } = members
  await app.sql`
    update workspace_members set role = 'admin'
    where org_id = ${org.id} and workspace_id = ${workspaceId} and user_id = ${people.creator.id}`
  const creator = clientOf('creator')
  const { id: inviteId } = await creator.sharing.invite({ projectId: id, role: 'viewer' })
  await creator.projects.update({ id, visibility: 'private' })
  await creator.sharing.revokeInvite({ projectId: id, inviteId })
  const { items } = await clientOf('admin').organization.audit({ action: 'project.uninvited' })
  expect(items).toMatchObject([{ target: id }])
  expect(JSON.stringify(items)).not.toContain(NAME)
})

test("a new project's slug does not depend on other users' private projects", async () => {
  const { headers, workspaceId, people } = members
  await app.sql`update memberships set default_workspace_id = ${workspaceId} where user_id = ${people.editor.id}`
  const create = async (role: 'creator' | 'editor', visibility: 'team' | 'private') =>
    (await app.as(headers[role]).projects.create({ name: 'Quiet plan', visibility })).slug
  const hidden = [await create('creator', 'private'), await create('creator', 'private')]
  for (const slug of hidden) expect(slug).toMatch(/^quiet-plan-[0-9a-f]{8}$/)
  expect(await create('editor', 'private')).toMatch(/^quiet-plan-[0-9a-f]{8}$/)
  expect(await create('editor', 'team')).toBe('quiet-plan')
  const longest = await app
    .as(headers.creator)
    .projects.create({ name: 'x'.repeat(255), visibility: 'private' })
  expect(longest.slug).toMatch(/^x{51}-[0-9a-f]{8}$/)
  expect((await app.as(headers.creator).projects.get({ id: longest.slug })).id).toBe(longest.id)
})
