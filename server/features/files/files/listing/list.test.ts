import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../../security/ids.ts'
import {
  createFileClient,
  createStoredFile,
  type FileClient,
} from '../../../../testing/clients/file-client.ts'
import { seedManyFiles, seedManyFolders } from '../../../../testing/factories/many-files.ts'
import { bearer, buildTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const BAD_CURSOR = { code: 'BAD_REQUEST', message: 'query.cursor is not a cursor for this list' }

type Query = NonNullable<Parameters<FileClient['files']['list']>[0]>

/** Reads all pages by following the cursor. */
async function listAllNames(files: FileClient['files'], query: Query): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await files.list({ ...query, cursor })
    names.push(...page.items.map(({ name }) => name))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return names
}

describe('a folder list', () => {
  test('is sorted by name, by update time or by size', async () => {
    const { person, names, folder } = await createFileClient(app)
    for (const [name, content] of [
      ['b', 'xx'],
      ['a', 'xxx'],
      ['c', 'x'],
    ] as const) {
      await createStoredFile(app, person, { name, content })
      app.clock.advance(1)
    }
    await folder('d')
    expect(await names()).toEqual(['d', 'a', 'b', 'c'])
    expect(await names({ sort: 'newest' })).toEqual(['d', 'c', 'a', 'b'])
    expect(await names({ sort: 'largest' })).toEqual(['a', 'b', 'c', 'd'])
  })

  test.each(['name', 'newest', 'largest'] as const)(
    'returns the same entries by page and by cursor, sorted by %s',
    async (sort) => {
      const { person, folder, files, names } = await createFileClient(app)
      for (let n = 0; n < 7; n++) {
        await createStoredFile(app, person, { name: `file ${n % 3}`, content: 'x'.repeat(n % 2) })
        await folder(`folder ${n % 2}`)
      }
      const all = (await files.list({ sort })).items.map(({ id }) => id)
      const ids: string[] = []
      for (const page of ['1', '2', '3', '4', '5', '6']) {
        ids.push(...(await files.list({ sort, limit: '3', page })).items.map(({ id }) => id))
      }
      expect(ids).toEqual(all)
      expect(await listAllNames(files, { sort, limit: '3' })).toEqual(await names({ sort }))
    },
  )

  test('contains only one source when filtered by source', async () => {
    const { folder, upload, link, names } = await createFileClient(app)
    await folder('folder')
    await link((await upload('upload')).id)
    for (const sort of ['name', 'newest', 'largest'] as const) {
      expect(await names({ sort, source: 'folder' })).toEqual(['folder'])
      expect(await names({ sort, source: 'upload' })).toEqual(['upload'])
      expect(await names({ sort, source: 'link' })).toEqual(['upload'])
    }
  })

  test('hides pending uploads', async () => {
    const { person, names } = await createFileClient(app)
    await createStoredFile(app, person, { name: 'pending upload', status: 'pending' })
    expect(await names()).toEqual([])
    expect(await names({ search: 'pending' })).toEqual([])
  })

  test("rejects a parentId that is unknown, another organization's, a file or the root", async () => {
    const { files, upload, person } = await createFileClient(app)
    const theirs = await (await createFileClient(app)).folder('theirs')
    for (const parentId of [newId(), theirs.id, (await upload('file')).id, person.orgId]) {
      const refusal = { code: 'BAD_REQUEST', message: 'query.parentId is not a folder here' }
      await expect(files.list({ parentId })).rejects.toMatchObject(refusal)
      await expect(files.list({ parentId, search: 'x' })).rejects.toMatchObject(refusal)
    }
  })
})

