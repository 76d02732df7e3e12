import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordLiveMessages } from '../../testing/clients/live-messages.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let live: Awaited<ReturnType<typeof recordLiveMessages>>
beforeAll(async () => {
  app = await buildTestApp()
  live = await recordLiveMessages(app)
})
afterAll(() => app.close())

/** A project of somebody who works in two workspaces, and a colleague who is in the second only. */
async function world() {
  const org = await app.organization()
  const [home, further] = [org.workspaceId, await app.workspace(org, 'Further')]
  const [creator, colleague] = [await app.person(org), await app.person(org)]
  await app.seat(creator, further, 'editor')
  await app.seat(colleague, home, null)
  await app.seat(colleague, further, 'editor')
  const projects = (await app.withKey(creator)).projects
  const theirs = (await app.withKey(colleague)).projects
  const project = await projects.create({ name: 'Launch plan' })
  return { org, home, further, creator, colleague, projects, theirs, project, id: project.id }
}

const NOT_FOUND = { code: 'NOT_FOUND' }

describe('sharing a project into a further workspace', () => {
  test('shows it to the people there, with its name among the shared ones', async () => {
    const { projects, theirs, id, home, further } = await world()
    await expect(theirs.get({ id })).rejects.toMatchObject(NOT_FOUND)
    const shared = await projects.shareWithWorkspace({ id, workspaceId: further })
    expect(shared).toMatchObject({ workspaceId: home, sharedWorkspaces: [{ id: further, name: 'Further' }] })
    expect(await theirs.get({ id: 'launch-plan' })).toEqual(shared)
    expect((await theirs.list({})).items.map((item) => item.id)).toEqual([id])
    expect(await projects.shareWithWorkspace({ id, workspaceId: further })).toMatchObject({
      sharedWorkspaces: [{ id: further }],
    })
    await expect.poll(() => live.of(id)).toEqual(['access', 'access'])
  })

  test('answers 201, and is a new version', async () => {
    const { creator, id, further } = await world()
    const headers = { authorization: `Bearer ${(await app.key(creator)).key}` }
    const read = () => app.request('GET', `/api/v1/projects/${id}`, { headers })
    const etag = (await read()).headers.get('etag')
    const body = { workspaceId: further }
    expect((await app.request('POST', `/api/v1/projects/${id}/workspaces`, { headers, body })).status).toBe(
      201,
    )
    expect((await read()).headers.get('etag')).not.toBe(etag)
  })

  test('shows a private project to nobody before it is opened to its team', async () => {
    const { projects, theirs, id, further } = await world()
    await projects.update({ id, visibility: 'private' })
    await projects.shareWithWorkspace({ id, workspaceId: further })
    expect((await theirs.list({})).items).toEqual([])
    await expect(theirs.get({ id })).rejects.toMatchObject(NOT_FOUND)
    await projects.update({ id, visibility: 'team' })
    expect((await theirs.list({})).items).toHaveLength(1)
  })

  test('is FORBIDDEN where the caller cannot work: not theirs, looking only, deleted, another organization’s', async () => {
    const { org, projects, id, creator } = await world()
    const [unseen, looking, deleted] = [
      await app.workspace(org),
      await app.workspace(org),
      await app.workspace(org),
    ]
    await app.seat(creator, looking, 'viewer')
    await app.seat(creator, deleted, 'editor')
    await app.sql`update workspaces set deleted_at = now() where id = ${deleted}`
    const other = await app.organization()
    for (const workspaceId of [unseen, looking, deleted, other.workspaceId, id]) {
      await expect(projects.shareWithWorkspace({ id, workspaceId })).rejects.toMatchObject({
        code: 'FORBIDDEN',
        details: { reason: 'no_workspace_access' },
      })
    }
    expect((await projects.get({ id })).sharedWorkspaces).toEqual([])
  })

  test('is not for those who may only look at the project, or not even that', async () => {
    const { org, theirs, id, further, home, colleague } = await world()
    await expect(theirs.shareWithWorkspace({ id, workspaceId: further })).rejects.toMatchObject(NOT_FOUND)
    await app.seat(colleague, home, 'viewer')
    await expect(theirs.shareWithWorkspace({ id, workspaceId: further })).rejects.toMatchObject({
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

describe('moving a project', () => {
  test('gives it another home, and takes it out of the old one', async () => {
    const { projects, theirs, id, home, further } = await world()
    const moved = await projects.shareWithWorkspace({ id, workspaceId: further, primary: true })
    expect(moved).toMatchObject({ workspaceId: further, sharedWorkspaces: [] })
    expect((await projects.list({ workspaceId: home })).items).toEqual([])
    expect((await theirs.list({ workspaceId: further })).items).toHaveLength(1)
  })

  test('to where it is at home already changes nothing', async () => {
    const { projects, id, home } = await world()
    const same = await projects.shareWithWorkspace({ id, workspaceId: home, primary: true })
    expect(same).toMatchObject({ workspaceId: home, sharedWorkspaces: [] })
    expect((await projects.list({ workspaceId: home })).items).toHaveLength(1)
  })
})

describe('taking a project out of a workspace', () => {
  test('hides it from the people there', async () => {
    const { projects, theirs, id, further } = await world()
    await projects.shareWithWorkspace({ id, workspaceId: further })
    const out = await projects.unshareFromWorkspace({ id, workspaceId: further })
    expect(out.sharedWorkspaces).toEqual([])
    await expect(theirs.get({ id })).rejects.toMatchObject(NOT_FOUND)
    expect((await theirs.list({})).items).toEqual([])
    await expect.poll(() => live.of(id)).toEqual(['access', 'access'])
  })

  test('may be what takes away one’s own way in', async () => {
    const { projects, theirs, id, further } = await world()
    await projects.shareWithWorkspace({ id, workspaceId: further })
    expect(await theirs.unshareFromWorkspace({ id, workspaceId: further })).toMatchObject({ id })
    await expect(theirs.get({ id })).rejects.toMatchObject(NOT_FOUND)
  })

  test('is a CONFLICT for its home, and NOT_FOUND where it is not', async () => {
    const { projects, id, home, further } = await world()
    for (const workspaceId of [home, home.toUpperCase()]) {
      await expect(projects.unshareFromWorkspace({ id, workspaceId })).rejects.toMatchObject({
        code: 'CONFLICT',
      })
    }
    await expect(projects.unshareFromWorkspace({ id, workspaceId: further })).rejects.toMatchObject(NOT_FOUND)
  })
})

test('all of it is written down, with the name of the workspace', async () => {
  const { org, projects, id, home, further } = await world()
  await projects.shareWithWorkspace({ id, workspaceId: further })
  await projects.unshareFromWorkspace({ id, workspaceId: further })
  await projects.shareWithWorkspace({ id, workspaceId: further, primary: true })
  const acts = await app.sql`select action, details from audit where org_id = ${org.id} order by id`
  const details = { name: 'Launch plan', workspaceId: further, workspace: 'Further' }
  expect(acts).toEqual(
    ['project.workspace-added', 'project.workspace-removed', 'project.moved'].map((action) => ({
      action,
      details,
    })),
  )
  expect(home).toBe(org.workspaceId)
})
