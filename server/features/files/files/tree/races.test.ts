import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileClient, createStoredFile } from '../../../../testing/clients/file-client.ts'
import { concurrently } from '../../../../testing/locks.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { expectValidTrees } from '../../../../testing/tree-check.ts'

/** Concurrent calls on a real database: a table lock delays each call until all of them wait for it. */

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const outcomes = (settled: PromiseSettledResult<unknown>[]) =>
  settled
    .map((each) => (each.status === 'fulfilled' ? 'done' : (each.reason as { code: string }).code))
    .toSorted()

const runConcurrently = async (table: string, calls: (() => Promise<unknown>)[]) => {
  const result = outcomes(await concurrently(app.sql, table, calls))
  await expectValidTrees(app.sql)
  return result
}

const countObjects = async (orgId: string) =>
  (await app.sql<{ key: string }[]>`select key from objects where org_id = ${orgId}`).length
const countRemovalJobs = async (key: string) =>
  (await app.sql`select from graphile_worker._private_jobs where payload::text like ${`%${key}%`}`).length

describe('concurrent purges', () => {
  test('remove an object once when its last two files are purged', async () => {
    const { person, files, withSession } = await createFileClient(app)
    const original = await createStoredFile(app, person)
    const copy = await files.copy({ id: original.id })
    const browser = await withSession()
    for (const { id } of [original, copy]) await files.remove({ id })
    const calls = [original, copy].map(
      ({ id }) =>
        () =>
          browser.remove({ id, permanent: 'true' }),
    )
    expect(await runConcurrently('folders', calls)).toEqual(['done', 'done'])
    expect(await countObjects(person.orgId)).toBe(0)
    expect(await countRemovalJobs(original.objectKey!)).toBe(1)
  })

  test('succeed once for the same file', async () => {
    const { person, files, withSession } = await createFileClient(app)
    const { id, objectKey } = await createStoredFile(app, person)
    await files.remove({ id })
    const browser = await withSession()
    const purge = () => browser.remove({ id, permanent: 'true' })
    expect(await runConcurrently('folders', [purge, purge])).toEqual(['NOT_FOUND', 'done'])
    expect(await countRemovalJobs(objectKey!)).toBe(1)
  })

  test('leave the object stored when another file with the same object is copied', async () => {
    const { person, files, withSession } = await createFileClient(app)
    const browser = await withSession()
    for (let round = 0; round < 5; round++) {
      const original = await createStoredFile(app, person)
      const twin = await files.copy({ id: original.id })
      await files.remove({ id: original.id })
      const copy = () => files.copy({ id: twin.id })
      const purge = () => browser.remove({ id: original.id, permanent: 'true' })
      expect(await runConcurrently('objects', [copy, purge])).toEqual(['done', 'done'])
      expect(await countRemovalJobs(original.objectKey!)).toBe(0)
    }
  })

  test('leave a copy with its object or neither when the last file is copied', async () => {
    const { person, files, withSession } = await createFileClient(app)
    const browser = await withSession()
    for (let round = 0; round < 5; round++) {
      const { id, objectKey } = await createStoredFile(app, person)
      const removeAndPurge = async () => {
        await files.remove({ id })
        await browser.remove({ id, permanent: 'true' })
      }
      const result = outcomes(await Promise.allSettled([removeAndPurge(), files.copy({ id })]))
      const copies = await app.sql`select from files where object_key = ${objectKey}`
      expect(await countRemovalJobs(objectKey!)).toBe(copies.length === 0 ? 1 : 0)
      expect(result).toEqual(copies.length === 0 ? ['NOT_FOUND', 'done'] : ['done', 'done'])
      await expectValidTrees(app.sql)
    }
  })
})

