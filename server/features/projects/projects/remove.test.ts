import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { randomToken } from '../../../security/random.ts'
import { createStoredFile } from '../../../testing/clients/file-client.ts'
import { recordLiveMessages } from '../../../testing/clients/live-messages.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let live: Awaited<ReturnType<typeof recordLiveMessages>>
beforeAll(async () => {
  app = await buildTestApp()
  live = await recordLiveMessages(app)
})
afterAll(() => app.close())

async function createProject() {
  const { person, headers, org } = await app.newUser()
  const { projects, files } = await app.withKey(person, ['files:write'])
  const project = await projects.create({ name: 'Launch plan' })
  const file = await createStoredFile(app, person, { parentId: project.folderId! })
  return { person, headers, org, projects, files, project, file }
}

/** Creates a share link and an invite; the returned function counts those that still exist. */
async function createLinks({ project, person }: Awaited<ReturnType<typeof createProject>>) {
  const { orgId, id } = project
  await app.sql`
    insert into project_shares (org_id, project_id, id, token_hash, access, created_by, created_at, updated_at)
    values (${orgId}, ${id}, ${newId()}, ${Buffer.from(randomToken(16))}, 'view', ${person.id}, now(), now())`
  await app.sql`
    insert into project_invites (org_id, project_id, id, token_hash, role, created_by, created_at, is_mailed)
    values (${orgId}, ${id}, ${newId()}, ${Buffer.from(randomToken(16))}, 'viewer', ${person.id}, now(), false)`
  const count = (table: string) => app.sql`select from ${app.sql(table)} where project_id = ${id}`
  return async () => (await count('project_shares')).length + (await count('project_invites')).length
}

