import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createdRecord, createStoredFile } from '../../../../testing/clients/file-client.ts'
import { type ProjectRole, seedProjectMembers } from '../../../../testing/factories/project-members.ts'
import { guestHeaders, tokenIn } from '../../../../testing/factories/sharing.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { buildTestApp, type Headers, type TestApp } from '../../../../testing/test-app.ts'
import { expectValidTrees } from '../../../../testing/tree-check.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(async () => {
  await expectValidTrees(app.sql)
  await app.close()
})

let members: Awaited<ReturnType<typeof seedProjectMembers>>
beforeEach(async () => {
  members = await seedProjectMembers(app)
})

const files = (role: ProjectRole) => app.as(members.headers[role]).files
type Query = Parameters<ReturnType<typeof files>['list']>[0]
const names = async (role: ProjectRole, query: Query = {}) =>
  (await files(role).list(query)).items.map(({ name }) => name)
const createFile = (name: string, parentId: string, overrides: { tags?: string[] } = {}) =>
  createStoredFile(app, members.people.creator, { name, parentId, ...overrides })
const folder = async (role: ProjectRole, where: { name: string; parentId?: string; projectId?: string }) =>
  createdRecord(await files(role).create({ source: 'folder', ...where }))
const purge = async (role: ProjectRole, id: string) => {
  await files(role).remove({ id })
  await files(role).remove({ id, permanent: 'true' })
}
const hide = (projectId: string) => app.sql`
  with gone as (update project_workspaces set listed = false where project_id = ${projectId})
  update projects set visibility = 'private' where id = ${projectId}`
const notFound = expect.objectContaining({ code: 'NOT_FOUND' })

