import { beforeAll, describe, expect, test } from 'vitest'
import { recordLiveMessages } from '../../../testing/clients/live-messages.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let live: Awaited<ReturnType<typeof recordLiveMessages>>
beforeAll(async () => {
  app = await shareTestApp()
  live = await recordLiveMessages(app)
})

/** A project whose creator is in two workspaces, and a colleague who is in the second only. */
async function createProject() {
  const org = await app.organization()
  const [home, second] = [org.workspaceId, await app.workspace(org, 'Second')]
  const [creator, colleague] = [await app.person(org), await app.person(org)]
  await app.setWorkspaceRole(creator, second, 'editor')
  await app.setWorkspaceRole(colleague, home, null)
  await app.setWorkspaceRole(colleague, second, 'editor')
  const projects = (await app.withKey(creator)).projects
  const colleagueProjects = (await app.withKey(colleague)).projects
  const project = await projects.create({ name: 'Launch plan' })
  return { org, home, second, creator, colleague, projects, colleagueProjects, project, id: project.id }
}

const NOT_FOUND = { code: 'NOT_FOUND' }

describe('sharing a project with another workspace', () => {
  test("shows the project to that workspace's members and lists the workspace in the project", async () => {
    const { projects, colleagueProjects, id, home, second } = await createProject()
    await expect(colleagueProjects.get({ id })).rejects.toMatchObject(NOT_FOUND)
    const shared = await projects.shareWithWorkspace({ id, workspaceId: second })
    expect(shared).toMatchObject({ workspaceId: home, sharedWorkspaces: [{ id: second, name: 'Second' }] })
    expect(await colleagueProjects.get({ id: 'launch-plan' })).toEqual(shared)
    expect((await colleagueProjects.list({})).items.map((item) => item.id)).toEqual([id])
    expect(await projects.shareWithWorkspace({ id, workspaceId: second })).toMatchObject({
      sharedWorkspaces: [{ id: second }],
    })
    await expect.poll(() => live.of(id)).toEqual(['access', 'access'])
  })

  test('returns 201 and changes the ETag', async () => {
    const { creator, id, second } = await createProject()
    const headers = { authorization: `Bearer ${(await app.key(creator)).key}` }
    const read = () => app.request('GET', `/api/v1/projects/${id}`, { headers })
    const etag = (await read()).headers.get('etag')
    const body = { workspaceId: second }
    expect((await app.request('POST', `/api/v1/projects/${id}/workspaces`, { headers, body })).status).toBe(
      201,
    )
    expect((await read()).headers.get('etag')).not.toBe(etag)
  })

  test('does not show a private project until its visibility is team', async () => {
    const { projects, colleagueProjects, id, second } = await createProject()
    await projects.update({ id, visibility: 'private' })
    await projects.shareWithWorkspace({ id, workspaceId: second })
    expect((await colleagueProjects.list({})).items).toEqual([])
    await expect(colleagueProjects.get({ id })).rejects.toMatchObject(NOT_FOUND)
    await projects.update({ id, visibility: 'team' })
    expect((await colleagueProjects.list({})).items).toHaveLength(1)
  })

  test('is FORBIDDEN for a workspace the caller cannot edit, or a deleted, foreign or unknown one', async () => {
    const { org, projects, id, creator } = await createProject()
    const [unseen, viewed, deleted] = [
      await app.workspace(org),
      await app.workspace(org),
      await app.workspace(org),
    ]
    await app.setWorkspaceRole(creator, viewed, 'viewer')
    await app.setWorkspaceRole(creator, deleted, 'editor')
    await app.sql`update workspaces set deleted_at = now() where id = ${deleted}`
    const other = await app.organization()
    for (const workspaceId of [unseen, viewed, deleted, other.workspaceId, id]) {
      await expect(projects.shareWithWorkspace({ id, workspaceId })).rejects.toMatchObject({
        code: 'FORBIDDEN',
        details: { reason: 'no_workspace_access' },
      })
    }
    expect((await projects.get({ id })).sharedWorkspaces).toEqual([])
  })

  test('is FORBIDDEN for project viewers and NOT_FOUND without access', async () => {
    const { org, colleagueProjects, id, second, home, colleague } = await createProject()
    await expect(colleagueProjects.shareWithWorkspace({ id, workspaceId: second })).rejects.toMatchObject(
      NOT_FOUND,
    )
    await app.setWorkspaceRole(colleague, home, 'viewer')
    await expect(colleagueProjects.shareWithWorkspace({ id, workspaceId: second })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'view_only' },
    })
    const stranger = await app.person(await app.organization(), { role: 'owner' })
    const foreign = (await app.withKey(stranger)).projects
    await expect(foreign.shareWithWorkspace({ id, workspaceId: org.workspaceId })).rejects.toMatchObject(
      NOT_FOUND,
    )
  })
})