describe('DELETE /projects/:id', () => {
  test('returns the envelope, and the project is NOT_FOUND afterwards', async () => {
    const { headers, project, projects } = await createProject()
    const response = await app.request('DELETE', `/api/v1/projects/${project.slug}`, { headers })
    expect([response.status, response.body]).toEqual([200, { success: true, data: { deleted: true } }])
    const notFound = { code: 'NOT_FOUND' }
    for (const id of [project.id, project.slug]) {
      await expect(projects.get({ id })).rejects.toMatchObject(notFound)
      await expect(projects.update({ id, name: 'x' })).rejects.toMatchObject(notFound)
      await expect(projects.remove({ id })).rejects.toMatchObject(notFound)
    }
    expect((await projects.list({})).items).toEqual([])
  })

  test('deletes the project folder with its contents', async () => {
    const { projects, files, project, file } = await createProject()
    await projects.remove({ id: project.id })
    await expect(files.get({ id: project.folderId! })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(files.get({ id: file.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await files.list({ search: file.name })).items).toEqual([])
  })

  test('revokes its share links and invites, and notifies open clients', async () => {
    const fixture = await createProject()
    const countLinks = await createLinks(fixture)
    expect(await countLinks()).toBe(2)
    await fixture.projects.remove({ id: fixture.project.id })
    expect(await countLinks()).toBe(0)
    await expect.poll(() => live.of(fixture.project.id)).toEqual(['access'])
  })

  test('changes nothing if one step fails', async () => {
    const { headers, projects, files, project, file } = await createProject()
    await app.sql`
      create function refuse() returns trigger language plpgsql as 'begin raise exception $$no$$; end'`
    await app.sql`create trigger refusal before insert on audit for each row execute function refuse()`
    const response = await app.request('DELETE', `/api/v1/projects/${project.id}`, { headers })
    await app.sql`drop trigger refusal on audit`
    expect(response.status).toBe(500)
    expect((await projects.get({ id: project.id })).deletedAt).toBeNull()
    expect((await files.get({ id: file.id })).projectId).toBe(project.id)
    expect((await projects.list({})).items).toHaveLength(1)
  })

  test("is recorded in the audit log, without a private project's name", async () => {
    const { org, project, projects } = await createProject()
    await projects.remove({ id: project.id })
    await projects.undelete({ id: project.id })
    await projects.update({ id: project.id, visibility: 'private' })
    await projects.remove({ id: project.id })
    const entries = await app.sql`
      select action, target, details from audit where org_id = ${org.id} order by id`
    expect(entries).toEqual([
      { action: 'project.deleted', target: project.id, details: { name: 'Launch plan' } },
      { action: 'project.undeleted', target: project.id, details: { name: 'Launch plan' } },
      {
        action: 'project.visibility-changed',
        target: project.id,
        details: { visibility: 'private' },
      },
      { action: 'project.deleted', target: project.id, details: {} },
    ])
  })
})

describe('POST /projects/:id/undelete', () => {
  test('restores the project with its folder and contents, but not its share links', async () => {
    const fixture = await createProject()
    const { projects, files, project, file } = fixture
    const countLinks = await createLinks(fixture)
    await projects.remove({ id: project.id })
    expect((await projects.list({ trashed: 'true' })).items).toMatchObject([
      { id: project.id, deletedAt: expect.any(String) },
    ])
    const restored = await projects.undelete({ id: project.slug })
    expect(restored).toEqual({ ...project, updatedAt: restored.updatedAt })
    expect(await files.get({ id: file.id })).toMatchObject({ projectId: project.id })
    expect((await projects.list({})).items).toEqual([restored])
    expect((await projects.list({ trashed: 'true' })).items).toEqual([])
    expect(await countLinks()).toBe(0)
  })

  test('leaves files in the trash if they were deleted before the project', async () => {
    const { projects, files, project, file } = await createProject()
    await files.remove({ id: file.id })
    await projects.remove({ id: project.id })
    await projects.undelete({ id: project.id })
    expect((await files.list({ parentId: project.folderId! })).items).toEqual([])
    expect((await files.list({ trashed: 'true' })).items).toMatchObject([{ id: file.id }])
  })

  test('returns the same project to concurrent requests', async () => {
    const { projects, project } = await createProject()
    await projects.remove({ id: project.id })
    const [one, two] = await Promise.all([
      projects.undelete({ id: project.id }),
      projects.undelete({ id: project.id }),
    ])
    expect(one).toEqual(two)
  })

  test('restores a private project as private', async () => {
    const { projects, project, org } = await createProject()
    await projects.update({ id: project.id, visibility: 'private' })
    await projects.remove({ id: project.id })
    const colleague = await app.person(org)
    const others = (await app.withKey(colleague)).projects
    expect((await others.list({ trashed: 'true' })).items).toEqual([])
    await expect(others.undelete({ id: project.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await projects.undelete({ id: project.id })
    expect((await others.list({})).items).toEqual([])
  })

  test('is FORBIDDEN for viewers', async () => {
    const { projects, project, org } = await createProject()
    await projects.remove({ id: project.id })
    const viewer = await app.person(org)
    await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
    const others = (await app.withKey(viewer)).projects
    expect((await others.list({ trashed: 'true' })).items).toMatchObject([{ canEdit: false }])
    await expect(others.undelete({ id: project.id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('project visibility', () => {
  test('controls which members see it, and a change makes open clients recheck access', async () => {
    const { projects, project, org } = await createProject()
    const others = (await app.withKey(await app.person(org))).projects
    // PostgreSQL sends equal notifications of one batch once, so each change awaits the message of the one before.
    const expectMessages = (...kinds: string[]) => expect.poll(() => live.of(project.id)).toEqual(kinds)
    await projects.update({ id: project.id, visibility: 'private' })
    expect((await others.list({})).items).toEqual([])
    await expect(others.get({ id: project.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expectMessages('access', 'project')
    await projects.update({ id: project.id, visibility: 'team' })
    expect((await others.list({})).items).toHaveLength(1)
    await expectMessages('access', 'project', 'access', 'project')
    await projects.update({ id: project.id, emoji: '🎉' })
    await expectMessages('access', 'project', 'access', 'project', 'project')
  })

  test("can be set to private only by the creator, which revokes other members' links", async () => {
    const fixture = await createProject()
    const { project, org, projects } = fixture
    const admin = await app.person(org, { role: 'admin' })
    const others = (await app.withKey(admin)).projects
    await expect(
      others.update({ id: project.id, visibility: 'private', name: 'Mine' }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'creator_only' },
    })
    expect((await projects.get({ id: project.id })).name).toBe('Launch plan')
    const countLinks = await createLinks({ ...fixture, person: admin })
    await projects.update({ id: project.id, visibility: 'private' })
    expect(await countLinks()).toBe(0)
  })
})
