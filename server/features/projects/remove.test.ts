import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../security/ids.ts'
import { randomToken } from '../../security/random.ts'
import { createStoredFile } from '../../testing/clients/file-client.ts'
import { recordLiveMessages } from '../../testing/clients/live-messages.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let live: Awaited<ReturnType<typeof recordLiveMessages>>
beforeAll(async () => {
  app = await buildTestApp()
  live = await recordLiveMessages(app)
})
afterAll(() => app.close())

async function someProject() {
  const { person, headers, org } = await app.newcomer()
  const { projects, files } = await app.withKey(person, ['files:write'])
  const project = await projects.create({ name: 'Launch plan' })
  const file = await createStoredFile(app, person, { parentId: project.folderId! })
  return { person, headers, org, projects, files, project, file }
}

async function shareLinks({ project, person }: Awaited<ReturnType<typeof someProject>>) {
  const { orgId, id } = project
  await app.sql`
    insert into project_shares (org_id, project_id, id, token_hash, access, created_by, created_at, updated_at)
    values (${orgId}, ${id}, ${newId()}, ${Buffer.from(randomToken(16))}, 'view', ${person.id}, now(), now())`
  await app.sql`
    insert into project_invites (org_id, project_id, id, token_hash, role, created_by, created_at)
    values (${orgId}, ${id}, ${newId()}, ${Buffer.from(randomToken(16))}, 'viewer', ${person.id}, now())`
  const count = (table: string) => app.sql`select from ${app.sql(table)} where project_id = ${id}`
  return async () => (await count('project_shares')).length + (await count('project_invites')).length
}