describe('a cursor', () => {
  test('is rejected by a list with other filters or in another organization', async () => {
    const { files, upload, folder } = await createFileClient(app)
    for (const name of ['1', '2', '3']) await upload(name)
    const { id: parentId } = await folder('other')
    const cursor = (await files.list({ limit: '1' })).nextCursor!
    await files.list({ limit: '2', cursor })
    const others: Query[] = [
      { sort: 'newest' },
      { search: '1' },
      { tag: 'x' },
      { source: 'upload' },
      { parentId },
      { trashed: 'true' },
    ]
    for (const other of others)
      await expect(files.list({ ...other, cursor })).rejects.toMatchObject(BAD_CURSOR)
    const stranger = await createFileClient(app)
    await expect(stranger.files.list({ cursor })).rejects.toMatchObject(BAD_CURSOR)
  })

  test('shows nothing of records that its caller cannot see', async () => {
    const org = await app.organization()
    const person = await app.person(org, { role: 'owner' })
    const { files } = app.as(bearer(await app.key(await app.person(org), ['files:read'])))
    // So many that a search scans the list instead of the folders that its caller sees.
    await seedManyFolders(app.sql, person, { wide: 2001, deep: 1 })
    const { folderId } = await app.project(person, { visibility: 'private' })
    await seedManyFiles(app.sql, person, { count: 5001, parentId: folderId, word: 'photo' })
    await app.sql`
      update files set deleted_at = updated_at, trashed_from = '[]' where org_id = ${person.orgId} and parent_id = ${folderId}`
    const first = await files.list({ trashed: 'true' })
    expect(first.items).toEqual([])
    const cursor = Buffer.from(first.nextCursor!, 'base64url').toString()
    const [last] = await app.sql<{ id: string; deletedAt: string }[]>`
      select id, deleted_at as "deletedAt" from files where org_id = ${person.orgId} and parent_id = ${folderId}
      order by deleted_at desc, id desc offset 4999 limit 1`
    expect(cursor).not.toContain(last!.id)
    expect(cursor).not.toContain(last!.deletedAt.slice(0, 16))
    expect(await files.list({ trashed: 'true', cursor: first.nextCursor! })).toMatchObject({
      items: [],
      nextCursor: null,
    })
  })

  test('is rejected when forged', async () => {
    const { files } = await createFileClient(app)
    const position = JSON.stringify([0, '', newId()])
    for (const cursor of ['', 'x', Buffer.from(`x.${position}`).toString('base64url'), '..', '%00']) {
      await expect(files.list({ cursor })).rejects.toMatchObject(BAD_CURSOR)
    }
  })
})

describe('a search', () => {
  test('matches literally and ignores case in any script', async () => {
    const { upload, names } = await createFileClient(app)
    const all = [
      '100%.txt',
      '100x.txt',
      'a_b',
      'aXb',
      'back\\slash',
      'ΟΔΟΣΑ',
      'Straße',
      'Ёлка',
      'e\u0301te',
      '写真🎉',
    ]
    for (const name of all) await upload(name)
    const cases: [string, string[]][] = [
      ['0%', ['100%.txt']],
      ['A_B', ['a_b']],
      ['\\S', ['back\\slash']],
      ['οδος', ['ΟΔΟΣΑ']],
      ['STRASSE', ['Straße']],
      ['ёЛ', ['Ёлка']],
      ['É', ['e\u0301te']],
      ['真', ['写真🎉']],
      ['🎉', ['写真🎉']],
      ['%', ['100%.txt']],
      ["'; drop table files; --", []],
    ]
    for (const [search, expected] of cases) expect(await names({ search }), search).toEqual(expected)
  })

  test('covers the folder and its subtree without trashed entries', async () => {
    const { files, folder, upload, names } = await createFileClient(app)
    const outer = await folder('outer notes')
    const inner = await folder('inner notes', outer.id)
    await upload('notes below', inner.id)
    await upload('notes beside')
    const gone = await folder('gone notes', outer.id)
    await upload('notes in it', gone.id)
    await files.remove({ id: gone.id })
    expect(await names({ search: 'notes' })).toEqual([
      'inner notes',
      'outer notes',
      'notes below',
      'notes beside',
    ])
    expect(await names({ search: 'notes', parentId: outer.id })).toEqual(['inner notes', 'notes below'])
    expect(await names({ search: 'notes', source: 'upload', parentId: outer.id })).toEqual(['notes below'])
  })

  test('finds files by tag anywhere below the folder', async () => {
    const { files, folder, upload, names } = await createFileClient(app)
    const outer = await folder('outer')
    const { id } = await upload('tagged', outer.id)
    await files.update({ id, tags: ['tax', 'red'] })
    expect(await names({ tag: 'tax' })).toEqual(['tagged'])
    expect(await names({ tag: 'TAX' })).toEqual([])
    expect(await names({ tag: 'red', search: 'tag', parentId: outer.id })).toEqual(['tagged'])
    expect(await names({ tag: 'red', search: 'other' })).toEqual([])
  })
})

describe('a project list', () => {
  test("contains the project folder's root and rejects folders outside the project", async () => {
    const client = await createFileClient(app)
    const { files, folder, names } = client
    const { id: projectId, folderId: home } = await app.project(client.person)
    const inner = await folder('inner', home)
    const other = await folder('other')
    expect(inner.projectId).toBe(projectId)
    expect(await names({ projectId })).toEqual(['inner'])
    expect(await names({ projectId, parentId: inner.id })).toEqual([])
    await expect(files.list({ projectId, parentId: other.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(files.list({ projectId: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
