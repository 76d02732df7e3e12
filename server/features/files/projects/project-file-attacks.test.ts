import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createStoredFile, recordOf } from '../../../testing/clients/file-client.ts'
import { type ProjectRole, seedProjectMembers } from '../../../testing/factories/project-members.ts'
import { guestHeaders, tokenIn } from '../../../testing/factories/sharing.ts'
import { upload } from '../../../testing/factories/uploads.ts'
import { buildTestApp, type Headers, type TestApp } from '../../../testing/test-app.ts'
import { expectValidTrees } from '../../../testing/tree-check.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(async () => {
  await expectValidTrees(app.sql)
  await app.close()
})

let world: Awaited<ReturnType<typeof seedProjectMembers>>
beforeEach(async () => {
  world = await seedProjectMembers(app)
})

const files = (role: ProjectRole) => app.as(world.headers[role]).files
type Query = Parameters<ReturnType<typeof files>['list']>[0]
const names = async (role: ProjectRole, query: Query = {}) =>
  (await files(role).list(query)).items.map(({ name }) => name)
const put = (name: string, parentId: string, more: { tags?: string[] } = {}) =>
  createStoredFile(app, world.people.creator, { name, parentId, ...more })
const folder = async (role: ProjectRole, where: { name: string; parentId?: string; projectId?: string }) =>
  recordOf(await files(role).create({ source: 'folder', ...where }))
const purge = async (role: ProjectRole, id: string) => {
  await files(role).remove({ id })
  await files(role).remove({ id, permanent: 'true' })
}
const hide = (projectId: string) => app.sql`
  with gone as (update project_workspaces set listed = false where project_id = ${projectId})
  update projects set visibility = 'private' where id = ${projectId}`
const missing = expect.objectContaining({ code: 'NOT_FOUND' })

