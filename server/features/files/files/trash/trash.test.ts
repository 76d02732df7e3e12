import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileClient, createStoredFile } from '../../../../testing/clients/file-client.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { expectValidTrees } from '../../../../testing/tree-check.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(async () => {
  await expectValidTrees(app.sql)
  await app.close()
})

const refusal = (code: string, message?: string) => ({ code, ...(message ? { message } : {}) })

describe('the trash', () => {
  test("lists directly deleted entries, newest first, without deleted folders' content", async () => {
    const { files, folder, upload, trash, names } = await createFileClient(app)
    const outer = await folder('outer')
    const first = await upload('first', outer.id)
    await upload('second', outer.id)
    await files.remove({ id: first.id })
    app.clock.advance(1)
    await files.remove({ id: outer.id })
    expect(await trash()).toEqual(['outer', 'first'])
    expect(await names({ trashed: 'true', source: 'upload' })).toEqual(['first'])
    expect(await names({ trashed: 'true', search: 'OUT' })).toEqual(['outer'])
    expect(await names({ search: 'second' })).toEqual([])
  })

  test('is paginated by cursor', async () => {
    const { files, upload } = await createFileClient(app)
    for (const name of ['1', '2', '3']) {
      await files.remove({ id: (await upload(name)).id })
      app.clock.advance(1)
    }
    const page = await files.list({ trashed: 'true', limit: '2' })
    expect(page.items.map(({ name }) => name)).toEqual(['3', '2'])
    const next = await files.list({ trashed: 'true', limit: '2', cursor: page.nextCursor! })
    expect(next.items.map(({ name }) => name)).toEqual(['1'])
  })

  test("doesn't contain a deleted upload that was still pending", async () => {
    const { person, files, trash } = await createFileClient(app)
    const { id } = await createStoredFile(app, person, { status: 'pending' })
    await app.sql`update objects set stored_at = null where org_id = ${person.orgId}`
    await files.remove({ id })
    expect(await trash()).toEqual([])
    await expect(files.get({ id })).rejects.toMatchObject(refusal('NOT_FOUND'))
  })
})

describe('restoring', () => {
  test('restores exactly the content deleted with a folder', async () => {
    const { files, folder, upload, names, trash } = await createFileClient(app)
    const outer = await folder('outer')
    const inner = await folder('inner', outer.id)
    const before = await upload('deleted before', outer.id)
    await upload('restored', inner.id)
    await files.remove({ id: before.id })
    await files.remove({ id: outer.id })
    const restored = await files.restore({ id: outer.id })
    expect(restored).toMatchObject({ name: 'outer', parentId: null, deletedAt: null })
    expect(await names({ parentId: outer.id })).toEqual(['inner'])
    expect(await names({ parentId: inner.id })).toEqual(['restored'])
    expect(await trash()).toEqual(['deleted before'])
  })

  test('returns a file to its folder after the folder has moved', async () => {
    const { files, folder, upload } = await createFileClient(app)
    const [here, there] = [await folder('here'), await folder('there')]
    const { id } = await upload('notes', here.id)
    await files.remove({ id })
    await files.update({ id: here.id, parentId: there.id })
    expect(await files.restore({ id })).toMatchObject({ parentId: here.id })
  })

  test('recreates missing parent folders once for several files', async () => {
    const { files, folder, upload, names, withSession } = await createFileClient(app)
    const outer = await folder('outer')
    const inner = await folder('inner', outer.id)
    const [first, second] = [await upload('first', inner.id), await upload('second', inner.id)]
    for (const { id } of [first, second]) await files.remove({ id })
    await files.remove({ id: outer.id })
    const { id: recreated } = (
      await files.get({ id: (await files.restore({ id: first.id })).id })
    ).ancestors.at(-1)!
    await (await withSession()).remove({ id: outer.id, permanent: 'true' })
    expect(await files.restore({ id: second.id })).toMatchObject({ parentId: recreated })
    expect(await names()).toEqual(['outer'])
    expect(await names({ parentId: recreated })).toEqual(['first', 'second'])
  })

  test('accepts another folder as destination and rejects a trashed one', async () => {
    const { files, folder, upload } = await createFileClient(app)
    const [here, there] = [await folder('here'), await folder('there')]
    const { id } = await upload('notes', here.id)
    await files.remove({ id })
    await files.remove({ id: here.id })
    await expect(files.restore({ id, parentId: here.id })).rejects.toMatchObject(refusal('BAD_REQUEST'))
    expect(await files.restore({ id, parentId: there.id })).toMatchObject({ parentId: there.id })
    expect(await files.restore({ id: here.id, parentId: null })).toMatchObject({ parentId: null })
  })

  test('is rejected for an entry not trashed directly, and for an unknown id', async () => {
    const { files, folder, upload } = await createFileClient(app)
    const outer = await folder('outer')
    const { id } = await upload('notes', outer.id)
    await expect(files.restore({ id })).rejects.toMatchObject(
      refusal('BAD_REQUEST', 'This file is not in the trash'),
    )
    await files.remove({ id: outer.id })
    await expect(files.restore({ id })).rejects.toMatchObject(
      refusal('BAD_REQUEST', 'This file was trashed with its folder: restore the folder'),
    )
    await expect(files.restore({ id: outer.id.replace(/^./, 'f') })).rejects.toMatchObject(
      refusal('NOT_FOUND'),
    )
  })
})

