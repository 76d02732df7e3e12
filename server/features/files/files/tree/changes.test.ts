import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FOLDER_DEPTH_MAX } from '../../../../../contract/files/files.ts'
import { createFileClient, inProjectTransaction } from '../../../../testing/clients/file-client.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { expectValidTrees } from '../../../../testing/tree-check.ts'
import { projectFolders } from '../files.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(async () => {
  await expectValidTrees(app.sql)
  await app.close()
})

const refusal = (code: string) => expect.objectContaining({ code })

describe('an update', () => {
  test('is rejected with If-Match when the file has a newer version', async () => {
    const { headers, upload } = await createFileClient(app)
    const { id } = await upload('notes')
    const path = `/api/v1/files/${id}`
    const etag = (await app.request('GET', path, { headers })).headers.get('etag')!
    const change = (name: string) =>
      app.request('PATCH', path, { headers: { ...headers, 'if-match': etag }, body: { name } })
    expect((await change('first')).status).toBe(200)
    expect((await change('second')).status).toBe(412)
    expect((await app.request('GET', path, { headers })).body.data.name).toBe('first')
  })

  test("changes a file's ETag when made to an ancestor folder", async () => {
    const { files, headers, folder, upload } = await createFileClient(app)
    const outer = await folder('outer')
    const { id } = await upload('notes', outer.id)
    const read = (etag = '') =>
      app.request('GET', `/api/v1/files/${id}`, { headers: { ...headers, 'if-none-match': etag } })
    const etag = (await read()).headers.get('etag')!
    expect((await read(etag)).status).toBe(304)
    await files.update({ id: outer.id, name: 'renamed' })
    expect((await read(etag)).body.data.ancestors).toEqual([{ id: outer.id, name: 'renamed' }])
  })

  test('leaves the tree unchanged with a stale If-Match', async () => {
    const { headers, folder, names } = await createFileClient(app)
    const [a, b] = [await folder('a'), await folder('b')]
    const answer = await app.request('PATCH', `/api/v1/files/${a.id}`, {
      headers: { ...headers, 'if-match': '"99"' },
      body: { parentId: b.id },
    })
    expect(answer.status).toBe(412)
    expect(await names()).toEqual(['a', 'b'])
    await expectValidTrees(app.sql)
  })

  test('is rejected without fields, and accepted with the current values', async () => {
    const { files, upload } = await createFileClient(app)
    const { id } = await upload('notes')
    await expect(files.update({ id })).rejects.toEqual(refusal('BAD_REQUEST'))
    expect(await files.update({ id, name: 'notes', parentId: null, tags: [] })).toMatchObject({
      name: 'notes',
    })
  })

  test('is rejected when it exceeds the folder depth limit, as are creating and copying', async () => {
    const { files, folder } = await createFileClient(app)
    let parentId: string | null = null
    const chain: string[] = []
    for (let depth = 1; depth <= FOLDER_DEPTH_MAX; depth++) {
      parentId = (await folder(`${depth}`, parentId)).id
      chain.push(parentId)
    }
    await expect(folder('too deep', parentId)).rejects.toEqual(refusal('BAD_REQUEST'))
    const pair = await folder('outer')
    await folder('inner', pair.id)
    const nearlyDeepest = chain.at(-2)!
    await expect(files.update({ id: pair.id, parentId: nearlyDeepest })).rejects.toEqual(
      refusal('BAD_REQUEST'),
    )
    await expect(files.copy({ id: pair.id, parentId: nearlyDeepest })).rejects.toEqual(refusal('BAD_REQUEST'))
    await files.update({ id: pair.id, parentId: chain.at(-3)! })
  })
})

describe('a folder copy', () => {
  test('contains all its content, with links that point to the copies', async () => {
    const { files, folder, upload, link, names } = await createFileClient(app)
    const outer = await folder('outer')
    const inner = await folder('inner', outer.id)
    const target = await upload('target', inner.id)
    const outside = await upload('outside')
    await link(target.id, outer.id)
    await link(outside.id, outer.id)
    const copy = await files.copy({ id: outer.id })
    expect(copy).toMatchObject({ name: 'outer (copy)', parentId: null })
    expect(await names({ parentId: copy.id })).toEqual(['inner', 'outside', 'target'])
    const { items } = await files.list({ parentId: copy.id })
    const [copiedInner, toOutside, toTarget] = items
    const [copiedTarget] = (await files.list({ parentId: copiedInner!.id })).items
    expect(toTarget!.targetFileId).toBe(copiedTarget!.id)
    expect(toOutside!.targetFileId).toBe(outside.id)
    const [keys] = await app.sql`
      select count(distinct object_key)::int as keys from files where id = any(${[target.id, copiedTarget!.id]})`
    expect(keys).toEqual({ keys: 1 })
  })
})