describe('deleting a project', () => {
  test('answers in the envelope, and from then on it is NOT_FOUND', async () => {
    const { headers, project, projects } = await someProject()
    const answer = await app.request('DELETE', `/api/v1/projects/${project.slug}`, { headers })
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { deleted: true } }])
    const gone = { code: 'NOT_FOUND' }
    for (const id of [project.id, project.slug]) {
      await expect(projects.get({ id })).rejects.toMatchObject(gone)
      await expect(projects.update({ id, name: 'x' })).rejects.toMatchObject(gone)
      await expect(projects.remove({ id })).rejects.toMatchObject(gone)
    }
    expect((await projects.list({})).items).toEqual([])
  })

  test('takes its folder and everything in it along', async () => {
    const { projects, files, project, file } = await someProject()
    await projects.remove({ id: project.id })
    await expect(files.get({ id: project.folderId! })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(files.get({ id: file.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await files.list({ search: file.name })).items).toEqual([])
  })

  test('ends its share links and invites, and tells whoever has it open', async () => {
    const world = await someProject()
    const links = await shareLinks(world)
    expect(await links()).toBe(2)
    await world.projects.remove({ id: world.project.id })
    expect(await links()).toBe(0)
    await expect.poll(() => live.of(world.project.id)).toEqual(['access'])
  })

  test('is all or nothing', async () => {
    const { headers, projects, files, project, file } = await someProject()
    await app.sql`
      create function refuse() returns trigger language plpgsql as 'begin raise exception $$no$$; end'`
    await app.sql`create trigger refusal before insert on audit for each row execute function refuse()`
    const answer = await app.request('DELETE', `/api/v1/projects/${project.id}`, { headers })
    await app.sql`drop trigger refusal on audit`
    expect(answer.status).toBe(500)
    expect((await projects.get({ id: project.id })).deletedAt).toBeNull()
    expect((await files.get({ id: file.id })).projectId).toBe(project.id)
    expect((await projects.list({})).items).toHaveLength(1)
  })

  test('is written down; a private one without its name', async () => {
    const { org, project, projects } = await someProject()
    await projects.remove({ id: project.id })
    await projects.undelete({ id: project.id })
    await projects.update({ id: project.id, visibility: 'private' })
    await projects.remove({ id: project.id })
    const acts = await app.sql`
      select action, target, details from audit where org_id = ${org.id} order by id`
    expect(acts).toEqual([
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

describe('bringing a deleted project back', () => {
  test('brings it as it was, with its folder and all that is in it, but without its share links', async () => {
    const world = await someProject()
    const { projects, files, project, file } = world
    const links = await shareLinks(world)
    await projects.remove({ id: project.id })
    expect((await projects.list({ trashed: 'true' })).items).toMatchObject([
      { id: project.id, deletedAt: expect.any(String) },
    ])
    const back = await projects.undelete({ id: project.slug })
    expect(back).toEqual({ ...project, updatedAt: back.updatedAt })
    expect(await files.get({ id: file.id })).toMatchObject({ projectId: project.id })
    expect((await projects.list({})).items).toEqual([back])
    expect((await projects.list({ trashed: 'true' })).items).toEqual([])
    expect(await links()).toBe(0)
  })

  test('leaves in the trash what was there before', async () => {
    const { projects, files, project, file } = await someProject()
    await files.remove({ id: file.id })
    await projects.remove({ id: project.id })
    await projects.undelete({ id: project.id })
    expect((await files.list({ parentId: project.folderId! })).items).toEqual([])
    expect((await files.list({ trashed: 'true' })).items).toMatchObject([{ id: file.id }])
  })

  test('is the same the second time', async () => {
    const { projects, project } = await someProject()
    await projects.remove({ id: project.id })
    const [one, two] = await Promise.all([
      projects.undelete({ id: project.id }),
      projects.undelete({ id: project.id }),
    ])
    expect(one).toEqual(two)
  })

  test('keeps private what was private', async () => {
    const { projects, project, org } = await someProject()
    await projects.update({ id: project.id, visibility: 'private' })
    await projects.remove({ id: project.id })
    const colleague = await app.person(org)
    const theirs = (await app.withKey(colleague)).projects
    expect((await theirs.list({ trashed: 'true' })).items).toEqual([])
    await expect(theirs.undelete({ id: project.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await projects.undelete({ id: project.id })
    expect((await theirs.list({})).items).toEqual([])
  })

  test('is not for viewers', async () => {
    const { projects, project, org } = await someProject()
    await projects.remove({ id: project.id })
    const viewer = await app.person(org)
    await app.seat(viewer, org.workspaceId, 'viewer')
    const theirs = (await app.withKey(viewer)).projects
    expect((await theirs.list({ trashed: 'true' })).items).toMatchObject([{ canEdit: false }])
    await expect(theirs.undelete({ id: project.id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('who may see a project', () => {
  test('changes with its visibility: the list follows, and whoever has it open is let in anew', async () => {
    const { projects, project, org } = await someProject()
    const theirs = (await app.withKey(await app.person(org))).projects
    await projects.update({ id: project.id, visibility: 'private' })
    expect((await theirs.list({})).items).toEqual([])
    await expect(theirs.get({ id: project.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await projects.update({ id: project.id, visibility: 'team' })
    expect((await theirs.list({})).items).toHaveLength(1)
    await projects.update({ id: project.id, emoji: '🎉' })
    const words = ['access', 'project', 'access', 'project', 'project']
    await expect.poll(() => live.of(project.id)).toEqual(words)
  })

  test('is made private by its creator alone, which ends the links that others made', async () => {
    const world = await someProject()
    const { project, org, projects } = world
    const admin = await app.person(org, { role: 'admin' })
    const theirs = (await app.withKey(admin)).projects
    await expect(
      theirs.update({ id: project.id, visibility: 'private', name: 'Mine' }),
    ).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'creator_only' },
    })
    expect((await projects.get({ id: project.id })).name).toBe('Launch plan')
    const links = await shareLinks({ ...world, person: admin })
    await projects.update({ id: project.id, visibility: 'private' })
    expect(await links()).toBe(0)
  })
})
