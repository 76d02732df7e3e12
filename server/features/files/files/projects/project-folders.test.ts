import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../../security/digest.ts'
import {
  createFileClient,
  createStoredFile,
  type FileClient,
  inProjectTransaction,
} from '../../../../testing/clients/file-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { expectValidTrees } from '../../../../testing/tree-check.ts'
import { existingContent, projectFiles, projectFolders } from '../files.ts'

/** The functions that projects, canvas and backups call. */

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

describe('a project folder', () => {
  test('restores exactly the content trashed with it', async () => {
    const client = await createFileClient(app)
    const { files, folder, upload, names, trash } = client
    const project = await app.project(client.person)
    const inner = await folder('inner', project.folderId)
    const restored = await upload('restored.txt', inner.id)
    const before = await upload('deleted before.txt', project.folderId)
    await files.remove({ id: before.id })
    await within(client, (ctx) => projectFolders.trash(ctx, project.id))
    await expect(files.get({ id: restored.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await within(client, (ctx) => projectFolders.restore(ctx, project.id))
    expect(await names({ projectId: project.id })).toEqual(['inner'])
    expect(await files.get({ id: restored.id })).toMatchObject({ projectId: project.id })
    expect(await trash()).toEqual(['deleted before.txt'])
    await expect(within(client, (ctx) => projectFolders.restore(ctx, project.id))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('lists its entries with paths, and filter returns only its own files', async () => {
    const client = await createFileClient(app)
    const { person, folder, upload, link, files } = client
    const [project, other] = [await app.project(person), await app.project(person)]
    const inner = await folder('in/ner', project.folderId)
    const draft = await upload('draft.txt', inner.id)
    const outside = await createStoredFile(app, person, { parentId: other.folderId, sha256: hashOf('x') })
    const outgoing = await link(outside.id, project.folderId)
    const gone = await upload('gone.txt', inner.id)
    await files.remove({ id: gone.id })
    const list = await projectFiles.list(app.sql, person.orgId, project.id)
    expect(list.map(({ id, parentId, path }) => ({ id, parentId, path }))).toEqual([
      { id: inner.id, parentId: null, path: 'in∕ner' },
      { id: draft.id, parentId: inner.id, path: 'in∕ner/draft.txt' },
      { id: outgoing.id, parentId: null, path: 'notes.txt' },
    ])
    expect(list.at(-1)).toMatchObject({ source: 'link', sha256: null, mimeType: 'text/plain' })
    const ids = [inner.id, draft.id, outside.id, gone.id]
    expect(await projectFiles.filter(app.sql, person.orgId, project.id, ids)).toEqual([draft.id])
  })

  test('creates a file from existing content with the folders on its path', async () => {
    const client = await createFileClient(app)
    const { person, folder } = client
    const project = await app.project(person)
    await createStoredFile(app, person, { content: 'hello', sha256: hashOf('hello') })
    const existingFolder = await folder('plans', project.folderId)
    const existing = { name: 'a/b.txt', mimeType: 'text/plain', size: 5, sha256: hashOf('hello') }
    const add = (files: existingContent.FileContent[]) =>
      within(client, (ctx) => existingContent.createFiles(ctx, project.id, files))
    const [id] = await add([{ ...existing, path: 'plans/new/a∕b.txt' }])
    const list = await projectFiles.list(app.sql, person.orgId, project.id)
    expect(list.map(({ path }) => path)).toEqual(['plans', 'plans/new', 'plans/new/a∕b.txt'])
    expect(list[0]!.id).toBe(existingFolder.id)
    expect(list[2]).toMatchObject({ id, name: 'a/b.txt', sha256: existing.sha256, size: 5 })
    const missing = { ...existing, sha256: hashOf('other') }
    const contents = [existing, missing, { ...existing, mimeType: 'image/png' }, { ...existing, size: 6 }]
    const others = contents.slice(1).map((file) => ({ ...file, path: 'x/a∕b.txt' }))
    expect(await add(others)).toEqual([null, null, null])
    expect(await within(client, (ctx) => existingContent.list(ctx, contents))).toEqual([existing])
    expect(await projectFiles.list(app.sql, person.orgId, project.id)).toHaveLength(3)
  })

  test('creates many files in one call, and each folder on their paths once', async () => {
    const client = await createFileClient(app)
    const { person } = client
    const project = await app.project(person)
    await createStoredFile(app, person, { content: 'hello', sha256: hashOf('hello') })
    const file = (path: string, content = 'hello') => ({
      ...{ path, name: path.split('/').at(-1)!, mimeType: 'text/plain', size: 5, sha256: hashOf(content) },
    })
    const add = (files: existingContent.FileContent[]) =>
      within(client, (ctx) => existingContent.createFiles(ctx, project.id, files))
    const creatable = ['a/x.txt', 'y.txt', 'a/b/c/z.txt', 'b/x.txt', 'a/x.txt'].map((path) => file(path))
    const ids = await add([...creatable, file('d/nowhere.txt', 'other')])
    expect(ids.at(-1)).toBeNull()
    const list = await projectFiles.list(app.sql, person.orgId, project.id)
    const paths = ['a', 'a/b', 'a/b/c', 'a/b/c/z.txt', 'a/x.txt', 'a/x.txt', 'b', 'b/x.txt', 'y.txt']
    expect(list.map(({ path }) => path)).toEqual(paths)
    const pathOf = new Map(list.map(({ id, path }) => [id, path]))
    expect(ids.slice(0, -1).map((id) => pathOf.get(id!))).toEqual(creatable.map(({ path }) => path))
    await expect(add([file(`${'d/'.repeat(64)}deep.txt`)])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await add([])).toEqual([])
  })

  test("reuses no content the caller can't see", async () => {
    const client = await createFileClient(app)
    const { person } = client
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
    const existing = { mimeType: 'text/plain', size: 6, sha256: hashOf('secret') }
    const file = { path: 'a.txt', name: 'a.txt', ...existing }
    expect(await within(client, (ctx) => existingContent.createFiles(ctx, project.id, [file]))).toEqual([
      null,
    ])
    expect(await within(client, (ctx) => existingContent.list(ctx, [existing]))).toEqual([])
    await inProjectTransaction(app, creator, async (ctx) => {
      expect(await existingContent.list(ctx, [existing])).toEqual([existing])
    })
  })
})

const hashOf = (content: string) => sha256(content).toString('hex')