describe('purging', () => {
  const objectsOf = (orgId: string) => app.sql`select key from objects where org_id = ${orgId}`

  test('is rejected for an entry not trashed directly', async () => {
    const { folder, upload, files, withSession } = await createFileClient(app)
    const outer = await folder('outer')
    const { id } = await upload('notes', outer.id)
    const browser = await withSession()
    const purge = () => browser.remove({ id, permanent: 'true' })
    await expect(purge()).rejects.toMatchObject(refusal('BAD_REQUEST', 'Only trashed files can be purged'))
    await files.remove({ id: outer.id })
    await expect(purge()).rejects.toMatchObject(refusal('BAD_REQUEST'))
  })

  test('removes the content in a job after its last file is purged, and writes audit entries', async () => {
    const { person, files, withSession, trash } = await createFileClient(app)
    const original = await createStoredFile(app, person, {})
    await app.app.system().objects.put(original.objectKey!, bytesOf('hello'))
    const copy = await files.copy({ id: original.id })
    const browser = await withSession()
    const purge = async (id: string) => {
      await files.remove({ id })
      expect(await browser.remove({ id, permanent: 'true' })).toEqual({ deleted: true, permanent: true })
    }
    const size = () => app.app.system().objects.size(original.objectKey!)
    await purge(original.id)
    expect(await objectsOf(person.orgId)).toHaveLength(1)
    await purge(copy.id)
    expect(await objectsOf(person.orgId)).toEqual([])
    await expect.poll(size).toBeNull()
    expect(await trash()).toEqual([])
    const entries = await app.sql`
      select target, details from audit where org_id = ${person.orgId} and action = 'file.purged' order by id`
    expect(entries).toMatchObject([
      { target: original.id, details: { name: 'notes.txt' } },
      { target: copy.id, details: { name: 'notes (copy).txt' } },
    ])
  })

  test('leaves entries deleted before their folder in the trash, and they stay restorable', async () => {
    const { files, folder, upload, withSession, trash, names } = await createFileClient(app)
    const outer = await folder('outer')
    const inner = await folder('inner', outer.id)
    await upload('in the inner folder', inner.id)
    const { id } = await upload('alone', outer.id)
    await upload('gone', outer.id)
    for (const each of [id, inner.id, outer.id]) {
      await files.remove({ id: each })
      app.clock.advance(1)
    }
    await (await withSession()).remove({ id: outer.id, permanent: 'true' })
    expect(await trash()).toEqual(['inner', 'alone'])
    const { parentId } = await files.restore({ id: inner.id })
    expect((await files.get({ id: parentId! })).name).toBe('outer')
    expect(await names({ parentId: inner.id })).toEqual(['in the inner folder'])
    expect(await files.restore({ id })).toMatchObject({ parentId })
    expect(await names({ search: 'gone' })).toEqual([])
  })

  test("marks a file's links as missing their target", async () => {
    const { files, upload, link, withSession } = await createFileClient(app)
    const target = await upload('notes')
    const { id } = await link(target.id)
    await files.remove({ id: target.id })
    await (await withSession()).remove({ id: target.id, permanent: 'true' })
    expect(await files.get({ id })).toMatchObject({ targetMissing: true, targetFileId: target.id })
    await expect(link(id)).rejects.toMatchObject(refusal('NOT_FOUND', 'Target file not found'))
  })
})

async function* bytesOf(text: string) {
  yield new TextEncoder().encode(text)
}