describe('concurrent folder changes', () => {
  test('move only one of two folders into the other', async () => {
    const { files, folder } = await createFileClient(app)
    const [a, b] = [await folder('a'), await folder('b')]
    const calls = [
      () => files.update({ id: a.id, parentId: b.id }),
      () => files.update({ id: b.id, parentId: a.id }),
    ]
    expect(await runConcurrently('folders', calls)).toEqual(['BAD_REQUEST', 'done'])
  })

  test('create folders below a folder that moves', async () => {
    const { files, folder } = await createFileClient(app)
    const [a, b] = [await folder('a'), await folder('b')]
    const inner = await folder('inner', a.id)
    const calls = [
      () => files.update({ id: a.id, parentId: b.id }),
      () => folder('new', inner.id),
      () => folder('other', inner.id),
    ]
    expect(await runConcurrently('folders', calls)).toEqual(['done', 'done', 'done'])
  })

  test('delete a new folder with its parent or reject it', async () => {
    const { files, folder } = await createFileClient(app)
    const a = await folder('a')
    const inner = await folder('inner', a.id)
    const calls = [() => files.remove({ id: a.id }), () => folder('new', inner.id)]
    const result = await runConcurrently('folders', calls)
    const created = await app.sql`select from files where parent_id = ${inner.id}`
    expect(result).toEqual(created.length === 1 ? ['done', 'done'] : ['BAD_REQUEST', 'done'])
  })

  test('delete a file that moves into a deleted folder, or reject the move', async () => {
    const { files, folder, upload } = await createFileClient(app)
    const a = await folder('a')
    const { id } = await upload('notes')
    const calls = [() => files.remove({ id: a.id }), () => files.update({ id, parentId: a.id })]
    const result = await runConcurrently('folders', calls)
    const [row] = await app.sql<
      { parentId: string }[]
    >`select parent_id as "parentId" from files where id = ${id}`
    expect(result).toEqual(row!.parentId === a.id ? ['done', 'done'] : ['BAD_REQUEST', 'done'])
  })

  test('restore a folder once', async () => {
    const { files, folder, upload, names } = await createFileClient(app)
    const a = await folder('a')
    await upload('notes', a.id)
    await files.remove({ id: a.id })
    const restore = () => files.restore({ id: a.id })
    expect(await runConcurrently('folders', [restore, restore])).toEqual(['BAD_REQUEST', 'done'])
    expect(await names({ parentId: a.id })).toEqual(['notes'])
  })

  test('recreate the missing parent of two restored files once', async () => {
    const { files, folder, upload, names } = await createFileClient(app)
    const a = await folder('a')
    const [first, second] = [await upload('first', a.id), await upload('second', a.id)]
    for (const { id } of [first, second, a]) await files.remove({ id })
    const calls = [first, second].map(
      ({ id }) =>
        () =>
          files.restore({ id }),
    )
    expect(await runConcurrently('folders', calls)).toEqual(['done', 'done'])
    expect(await names()).toEqual(['a'])
  })

  test('either restore or purge a folder', async () => {
    const { files, folder, upload, withSession, names } = await createFileClient(app)
    const a = await folder('a')
    await upload('notes', a.id)
    await files.remove({ id: a.id })
    const browser = await withSession()
    const calls = [() => files.restore({ id: a.id }), () => browser.remove({ id: a.id, permanent: 'true' })]
    const result = await runConcurrently('folders', calls)
    const isRestored = (await names()).length === 1
    expect(result).toEqual([isRestored ? 'BAD_REQUEST' : 'NOT_FOUND', 'done'])
  })

  test('never deadlock', async () => {
    const { files, folder, upload } = await createFileClient(app)
    const folders = [await folder('a'), await folder('b'), await folder('c')]
    const uploads = [await upload('1'), await upload('2'), await upload('3')]
    const at = <T>(list: T[], n: number) => list[n % list.length]!
    const calls = Array.from({ length: 40 }, (_, n) => {
      if (n % 4 === 0) return files.update({ id: at(folders, n).id, parentId: at(folders, n + 1).id })
      if (n % 4 === 1) return files.update({ id: at(uploads, n).id, parentId: at(folders, n).id })
      if (n % 4 === 2) return folder(`made ${n}`, at(folders, n).id)
      return n % 8 === 3 ? files.remove({ id: at(folders, n).id }) : files.restore({ id: at(folders, n).id })
    })
    const codes = new Set(outcomes(await Promise.allSettled(calls)))
    expect(codes).not.toContain('INTERNAL')
    await expectValidTrees(app.sql)
  })
})

describe('a folder that may be reused', () => {
  const create = (files: Awaited<ReturnType<typeof createFileClient>>['files'], parentId: string | null) =>
    files.create({ source: 'folder', name: 'Web pages', parentId, reuse: true })

  test('is created once by calls at the same moment', async () => {
    const { files } = await createFileClient(app)
    const parent = await files.create({ source: 'folder', name: 'Parent' })
    if (!('file' in parent)) throw new Error('unreachable')
    for (const parentId of [null, parent.file.id]) {
      const created = await Promise.all(Array.from({ length: 8 }, () => create(files, parentId)))
      const ids = new Set(created.map((each) => ('file' in each ? each.file.id : null)))
      expect(ids.size).toBe(1)
      const { items } = await files.list(parentId ? { parentId } : {})
      expect(items.filter(({ name }) => name === 'Web pages').map(({ id }) => id)).toEqual([...ids])
    }
    await expectValidTrees(app.sql)
  })

  test('is another one after it was trashed, and is for folders only', async () => {
    const { files } = await createFileClient(app)
    const first = await create(files, null)
    if (!('file' in first)) throw new Error('unreachable')
    await files.remove({ id: first.file.id })
    const second = await create(files, null)
    expect('file' in second && second.file.id).not.toBe(first.file.id)
    const upload = { name: 'a.txt', mimeType: 'text/plain', size: 1, reuse: true }
    await expect(files.create(upload)).rejects.toMatchObject({
      details: [{ path: 'body.reuse', message: 'is for folders only' }],
    })
  })
})
