import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../security/digest.ts'
import {
  createFileClient,
  createStoredFile,
  type FileClient,
  inProjectTransaction,
} from '../../../testing/clients/file-client.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { expectValidTrees } from '../../../testing/tree-check.ts'
import * as door from '../files.ts'

/** What projects, canvas and backups ask of files. */

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(async () => {
  await expectValidTrees(app.sql)
  await app.close()
})

const within = <T>({ person }: FileClient, work: Parameters<typeof inProjectTransaction<T>>[2]) =>
  inProjectTransaction(app, person, work)

describe('the folder of a project', () => {
  test('comes back with exactly what went with it', async () => {
    const somebody = await createFileClient(app)
    const { files, folder, upload, names, trash } = somebody
    const project = await app.project(somebody.person)
    const inner = await folder('inner', project.folderId)
    const kept = await upload('kept.txt', inner.id)
    const before = await upload('deleted before.txt', project.folderId)
    await files.remove({ id: before.id })
    await within(somebody, (ctx) => door.trashProjectFolder(ctx, project.id))
    await expect(files.get({ id: kept.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await within(somebody, (ctx) => door.restoreProjectFolder(ctx, project.id))
    expect(await names({ projectId: project.id })).toEqual(['inner'])
    expect(await files.get({ id: kept.id })).toMatchObject({ projectId: project.id })
    expect(await trash()).toEqual(['deleted before.txt'])
    await expect(within(somebody, (ctx) => door.restoreProjectFolder(ctx, project.id))).rejects.toMatchObject(
      { code: 'NOT_FOUND' },
    )
  })

  test('is listed with the paths of what is in it, and knows what is a file of its own', async () => {
    const somebody = await createFileClient(app)
    const { person, folder, upload, link, files } = somebody
    const [project, other] = [await app.project(person), await app.project(person)]
    const inner = await folder('in/ner', project.folderId)
    const draft = await upload('draft.txt', inner.id)
    const outside = await createStoredFile(app, person, { parentId: other.folderId, sha256: hashOf('x') })
    const out = await link(outside.id, project.folderId)
    const gone = await upload('gone.txt', inner.id)
    await files.remove({ id: gone.id })
    const list = await door.listProjectFiles(app.sql, person.orgId, project.id)
    expect(list.map(({ id, parentId, path }) => ({ id, parentId, path }))).toEqual([
      { id: inner.id, parentId: null, path: 'in∕ner' },
      { id: draft.id, parentId: inner.id, path: 'in∕ner/draft.txt' },
      { id: out.id, parentId: null, path: 'notes.txt' },
    ])
    expect(list.at(-1)).toMatchObject({ source: 'link', sha256: null, mimeType: 'text/plain' })
    const ids = [inner.id, draft.id, outside.id, gone.id]
    expect(await door.filterProjectFiles(app.sql, person.orgId, project.id, ids)).toEqual([draft.id])
  })

  test('takes a file whose bytes are known, and makes the folders on its path', async () => {
    const somebody = await createFileClient(app)
    const { person, folder } = somebody
    const project = await app.project(person)
    await createStoredFile(app, person, { content: 'hello', sha256: hashOf('hello') })
    const there = await folder('plans', project.folderId)
    const known = { name: 'a/b.txt', mimeType: 'text/plain', size: 5, sha256: hashOf('hello') }
    const add = (files: door.FileContent[]) =>
      within(somebody, (ctx) => door.createFromExisting(ctx, project.id, files))
    const [id] = await add([{ ...known, path: 'plans/new/a∕b.txt' }])
    const list = await door.listProjectFiles(app.sql, person.orgId, project.id)
    expect(list.map(({ path }) => path)).toEqual(['plans', 'plans/new', 'plans/new/a∕b.txt'])
    expect(list[0]!.id).toBe(there.id)
    expect(list[2]).toMatchObject({ id, name: 'a/b.txt', sha256: known.sha256, size: 5 })
    const unknown = { ...known, sha256: hashOf('other') }
    const asked = [known, unknown, { ...known, mimeType: 'image/png' }, { ...known, size: 6 }]
    const others = asked.slice(1).map((file) => ({ ...file, path: 'x/a∕b.txt' }))
    expect(await add(others)).toEqual([null, null, null])
    expect(await within(somebody, (ctx) => door.listExistingContent(ctx, asked))).toEqual([known])
    expect(await door.listProjectFiles(app.sql, person.orgId, project.id)).toHaveLength(3)
  })

  test('takes many at once, into folders that are each made once', async () => {
    const somebody = await createFileClient(app)
    const { person } = somebody
    const project = await app.project(person)
    await createStoredFile(app, person, { content: 'hello', sha256: hashOf('hello') })
    const file = (path: string, content = 'hello') => ({
      ...{ path, name: path.split('/').at(-1)!, mimeType: 'text/plain', size: 5, sha256: hashOf(content) },
    })
    const add = (files: door.FileContent[]) =>
      within(somebody, (ctx) => door.createFromExisting(ctx, project.id, files))
    const wanted = ['a/x.txt', 'y.txt', 'a/b/c/z.txt', 'b/x.txt', 'a/x.txt'].map((path) => file(path))
    const ids = await add([...wanted, file('d/nowhere.txt', 'other')])
    expect(ids.at(-1)).toBeNull()
    const list = await door.listProjectFiles(app.sql, person.orgId, project.id)
    const paths = ['a', 'a/b', 'a/b/c', 'a/b/c/z.txt', 'a/x.txt', 'a/x.txt', 'b', 'b/x.txt', 'y.txt']
    expect(list.map(({ path }) => path)).toEqual(paths)
    const pathOf = new Map(list.map(({ id, path }) => [id, path]))
    expect(ids.slice(0, -1).map((id) => pathOf.get(id!))).toEqual(wanted.map(({ path }) => path))
    await expect(add([file(`${'d/'.repeat(64)}deep.txt`)])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await add([])).toEqual([])
  })

  test('finds no bytes that the caller may not see', async () => {
    const somebody = await createFileClient(app)
    const { person } = somebody
    const org = { id: person.orgId, name: '', workspaceId: (await app.project(person)).workspaceIds[0]! }
    const creator = await app.person(org)
    const hidden = await app.project(creator, { visibility: 'private' })
    await createStoredFile(app, creator, {
      parentId: hidden.folderId,
      sha256: hashOf('secret'),
      content: 'secret',
    })
    const stranger = await createFileClient(app)
    await createStoredFile(app, stranger.person, { sha256: hashOf('secret'), content: 'secret' })
    const project = await app.project(person)
    const known = { mimeType: 'text/plain', size: 6, sha256: hashOf('secret') }
    const file = { path: 'a.txt', name: 'a.txt', ...known }
    expect(await within(somebody, (ctx) => door.createFromExisting(ctx, project.id, [file]))).toEqual([null])
    expect(await within(somebody, (ctx) => door.listExistingContent(ctx, [known]))).toEqual([])
    await inProjectTransaction(app, creator, async (ctx) => {
      expect(await door.listExistingContent(ctx, [known])).toEqual([known])
    })
  })
})

const hashOf = (content: string) => sha256(content).toString('hex')
