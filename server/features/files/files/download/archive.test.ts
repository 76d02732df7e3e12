import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { randomHex } from '../../../../security/random.ts'
import { createEntryNames, zip } from '../../../../storage/zip.ts'
import { PNG, upload } from '../../../../testing/factories/uploads.ts'
import { bearer, shareTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { unzip } from '../../../../testing/unzip.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

async function createOwner() {
  const person = await app.person(await app.organization())
  const headers = bearer(await app.key(person, ['files:write']))
  const create = async (body: object): Promise<string> => {
    const answer = await app.request('POST', '/api/v1/files', { headers, body })
    expect(answer.status).toBe(201)
    return answer.body.data.file.id
  }
  const file = async (parentId: string, name: string, content: string | Uint8Array): Promise<string> => {
    const { status, body } = await upload(app, headers, content, { name, fields: { parentId } })
    expect(status).toBe(201)
    return body.data.id
  }
  return {
    headers,
    person,
    file,
    folder: (name: string, parentId?: string) => create({ source: 'folder', name, parentId }),
    link: (targetFileId: string, parentId: string) => create({ source: 'link', targetFileId, parentId }),
    archive: (id: string) => fetch(`${app.url}/api/v1/files/${id}/archive`, { headers }),
    remove: (id: string) => app.request('DELETE', `/api/v1/files/${id}`, { headers }),
  }
}

const contents = async (answer: Response) =>
  Object.fromEntries(
    [...unzip(Buffer.from(await answer.arrayBuffer()))].map(([name, bytes]) => [
      name,
      bytes.toString('latin1'),
    ]),
  )

test('the archive contains every folder, file and link target below the folder', async () => {
  const { folder, file, link, archive } = await createOwner()
  const top = await folder('Bericht Ö')
  const inner = await folder('日本', top)
  await folder('empty', inner)
  await file(inner, 'grüße.txt', 'hello')
  const picture = await file(top, 'a.png', PNG)
  await link(picture, inner)
  const answer = await archive(top)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="Bericht _.zip"; filename*=UTF-8''Bericht%20%C3%96.zip`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(await contents(answer)).toEqual({
    'Bericht Ö/': '',
    'Bericht Ö/日本/': '',
    'Bericht Ö/日本/empty/': '',
    'Bericht Ö/日本/a.png': PNG.toString('latin1'),
    'Bericht Ö/日本/grüße.txt': 'hello',
    'Bericht Ö/a.png': PNG.toString('latin1'),
  })
})

test('the archive omits trashed entries, pending uploads and links without a target', async () => {
  const { headers, folder, file, link, archive, remove } = await createOwner()
  const top = await folder('T')
  const inner = await folder('inner', top)
  await file(inner, 'a.txt', 'x')
  const target = await file(top, 'b.txt', 'x')
  await link(target, top)
  await file(top, 'remaining.txt', 'remaining')
  const pending = { name: 'p.txt', mimeType: 'text/plain', size: 1, parentId: top }
  await app.request('POST', '/api/v1/files', { headers, body: pending })
  await remove(inner)
  await remove(target)
  expect(await contents(await archive(top))).toEqual({ 'T/': '', 'T/remaining.txt': 'remaining' })
})

test('the archive replaces path separators in names and numbers duplicate names', async () => {
  const { person, folder, file, archive } = await createOwner()
  const top = await folder('..')
  for (const content of ['1', '2', '3']) await file(top, 'a.txt', content)
  await file(top, 'A.txt', '4')
  const evil = await file(top, 'evil.txt', '5')
  await app.sql`update files set name = ${'..\\..\\C:evil/../x\t.txt'} where org_id = ${person.orgId} and id = ${evil}`
  const names = Object.keys(await contents(await archive(top)))
  expect(names).toEqual([
    '__/',
    '__/a.txt',
    '__/a (2).txt',
    '__/a (3).txt',
    '__/A (4).txt',
    '__/.._.._C_evil_.._x_.txt',
  ])
})

test('the archive contains every file when a folder spans several pages', async () => {
  const { person, folder, file, archive } = await createOwner()
  const top = await folder('many')
  const first = await file(top, 'first.txt', 'x')
  await app.sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
      created_by, created_at, updated_at)
    select org_id, gen_random_uuid(), parent_id, source, 'n' || n, 'n' || (n % 7), 'n', mime_type, size, object_key,
      sha256, created_by, created_at, updated_at
    from files, generate_series(1, 650) n where org_id = ${person.orgId} and id = ${first}`
  expect(Object.keys(await contents(await archive(top)))).toHaveLength(652)
})

test("the server aborts the transfer when an object can't be read", async () => {
  const { person, folder, file, archive } = await createOwner()
  const top = await folder('broken')
  await file(top, 'a.txt', randomHex(300_000))
  const lost = await file(top, 'b.txt', 'x')
  const [{ key }] = await app.sql<[{ key: string }]>`
    select object_key as key from files where org_id = ${person.orgId} and id = ${lost}`
  const name = key.split('/')[1]!
  await rm(join(app.dataFolder, 'objects', person.orgId, name.slice(0, 2), name.slice(2)))
  const answer = await archive(top)
  expect(answer.status).toBe(200)
  await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
})

test("the endpoint rejects a file, another organization's folder and a trashed folder", async () => {
  const [mine, theirs] = [await createOwner(), await createOwner()]
  const top = await mine.folder('F')
  const single = await mine.archive(await mine.file(top, 'a.txt', 'x'))
  expect([single.status, (await single.json()).error.code]).toEqual([400, 'BAD_REQUEST'])
  expect((await theirs.archive(top)).status).toBe(404)
  await mine.remove(top)
  expect((await mine.archive(top)).status).toBe(404)
})

test('createEntryNames numbers 1000 equal names consecutively', () => {
  const names = createEntryNames()
  const taken = Array.from({ length: 1000 }, () => names.take('x.tar'))
  expect(new Set(taken).size).toBe(1000)
  expect(taken.at(-1)).toBe('x (1000).tar')
})

test('zip writes a ZIP64 directory for more than 65,535 entries', async () => {
  async function* entries() {
    for (let n = 0; n < 70_000; n++)
      yield { path: `${n}/`, modifiedAt: new Date(0), open: null, compress: false }
  }
  const archive = await buffer(Readable.from(zip(entries())))
  const end = archive.lastIndexOf(Buffer.from('PK\x06\x06'))
  expect(archive.readBigUInt64LE(end + 32)).toBe(70_000n)
  const locator = archive.lastIndexOf(Buffer.from('PK\x06\x07'))
  expect(archive.readBigUInt64LE(locator + 8)).toBe(BigInt(end))
})
