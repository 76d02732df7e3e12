import { beforeAll, describe, expect, test } from 'vitest'
import { createFileClient } from '../../../testing/clients/file-client.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

describe('a folder list', () => {
  test('contains folders first, then files, by name with numbers in natural order', async () => {
    const { folder, upload, names } = await createFileClient(app)
    for (const name of ['b 10.txt', 'B 9.txt', 'Äpfel.txt', 'zoo.txt', 'b 010.txt']) await upload(name)
    await folder('Zebra')
    await folder('ape')
    expect(await names()).toEqual([
      'ape',
      'Zebra',
      'Äpfel.txt',
      'B 9.txt',
      'b 10.txt',
      'b 010.txt',
      'zoo.txt',
    ])
  })
})

describe('reading a file', () => {
  test('returns its ancestor folders, outermost first', async () => {
    const { files, folder, upload } = await createFileClient(app)
    const outer = await folder('outer')
    const inner = await folder('inner', outer.id)
    const { id } = await upload('notes.txt', inner.id)
    const read = await files.get({ id })
    expect(read).toMatchObject({ name: 'notes.txt', parentId: inner.id })
    expect(read.ancestors).toEqual([
      { id: outer.id, name: 'outer' },
      { id: inner.id, name: 'inner' },
    ])
  })
})

describe('a link', () => {
  test('resolves to its file and reports a deleted target', async () => {
    const { files, upload, link } = await createFileClient(app)
    const { id: targetFileId } = await upload('notes.txt')
    const first = await link(targetFileId)
    const second = await link(first.id)
    expect(await files.get({ id: second.id })).toMatchObject({ targetFileId, targetMissing: false })
    await files.remove({ id: targetFileId })
    expect(await files.get({ id: second.id })).toMatchObject({ targetFileId, targetMissing: true })
  })
})

describe('moving a folder', () => {
  test('moves its contents and rejects a move into its own subtree', async () => {
    const { files, folder, upload } = await createFileClient(app)
    const [left, right] = [await folder('left'), await folder('right')]
    const inner = await folder('inner', left.id)
    const { id } = await upload('notes.txt', inner.id)
    await files.update({ id: left.id, parentId: right.id })
    expect((await files.get({ id })).ancestors.map(({ name }) => name)).toEqual(['right', 'left', 'inner'])
    for (const id of [right.id, right.id.toUpperCase()]) {
      await expect(files.update({ id, parentId: inner.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    }
  })
})

describe('deleting a folder', () => {
  test('deletes everything in it', async () => {
    const { files, folder, upload, names } = await createFileClient(app)
    const outer = await folder('outer')
    const inner = await folder('inner', outer.id)
    const { id } = await upload('notes.txt', inner.id)
    await files.remove({ id: outer.id })
    expect(await names()).toEqual([])
    await expect(files.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(files.list({ parentId: inner.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})