describe('moving a project to another workspace', () => {
  test('changes its primary workspace and removes it from the previous one', async () => {
    const { projects, colleagueProjects, id, home, second } = await createProject()
    const moved = await projects.shareWithWorkspace({ id, workspaceId: second, primary: true })
    expect(moved).toMatchObject({ workspaceId: second, sharedWorkspaces: [] })
    expect((await projects.list({ workspaceId: home })).items).toEqual([])
    expect((await colleagueProjects.list({ workspaceId: second })).items).toHaveLength(1)
  })

  test('changes nothing if that is already the primary workspace', async () => {
    const { projects, id, home } = await createProject()
    const same = await projects.shareWithWorkspace({ id, workspaceId: home, primary: true })
    expect(same).toMatchObject({ workspaceId: home, sharedWorkspaces: [] })
    expect((await projects.list({ workspaceId: home })).items).toHaveLength(1)
  })
})

describe('unsharing a project from a workspace', () => {
  test("hides the project from that workspace's members", async () => {
    const { projects, colleagueProjects, id, second } = await createProject()
    await projects.shareWithWorkspace({ id, workspaceId: second })
    const unshared = await projects.unshareFromWorkspace({ id, workspaceId: second })
    expect(unshared.sharedWorkspaces).toEqual([])
    await expect(colleagueProjects.get({ id })).rejects.toMatchObject(NOT_FOUND)
    expect((await colleagueProjects.list({})).items).toEqual([])
    await expect.poll(() => live.of(id)).toEqual(['access', 'access'])
  })

  test('is allowed for a caller who loses access through it', async () => {
    const { projects, colleagueProjects, id, second } = await createProject()
    await projects.shareWithWorkspace({ id, workspaceId: second })
    expect(await colleagueProjects.unshareFromWorkspace({ id, workspaceId: second })).toMatchObject({ id })
    await expect(colleagueProjects.get({ id })).rejects.toMatchObject(NOT_FOUND)
  })

  test('is CONFLICT for the primary workspace and NOT_FOUND for a workspace without the project', async () => {
    const { projects, id, home, second } = await createProject()
    for (const workspaceId of [home, home.toUpperCase()]) {
      await expect(projects.unshareFromWorkspace({ id, workspaceId })).rejects.toMatchObject({
        code: 'CONFLICT',
      })
    }
    await expect(projects.unshareFromWorkspace({ id, workspaceId: second })).rejects.toMatchObject(NOT_FOUND)
  })
})

test('the audit log records sharing, unsharing and moving with the workspace name', async () => {
  const { org, projects, id, second } = await createProject()
  await projects.shareWithWorkspace({ id, workspaceId: second })
  await projects.unshareFromWorkspace({ id, workspaceId: second })
  await projects.shareWithWorkspace({ id, workspaceId: second, primary: true })
  const entries = await app.sql`select action, details from audit where org_id = ${org.id} order by id`
  const details = { name: 'Launch plan', workspaceId: second, workspace: 'Second' }
  expect(entries).toEqual(
    ['project.workspace-added', 'project.workspace-removed', 'project.moved'].map((action) => ({
      action,
      details,
    })),
  )
})