describe('somebody who may not see a project', () => {
  test('does not see its folder in the root, on whichever page', async () => {
    for (const name of ['a', 'c', 'e']) await world.project('private', name)
    for (const name of ['b', 'd']) await world.project('team', name)
    await put('f', world.org.id)
    const paged = async (role: ProjectRole) => {
      const first = await files(role).list({ limit: 2 })
      const [second, byPage] = [
        await files(role).list({ limit: 2, cursor: first.nextCursor! }),
        await files(role).list({ limit: 2, page: 2 }),
      ]
      expect(byPage.items).toEqual(second.items)
      return [...first.items, ...second.items].map(({ name }) => name)
    }
    expect(await paged('creator')).toEqual(['a', 'b', 'c', 'd'])
    expect(await paged('admin')).toEqual(['b', 'd', 'f'])
    expect(await paged('viewer')).toEqual(['b', 'd', 'f'])
    for (const sort of ['name', 'newest', 'largest'] as const)
      expect(await names('outsider', { sort })).toEqual(['f'])
    expect(await names('outsider', { source: 'folder' })).toEqual([])
  })

  test('sees no more of the root by calling it by its id, in whichever case', async () => {
    await world.project('private', 'secret')
    await put('open', world.org.id)
    for (const id of [world.org.id, world.org.id.toUpperCase()]) {
      await expect(files('outsider').list({ parentId: id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      await expect(folder('outsider', { name: 'x', parentId: id })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
    }
  })

  test('finds nothing of it by name or by tag, nor in the trash', async () => {
    const hidden = await world.project('private', 'secret plan')
    const shown = await world.project('team', 'secret party')
    for (const { folderId } of [hidden, shown]) {
      await put(`secret of ${folderId === hidden.folderId ? 'one' : 'all'}`, folderId, { tags: ['secret'] })
      const { id } = await put(`deleted secret of ${folderId === hidden.folderId ? 'one' : 'all'}`, folderId)
      await files('creator').remove({ id })
    }
    const all = {
      name: ['secret party', 'secret of all'],
      tag: ['secret of all'],
      trash: ['deleted secret of all'],
    }
    const seen = async (role: ProjectRole) => ({
      name: await names(role, { search: 'secret' }),
      tag: await names(role, { tag: 'secret' }),
      trash: await names(role, { trashed: 'true' }),
    })
    for (const role of ['admin', 'editor', 'viewer'] as const) expect(await seen(role), role).toEqual(all)
    for (const role of ['outsider', 'stranger'] as const)
      expect(await seen(role)).toEqual({ name: [], tag: [], trash: [] })
    expect(await names('outsider', { trashed: 'true', search: 'secret' })).toEqual([])
    expect(await names('creator', { trashed: 'true', search: 'one' })).toEqual(['deleted secret of one'])
    expect((await seen('creator')).name).toHaveLength(4)
  })

  test('gets nothing through a link to it, but the link', async () => {
    const project = await world.project('team')
    const fields = { parentId: project.folderId }
    const target = (await upload(app, world.headers.creator, 'hello', { fields })).body.data
    const { id: parentId } = await folder('creator', { name: 'links' })
    const { id } = recordOf(
      await files('editor').create({ source: 'link', targetFileId: target.id, parentId }),
    )
    expect(await files('viewer').get({ id })).toMatchObject({ targetMissing: false, sha256: target.sha256 })
    expect(await files('outsider').get({ id })).toMatchObject({ targetMissing: true, sha256: null })
    expect((await files('outsider').list({ parentId })).items[0]).toMatchObject({ targetMissing: true })
    const paths = [`/${id}?download=true`, `/${id}?download=true&inline=true`, `/${id}/preview`]
    const read = (role: ProjectRole, path: string) =>
      app.request('GET', `/api/v1/files${path}`, { headers: world.headers[role] })
    for (const path of paths) {
      expect((await read('outsider', path)).status).toBe(404)
      expect((await read('viewer', path)).status).toBeLessThan(400)
    }
    expect((await read('outsider', `/${parentId}/archive`)).text).not.toContain('notes.txt')
    expect((await read('viewer', `/${parentId}/archive`)).text).toContain('notes.txt')
    await expect(files('outsider').create({ source: 'link', targetFileId: id })).rejects.toEqual(missing)
    expect(await files('outsider').update({ id, tags: ['x'] })).toMatchObject({
      targetMissing: true,
      sha256: null,
    })
  })

  test('loses it with the project, but not a copy, nor an address that was handed out', async () => {
    const project = await world.project('team')
    const fields = { parentId: project.folderId }
    const { id } = (await upload(app, world.headers.creator, 'hello', { fields })).body.data
    const copy = await files('editor').copy({ id, parentId: null })
    const headers = world.headers.editor
    const address = (await app.request('GET', `/api/v1/files/${id}?download=true`, { headers })).headers.get(
      'location',
    )!
    await hide(project.id)
    await expect(files('editor').get({ id })).rejects.toEqual(missing)
    expect(await (await fetch(address)).text()).toBe('hello')
    const inline = `/api/v1/files/${copy.id}?download=true&inline=true`
    expect((await app.request('GET', inline, { headers: world.headers.outsider })).text).toBe('hello')
    const { folderId } = await world.project('private')
    await files('creator').copy({ id, parentId: folderId })
    await files('creator').remove({ id: copy.id })
    await files('outsider').remove({ id: copy.id, permanent: 'true' })
    const mine = `/api/v1/files/${id}?download=true&inline=true`
    expect((await app.request('GET', mine, { headers: world.headers.creator })).text).toBe('hello')
  })
})

describe('a guest of a share link', () => {
  test('reads the files that blocks show, but through no link out of the project', async () => {
    const project = await world.project('team')
    const send = async (content: string, fields: Record<string, string>) =>
      (await upload(app, world.headers.creator, content, { fields })).body.data.id as string
    const own = await send('inside', { parentId: project.folderId })
    const targets = [
      own,
      await send('outside', {}),
      await send('hidden', { parentId: (await world.project('private')).folderId }),
    ]
    const creator = app.as(world.headers.creator)
    const blocks: string[] = []
    for (const targetFileId of targets) {
      const link = await creator.files.create({ source: 'link', targetFileId, parentId: project.folderId })
      const made = { projectId: project.id, type: 'file' as const, fileId: recordOf(link).id }
      blocks.push((await creator.canvas.create(made)).id)
    }
    const { url } = await creator.sharing.share({ projectId: project.id })
    const guest = await guestHeaders(app, tokenIn({ url }))
    const read = async (headers: Headers) => {
      const path = `/api/v1/projects/${project.id}/blocks`
      const answers = blocks.map((id) => app.request('GET', `${path}/${id}/file`, { headers }))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await read(world.headers.creator)).toEqual([200, 200, 200])
    expect(await read(world.headers.viewer)).toEqual([200, 200, 404])
    expect(await read(guest)).toEqual([200, 404, 404])
    for (const path of ['', `/${own}`, `?projectId=${project.id}`]) {
      expect((await app.request('GET', `/api/v1/files${path}`, { headers: guest })).status).toBe(401)
    }
  })
})

describe('a deleted project', () => {
  test('is not in the trash of files, and nothing of it is brought back or purged there', async () => {
    const project = await world.project('team')
    const kept = await put('kept.txt', project.folderId)
    const before = await put('deleted before.txt', project.folderId)
    await files('creator').remove({ id: before.id })
    await app.as(world.headers.creator).projects.remove({ id: project.id })
    for (const role of ['creator', 'admin'] as const) {
      expect(await names(role, { trashed: 'true' })).toEqual([])
      for (const id of [project.folderId, kept.id, before.id]) {
        await expect(files(role).restore({ id })).rejects.toEqual(missing)
        await expect(files(role).restore({ id, parentId: null })).rejects.toEqual(missing)
        await expect(files(role).remove({ id, permanent: 'true' })).rejects.toEqual(missing)
        await expect(files(role).get({ id })).rejects.toEqual(missing)
      }
    }
    await app.as(world.headers.creator).projects.undelete({ id: project.id })
    expect(await names('viewer', { trashed: 'true' })).toEqual(['deleted before.txt'])
    expect(await names('viewer', { projectId: project.id })).toEqual(['kept.txt'])
  })
})

describe('the trash of a project', () => {
  test('stays in the project, also when the folder around it is purged', async () => {
    const project = await world.project('private')
    const around = await folder('creator', { name: 'around', projectId: project.id })
    const { id } = await put('secret.txt', around.id)
    await files('creator').remove({ id })
    await purge('creator', around.id)
    expect(await names('admin', { trashed: 'true' })).toEqual([])
    await expect(files('admin').restore({ id })).rejects.toEqual(missing)
    await files('creator').restore({ id })
    expect(await files('creator').get({ id })).toMatchObject({ projectId: project.id })
    const [act] = (await app.as(world.headers.admin).organization.audit({})).items
    expect(act).toMatchObject({ action: 'file.purged', details: { projectId: project.id } })
  })

  test('is not reached by the name of a folder that somebody else deleted', async () => {
    const plans = await folder('outsider', { name: 'Plans' })
    const { id } = await createStoredFile(app, world.people.outsider, { parentId: plans.id })
    await files('outsider').remove({ id })
    await purge('outsider', plans.id)
    const hidden = await world.project('private', 'Plans')
    await files('outsider').restore({ id })
    expect(await files('outsider').get({ id })).toMatchObject({
      projectId: null,
      ancestors: [{ name: 'Plans' }],
    })
    expect(await names('creator', { projectId: hidden.id })).toEqual([])
  })

  test('is not where something goes back to, for somebody who may not see where it was', async () => {
    const outer = await folder('outsider', { name: 'outer' })
    const inner = await folder('outsider', { name: 'inner', parentId: outer.id })
    const { id } = await createStoredFile(app, world.people.outsider, { parentId: inner.id })
    await files('outsider').remove({ id })
    await purge('outsider', inner.id)
    const hidden = await world.project('private')
    await files('creator').update({ id: outer.id, parentId: hidden.folderId })
    await files('outsider').restore({ id })
    expect((await files('outsider').get({ id })).ancestors.map(({ name }) => name)).toEqual([
      'outer',
      'inner',
    ])
    expect(await names('creator', { parentId: outer.id })).toEqual([])
  })
})