describe('a member without access to a project', () => {
  test('does not see its folder on any page of the root', async () => {
    for (const name of ['a', 'c', 'e']) await members.project('private', name)
    for (const name of ['b', 'd']) await members.project('team', name)
    await createFile('f', members.org.id)
    const readTwoPages = async (role: ProjectRole) => {
      const first = await files(role).list({ limit: 2 })
      const [second, byPage] = [
        await files(role).list({ limit: 2, cursor: first.nextCursor! }),
        await files(role).list({ limit: 2, page: 2 }),
      ]
      expect(byPage.items).toEqual(second.items)
      return [...first.items, ...second.items].map(({ name }) => name)
    }
    expect(await readTwoPages('creator')).toEqual(['a', 'b', 'c', 'd'])
    expect(await readTwoPages('admin')).toEqual(['b', 'd', 'f'])
    expect(await readTwoPages('viewer')).toEqual(['b', 'd', 'f'])
    for (const sort of ['name', 'newest', 'largest'] as const)
      expect(await names('outsider', { sort })).toEqual(['f'])
    expect(await names('outsider', { source: 'folder' })).toEqual([])
  })

  test("can't list or extend the root by its id in either letter case", async () => {
    await members.project('private', 'secret')
    await createFile('open', members.org.id)
    for (const id of [members.org.id, members.org.id.toUpperCase()]) {
      await expect(files('outsider').list({ parentId: id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      await expect(folder('outsider', { name: 'x', parentId: id })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
    }
  })

  test('finds none of its files by name, by tag or in the trash', async () => {
    const hidden = await members.project('private', 'secret plan')
    const shown = await members.project('team', 'secret party')
    for (const { folderId } of [hidden, shown]) {
      await createFile(`secret of ${folderId === hidden.folderId ? 'one' : 'all'}`, folderId, {
        tags: ['secret'],
      })
      const { id } = await createFile(
        `deleted secret of ${folderId === hidden.folderId ? 'one' : 'all'}`,
        folderId,
      )
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

  test("sees a link to one of its files without the target's content or hash", async () => {
    const project = await members.project('team')
    const fields = { parentId: project.folderId }
    const target = (await upload(app, members.headers.creator, 'hello', { fields })).body.data
    const { id: parentId } = await folder('creator', { name: 'links' })
    const { id } = createdRecord(
      await files('editor').create({ source: 'link', targetFileId: target.id, parentId }),
    )
    expect(await files('viewer').get({ id })).toMatchObject({ targetMissing: false, sha256: target.sha256 })
    expect(await files('outsider').get({ id })).toMatchObject({ targetMissing: true, sha256: null })
    expect((await files('outsider').list({ parentId })).items[0]).toMatchObject({ targetMissing: true })
    const paths = [`/${id}?download=true`, `/${id}?download=true&inline=true`, `/${id}/preview`]
    const read = (role: ProjectRole, path: string) =>
      app.request('GET', `/api/v1/files${path}`, { headers: members.headers[role] })
    for (const path of paths) {
      expect((await read('outsider', path)).status).toBe(404)
      expect((await read('viewer', path)).status).toBeLessThan(400)
    }
    expect((await read('outsider', `/${parentId}/archive`)).text).not.toContain('notes.txt')
    expect((await read('viewer', `/${parentId}/archive`)).text).toContain('notes.txt')
    await expect(files('outsider').create({ source: 'link', targetFileId: id })).rejects.toEqual(notFound)
    expect(await files('outsider').update({ id, tags: ['x'] })).toMatchObject({
      targetMissing: true,
      sha256: null,
    })
  })

  test('keeps a copy and an issued download URL from earlier access', async () => {
    const project = await members.project('team')
    const fields = { parentId: project.folderId }
    const { id } = (await upload(app, members.headers.creator, 'hello', { fields })).body.data
    const copy = await files('editor').copy({ id, parentId: null })
    const headers = members.headers.editor
    const downloadUrl = (
      await app.request('GET', `/api/v1/files/${id}?download=true`, { headers })
    ).headers.get('location')!
    await hide(project.id)
    await expect(files('editor').get({ id })).rejects.toEqual(notFound)
    expect(await (await fetch(downloadUrl)).text()).toBe('hello')
    const inline = `/api/v1/files/${copy.id}?download=true&inline=true`
    expect((await app.request('GET', inline, { headers: members.headers.outsider })).text).toBe('hello')
    const { folderId } = await members.project('private')
    await files('creator').copy({ id, parentId: folderId })
    await files('creator').remove({ id: copy.id })
    await files('editor').remove({ id: copy.id, permanent: 'true' })
    const mine = `/api/v1/files/${id}?download=true&inline=true`
    expect((await app.request('GET', mine, { headers: members.headers.creator })).text).toBe('hello')
  })
})

describe('a share link guest', () => {
  test('reads files in blocks, except through links to files outside the project', async () => {
    const project = await members.project('team')
    const send = async (content: string, fields: Record<string, string>) =>
      (await upload(app, members.headers.creator, content, { fields })).body.data.id as string
    const own = await send('inside', { parentId: project.folderId })
    const targets = [
      own,
      await send('outside', {}),
      await send('hidden', { parentId: (await members.project('private')).folderId }),
    ]
    const creator = app.as(members.headers.creator)
    const blocks: string[] = []
    for (const targetFileId of targets) {
      const link = await creator.files.create({ source: 'link', targetFileId, parentId: project.folderId })
      const block = { projectId: project.id, type: 'file' as const, fileId: createdRecord(link).id }
      blocks.push((await creator.canvas.create(block)).id)
    }
    const { url } = await creator.sharing.share({ projectId: project.id })
    const guest = await guestHeaders(app, tokenIn({ url }))
    const read = async (headers: Headers) => {
      const path = `/api/v1/projects/${project.id}/blocks`
      const answers = blocks.map((id) => app.request('GET', `${path}/${id}/file`, { headers }))
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await read(members.headers.creator)).toEqual([200, 200, 200])
    expect(await read(members.headers.viewer)).toEqual([200, 200, 404])
    expect(await read(guest)).toEqual([200, 404, 404])
    for (const path of ['', `/${own}`, `?projectId=${project.id}`]) {
      expect((await app.request('GET', `/api/v1/files${path}`, { headers: guest })).status).toBe(401)
    }
  })
})

describe('a deleted project', () => {
  test("is hidden from the trash, and its files can't be restored or purged", async () => {
    const project = await members.project('team')
    const remaining = await createFile('remaining.txt', project.folderId)
    const before = await createFile('deleted before.txt', project.folderId)
    await files('creator').remove({ id: before.id })
    await app.as(members.headers.creator).projects.remove({ id: project.id })
    for (const role of ['creator', 'admin'] as const) {
      expect(await names(role, { trashed: 'true' })).toEqual([])
      for (const id of [project.folderId, remaining.id, before.id]) {
        await expect(files(role).restore({ id })).rejects.toEqual(notFound)
        await expect(files(role).restore({ id, parentId: null })).rejects.toEqual(notFound)
        await expect(files(role).remove({ id, permanent: 'true' })).rejects.toEqual(notFound)
        await expect(files(role).get({ id })).rejects.toEqual(notFound)
      }
    }
    await app.as(members.headers.creator).projects.undelete({ id: project.id })
    expect(await names('viewer', { trashed: 'true' })).toEqual(['deleted before.txt'])
    expect(await names('viewer', { projectId: project.id })).toEqual(['remaining.txt'])
  })
})

describe('a private project', () => {
  test('retains its trashed files after the enclosing folder is purged', async () => {
    const project = await members.project('private')
    const enclosing = await folder('creator', { name: 'around', projectId: project.id })
    const { id } = await createFile('secret.txt', enclosing.id)
    await files('creator').remove({ id })
    await purge('creator', enclosing.id)
    expect(await names('admin', { trashed: 'true' })).toEqual([])
    await expect(files('admin').restore({ id })).rejects.toEqual(notFound)
    await files('creator').restore({ id })
    expect(await files('creator').get({ id })).toMatchObject({ projectId: project.id })
    const [entry] = (await app.as(members.headers.admin).organization.audit({})).items
    expect(entry).toMatchObject({ action: 'file.purged', details: { projectId: project.id } })
  })

  test("doesn't receive a restored file whose purged folder has the project's name", async () => {
    const plans = await folder('outsider', { name: 'Plans' })
    const { id } = await createStoredFile(app, members.people.outsider, { parentId: plans.id })
    await files('outsider').remove({ id })
    await purge('outsider', plans.id)
    const hidden = await members.project('private', 'Plans')
    await files('outsider').restore({ id })
    expect(await files('outsider').get({ id })).toMatchObject({
      projectId: null,
      ancestors: [{ name: 'Plans' }],
    })
    expect(await names('creator', { projectId: hidden.id })).toEqual([])
  })

  test("doesn't receive a file restored by a member who can't see its former folder", async () => {
    const outer = await folder('outsider', { name: 'outer' })
    const inner = await folder('outsider', { name: 'inner', parentId: outer.id })
    const { id } = await createStoredFile(app, members.people.outsider, { parentId: inner.id })
    await files('outsider').remove({ id })
    await purge('outsider', inner.id)
    const hidden = await members.project('private')
    await files('creator').update({ id: outer.id, parentId: hidden.folderId })
    await files('outsider').restore({ id })
    expect((await files('outsider').get({ id })).ancestors.map(({ name }) => name)).toEqual([
      'outer',
      'inner',
    ])
    expect(await names('creator', { parentId: outer.id })).toEqual([])
  })
})