describe('a project folder', () => {
  test('rejects rename, move and delete by a member and accepts tags', async () => {
    const { person, files, folder } = await createFileClient(app)
    const other = await folder('other')
    const { folderId: id } = await app.project(person)
    for (const change of [{ name: 'x' }, { parentId: other.id }, { parentId: null }]) {
      await expect(files.update({ id, ...change })).rejects.toEqual(refusal('FORBIDDEN'))
    }
    await expect(files.remove({ id })).rejects.toEqual(refusal('FORBIDDEN'))
    expect(await files.update({ id, tags: ['big'] })).toMatchObject({ tags: ['big'], protected: true })
  })

  test('is renamed, copied and trashed with its project', async () => {
    const { person, files, upload, folder, names, withSession } = await createFileClient(app)
    const within = <T>(work: Parameters<typeof inProjectTransaction<T>>[2]) =>
      inProjectTransaction(app, person, work)
    const { id: projectId, folderId: home } = await app.project(person)
    const inner = await folder('inner', home)
    const file = await upload('notes', inner.id)
    await within((ctx) => projectFolders.rename(ctx, projectId, 'Renamed'))
    expect(await names()).toEqual(['Renamed'])
    const { id: otherId, folderId: other } = await app.project(person, { name: 'Other' })
    const copies = await within((ctx) => projectFolders.copyInto(ctx, home, other))
    expect(await files.get({ id: copies.get(file.id)! })).toMatchObject({ projectId: otherId, name: 'notes' })
    await within((ctx) => projectFolders.trash(ctx, projectId))
    expect(await names()).toEqual(['Other'])
    await expect(files.restore({ id: home })).rejects.toEqual(refusal('FORBIDDEN'))
    await expect((await withSession()).remove({ id: home, permanent: 'true' })).rejects.toEqual(
      refusal('FORBIDDEN'),
    )
    await expect(within((ctx) => projectFolders.rename(ctx, projectId, 'x'))).rejects.toEqual(
      refusal('NOT_FOUND'),
    )
  })

  test('sets the project of entries moved into it and clears it for entries moved out', async () => {
    const { person, files, folder, upload } = await createFileClient(app)
    const { id: projectId, folderId: home } = await app.project(person)
    const outer = await folder('outer')
    const inner = await folder('inner', outer.id)
    const { id } = await upload('notes', inner.id)
    await files.update({ id: outer.id, parentId: home })
    expect(await files.get({ id })).toMatchObject({ projectId })
    await files.update({ id: outer.id, parentId: null })
    expect(await files.get({ id })).toMatchObject({ projectId: null })
  })
})

describe('tree access', () => {
  test('is denied to another organization for every operation by id', async () => {
    const mine = await createFileClient(app)
    const stranger = await createFileClient(app)
    const folder = await mine.folder('folder')
    const { id } = await mine.upload('notes')
    const theirs = await stranger.upload('theirs')
    const { files } = stranger
    const browser = await stranger.withSession()
    const notFoundCalls = [
      () => files.get({ id }),
      () => files.update({ id, name: 'x' }),
      () => files.update({ id, parentId: null }),
      () => files.remove({ id }),
      () => browser.remove({ id, permanent: 'true' }),
      () => files.restore({ id }),
      () => files.copy({ id }),
      () => files.copy({ id: folder.id }),
      () => stranger.link(id),
    ]
    for (const call of notFoundCalls) await expect(call()).rejects.toEqual(refusal('NOT_FOUND'))
    const badRequestCalls = [
      () => files.list({ parentId: folder.id }),
      () => stranger.folder('x', folder.id),
      () => files.update({ id: theirs.id, parentId: folder.id }),
      () => files.copy({ id: theirs.id, parentId: folder.id }),
      () => stranger.link(theirs.id, folder.id),
      () => files.update({ id: theirs.id, parentId: stranger.person.orgId }),
    ]
    for (const call of badRequestCalls) await expect(call()).rejects.toEqual(refusal('BAD_REQUEST'))
    expect(await mine.names()).toEqual(['folder', 'notes'])
  })

  test('is read-only for a key with the scope files:read', async () => {
    const { person, upload } = await createFileClient(app)
    const { id } = await upload('notes')
    const { files } = app.as(bearer(await app.key(person, ['files:read'])))
    expect((await files.list({})).items).toHaveLength(1)
    const changes = [
      () => files.update({ id, name: 'x' }),
      () => files.remove({ id }),
      () => files.restore({ id }),
      () => files.copy({ id }),
      () => files.create({ source: 'folder', name: 'x' }),
    ]
    for (const call of changes) await expect(call()).rejects.toEqual(refusal('FORBIDDEN'))
  })
})
